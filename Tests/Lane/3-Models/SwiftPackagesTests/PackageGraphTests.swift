import Testing
import Text

@testable import SwiftPackages

@Suite struct PackageGraphTests {
    private func graph(below directory: String, flags: String = #""-include", "x.h""#) throws -> PackageGraph {
        let root = directory.isEmpty ? "/repo" : "/repo/\(directory)"
        let description = """
            {"name": "App", "path": "\(root)", "products": [], "dependencies": [
                {"identity": "local", "path": "/repo/Local", "type": "fileSystem"},
                {"identity": "far", "type": "sourceControl", "url": "/far"}], "targets": [
                {"name": "my-tool", "c99name": "my_tool", "path": "Sources/my-tool", "sources": ["main.swift"],
                 "module_type": "SwiftTarget", "product_memberships": ["run"]},
                {"name": "CLib", "c99name": "CLib", "path": "Sources/CLib", "sources": ["a.c"],
                 "module_type": "ClangTarget", "product_memberships": ["run"]},
                {"name": "Support", "c99name": "Support", "path": "Tests/Support", "sources": ["b.swift"],
                 "module_type": "SwiftTarget"},
                {"name": "AppTests", "c99name": "AppTests", "path": "Tests/AppTests", "sources": ["c.swift"],
                 "module_type": "SwiftTarget", "resources": [{"path": "\(root)/Data/x.json", "rule": {"copy": {}}}]}
            ]}
            """
        let manifest = """
            {"products": [{"name": "run", "targets": ["my-tool"], "type": {"executable": null}}],
             "targets": [
                {"name": "my-tool", "type": "executable", "dependencies": [{"byName": ["CLib", null]}]},
                {"name": "CLib", "type": "regular", "dependencies": [], "settings": [
                    {"tool": "c", "kind": {"headerSearchPath": {"_0": "../../include"}}}]},
                {"name": "Support", "type": "regular", "dependencies": [{"product": ["Other", "local", null, null]}],
                 "settings": [{"tool": "swift", "kind": {"unsafeFlags": {"_0": [\(flags)]}}}]},
                {"name": "AppTests", "type": "test", "dependencies": [{"target": ["Support", null]}],
                 "pluginUsages": [{"plugin": ["Generate", null]}]}
            ]}
            """
        return try #require(try Self.graph(description, manifest, directory: directory))
    }

    private static func graph(
        _ description: String, _ manifest: String, directory: String = ""
    ) throws -> PackageGraph? {
        let manifest = PackageManifest(try JSONParser.parse(manifest))
        let package = try #require(PackageDescription(try JSONParser.parse(description), manifest))
        return PackageGraph(package, directory: directory)
    }

    @Test(arguments: ["", "app/ios"])
    func outputOfSwiftPackage(_ directory: String) throws {
        let graph = try graph(below: directory)
        let prefix = directory.isEmpty ? "" : "\(directory)/"
        #expect(graph.localPackages == ["Local"])
        #expect(graph.programs == ["my-tool": ["my-tool"], "run": ["my-tool"]])
        let (tool, library, support, tests) = (graph.targets[0], graph.targets[1], graph.targets[2], graph.targets[3])
        #expect((tool.module, tool.kind, tool.dependencies) == ("my_tool", .executable, ["CLib"]))
        #expect(tool.sources == ["\(prefix)Sources/my-tool/main.swift"])
        #expect(library.paths == ["\(prefix)Sources/CLib", "\(prefix)include"])
        #expect((library.isSwift, library.isTestSupport, tool.isSwift) == (false, false, true))
        #expect((support.isTestSupport, support.usesOtherPackages, support.mayReadAnyFile) == (true, true, true))
        #expect((tests.kind, tests.dependencies, tests.mayReadAnyFile) == (.test, ["Support"], true))
        #expect(tests.paths == ["\(prefix)Tests/AppTests", "\(prefix)Data/x.json"])
    }

    @Test func snippetsAreNotTargetsOfTheManifest() throws {
        let description = """
            {"name": "A", "path": "/a", "products": [],
             "targets": [{"name": "usage", "path": "Snippets", "type": "snippet"}]}
            """
        #expect(try Self.graph(description, #"{"targets": []}"#)?.targets.isEmpty == true)
    }

    @Test func targetsMissingInTheManifestAreAnError() throws {
        let description = #"{"name": "A", "path": "/a", "products": [], "targets": [{"name": "A", "path": "A"}]}"#
        #expect(try Self.graph(description, #"{"targets": []}"#) == nil)
    }

    @Test(arguments: [
        (#""-Ounchecked""#, false), (#""-Xfrontend", "-require-explicit-sendable""#, false), (#""-Iinclude""#, true),
        (#""-Xcc", "-fmodule-map-file=x""#, true), (#""-I", "include""#, true), (#""-lx""#, true), ("", false),
    ])
    func unsafeFlagsMayNameFiles(_ flags: String, _ expected: Bool) throws {
        #expect(try graph(below: "", flags: flags).targets[2].mayReadAnyFile == expected)
    }
}
