import Events
import SwiftPackages
import Testing
import Text

@testable import APIComparison

@Suite struct APIReportTests {
    private static func interface(
        products: String = #"{"name": "Shapes", "targets": ["Shapes", "Core"], "type": {"library": ["automatic"]}}"#,
        platforms: String = "", tools: String = "5.9.0"
    ) throws -> PackageInterface {
        let manifest = """
            {"products": [\(products)], "platforms": [\(platforms)], "toolsVersion": {"_version": "\(tools)"},
             "targets": [{"name": "Shapes", "type": "regular"}, {"name": "Core", "type": "system"}]}
            """
        return PackageInterface(PackageManifest(try JSONParser.parse(manifest)))
    }

    @Test func productsTargetsPlatformsAndToolsVersionsBreak() throws {
        let old = try Self.interface(platforms: #"{"platformName": "macos", "version": "10.15"}"#)
        #expect(old.sourceTargets == ["Shapes"])
        #expect(old.changes(to: old).isEmpty)
        let new = try Self.interface(
            products: #"{"name": "Shapes", "targets": ["Shapes"], "type": {"executable": null}}"#,
            platforms: #"{"platformName": "ios", "version": "15.0"}, {"platformName": "macos", "version": "13.0"}"#,
            tools: "6.0.0")
        #expect(
            old.changes(to: new).map(\.name) == [
                "product 'Shapes'", "target 'Core'", "target 'Shapes'", "platform 'ios'", "platform 'macos'",
                "tools version",
            ])
        // A lower requirement breaks nothing.
        let lower = try Self.interface(platforms: #"{"platformName": "macos", "version": "10.13"}"#, tools: "5.7.0")
        #expect(old.changes(to: lower).isEmpty)
    }

    /// SwiftPM builds one target a time, with its dependencies.
    @Test func targetsThatAnotherOneBuildsAreNoRoots() throws {
        let manifest = """
            {"products": [{"name": "All", "targets": ["All", "Base", "Core", "Mac"], "type": {"library": ["automatic"]}}],
             "targets": [
                {"name": "All", "type": "regular", "dependencies": [
                    {"byName": ["Part", null]}, {"target": ["Mac", {"platformNames": ["macos"]}]}]},
                {"name": "Part", "type": "regular", "dependencies": [{"byName": ["Base", null]}]},
                {"name": "Base", "type": "regular"}, {"name": "Core", "type": "regular"},
                {"name": "Mac", "type": "regular", "dependencies": [{"byName": ["Base", null]}]}]}
            """
        let interface = PackageInterface(PackageManifest(try JSONParser.parse(manifest)))
        #expect(interface.sourceTargets == ["All", "Base", "Core", "Mac"])
        #expect(interface.rootTargets == ["All", "Core", "Mac"])
    }

    private func change(_ name: String) throws -> APIChange {
        try #require(
            try GraphFixture.changes {
                $0.add("func", name, "func \(name)", line: 4)
            } _: { _ in
            }.first)
    }

    @Test func breaksWarningsAndAllowancesAreApart() throws {
        let proven = try ["a()", "b()"].map { name in
            let change = try change(name)
            return APIReport.Finding(
                change, witness: change.witnesses[0], error: "error: cannot find '\(name)' in scope")
        }
        let reference = try change("c()")
        let findings =
            proven + [
                APIReport.Finding(reference, witness: reference.witnesses.last { $0.isReference }, error: "error: x"),
                APIReport.Finding(unproven: try change("d()")),
            ]
        let report = APIReport(
            since: "1.0.0", findings,
            allowing: [
                .init(declaration: "b()", reason: "never worked"), .init(declaration: "c()", reason: "is no break"),
            ])
        #expect(report.breaks.map(\.change.name) == ["a()"])
        #expect(report.allowed.map(\.reason) == ["never worked"])
        #expect(report.unused.map(\.declaration) == ["c()"])
        #expect(report.summary == "1 proven break, 1 allowed, 2 warnings of the public API since 1.0.0")
        #expect(
            report.diagnostics.map(\.message) == [
                """
                'a()' was removed; 1.0.0 has it at Sources/Shapes/Shapes.swift:4
                old: func a()
                compiles with 1.0.0 only:
                    import Shapes
                    private func witness() { a() }
                    // error: cannot find 'a()' in scope
                """,
                """
                'c()' was removed: only a reference to it no longer compiles; 1.0.0 has it at Sources/Shapes/Shapes.swift:4
                old: func c()
                """,
                """
                'd()' was removed: no program was found that compiles with the old version only; 1.0.0 has it at Sources/Shapes/Shapes.swift:4
                old: func d()
                """,
            ])
        #expect(report.diagnostics.map(\.severity) == [.error, .warning, .warning])
        let json = try JSONParser.parse(report.json)
        #expect(json["breaks"]?.array?.first?["witness"]?.string == "import Shapes\nprivate func witness() { a() }\n")
        #expect(json["allowed"]?.array?.first?["reason"]?.string == "never worked")
        #expect(json["warnings"]?.array?.count == 2)
    }
}
