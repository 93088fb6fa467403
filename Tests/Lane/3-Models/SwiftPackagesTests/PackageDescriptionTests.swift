import Testing
import Text

@testable import SwiftPackages

@Suite struct PackageDescriptionTests {
    /// The description in the format of SwiftPM, which adds a product for each executable without one.
    private let description = """
        {"name": "Plug", "products": [
          {"name": "app", "targets": ["app"], "type": {"executable": null}},
          {"name": "Gen", "targets": ["Gen"], "type": {"plugin": null}},
          {"name": "tool", "targets": ["tool"], "type": {"executable": null}}],
         "targets": [
          {"name": "app", "c99name": "app", "path": "Sources/app", "type": "executable"},
          {"name": "Gen", "c99name": "Gen", "path": "Plugins/Gen", "type": "plugin", "target_dependencies": ["tool"]},
          {"name": "tool", "c99name": "tool", "path": "Sources/tool", "type": "executable"}]}
        """

    @Test(arguments: [([], ["app"]), (["Gen"], ["app"]), (["tool"], ["app", "tool"])])
    func buildToolsAreNotProducts(declared: [String], products: [String]) throws {
        let package = try #require(
            PackageDescription(try JSONParser.parse(description), settings: [:], declared: Set(declared)))
        #expect(package.products.map(\.name) == products)
        #expect(package.offeredProducts.map(\.name) == (declared.contains("tool") ? ["tool"] : ["app"]))
        #expect(package.targets.map(\.name) == ["app", "Gen", "tool"])
    }
}
