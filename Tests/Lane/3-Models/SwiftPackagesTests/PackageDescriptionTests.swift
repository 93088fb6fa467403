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

    /// The descriptions are those of a package that SwiftPM refuses in a client, which requires a version of it. A package
    /// that only tests use is no obstacle.
    @Test func librariesThatNoVersionCanBeUsedOfAreFound() throws {
        let node = """
            {"name": "Lib", "products": [
              {"name": "Lib", "targets": ["Lib"], "type": {"library": ["automatic"]}},
              {"name": "Plain", "targets": ["Plain"], "type": {"library": ["automatic"]}}],
             "dependencies": [
              {"identity": "here", "path": "/here", "type": "fileSystem"},
              {"identity": "branch", "requirement": {"branch": ["main"]}, "type": "sourceControl", "url": "/branch"},
              {"identity": "fine", "requirement": {"range": [{}]}, "type": "sourceControl", "url": "/fine"},
              {"identity": "tests", "requirement": {"branch": ["main"]}, "type": "sourceControl", "url": "/tests"}],
             "targets": [
              {"name": "Lib", "c99name": "Lib", "path": "Lib", "type": "library", "target_dependencies": ["Core"]},
              {"name": "Core", "c99name": "Core", "path": "Core", "type": "library"},
              {"name": "Plain", "c99name": "Plain", "path": "Plain", "type": "library"},
              {"name": "T", "c99name": "T", "path": "T", "type": "test", "target_dependencies": ["Plain"]}]}
            """
        let manifest = """
            {"products": [
              {"name": "Lib", "targets": ["Lib"], "type": {"library": ["automatic"]}},
              {"name": "Plain", "targets": ["Plain"], "type": {"library": ["automatic"]}}],
             "targets": [
              {"name": "Lib", "dependencies": [{"product": ["Here", "here", null, null]}, {"byName": ["Core", null]}]},
              {"name": "Core", "dependencies": [{"product": ["B", "branch", null, null]}],
               "settings": [{"kind": {"unsafeFlags": {"_0": ["-Ounchecked"]}}, "tool": "swift"}]},
              {"name": "Plain", "dependencies": [{"product": ["Fine", "fine", null, null]}]},
              {"name": "T", "dependencies": [{"product": ["Tests", "tests", null, null]}]}]}
            """
        let package = try #require(
            PackageDescription(try JSONParser.parse(node), PackageManifest(try JSONParser.parse(manifest))))
        #expect(
            package.products.map { package.obstacles(toVersionsOf: $0) } == [
                [
                    "the target 'Core' has unsafe flags", "'branch' is required by a branch, a commit or a path",
                    "'here' is required by a branch, a commit or a path",
                ], [],
            ])
    }

    @Test(arguments: [([], ["app"]), (["Gen"], ["app"]), (["tool"], ["app", "tool"])])
    func buildToolsAreNotProducts(declared: [String], expected: [String]) throws {
        let products = declared.map { #"{"name": "\#($0)", "targets": ["\#($0)"], "type": {"executable": null}}"# }
        let manifest = #"{"products": [\#(products.joined(separator: ", "))]}"#
        let package = try #require(
            PackageDescription(try JSONParser.parse(description), PackageManifest(try JSONParser.parse(manifest))))
        #expect(package.products.map(\.name) == expected)
        #expect(package.offeredProducts.map(\.name) == (declared.contains("tool") ? ["tool"] : ["app"]))
        #expect(package.targets.map(\.name) == ["app", "Gen", "tool"])
    }
}
