import TestSupport
import Testing
import Text

@testable import ChangeImpact
@testable import SwiftPackages

@Suite struct ChangeImpactTests {
    /// A package with a chain of libraries, a program, a library for tests, and an external dependency.
    private static func graph() -> PackageGraph {
        func target(
            _ name: String, _ kind: PackageGraph.Target.Kind, _ path: String, _ dependencies: Set<String> = []
        ) -> PackageGraph.Target {
            var target = PackageGraph.Target(name, kind, path: path)
            target.dependencies = dependencies
            return target
        }
        var support = target("Support", .library, "Tests/Support")
        support.isTestSupport = true
        var remote = target("Remote", .library, "Sources/Remote")
        remote.usesOtherPackages = true
        var graph = PackageGraph(targets: [
            target("Low", .library, "Sources/Low"), target("High", .library, "Sources/High", ["Low"]), remote, support,
            target("tool", .executable, "Sources/tool", ["High"]), target("Alone", .library, "Sources/Alone"),
            target("LowTests", .test, "Tests/LowTests", ["Low", "Support"]),
            target("HighTests", .test, "Tests/HighTests", ["High", "Support"]),
            target("RemoteTests", .test, "Tests/RemoteTests", ["Remote"]),
            target("ToolTests", .test, "Tests/ToolTests", ["Support"]),
        ])
        graph.localPackages = ["Packages/Local"]
        return graph
    }

    private static func impact(
        _ sources: [String: String] = [:], manifest: String = "", graph: PackageGraph = graph()
    ) -> ChangeImpact {
        let texts = sources.map { ($0, [SourceText(path: "Tests/\($0)/a.swift", text: Array($1.utf8))]) }
        return ChangeImpact(
            graph: graph, sources: Dictionary(texts) { first, _ in first }, manifest: Array(manifest.utf8))
    }

    private func concerned(_ files: [String], _ impact: ChangeImpact = impact()) -> [String] {
        impact.decision(for: files).concerned.map(\.target)
    }

    @Test func testsOfDependentsAreConcerned() {
        #expect(concerned(["Sources/Low/x.swift"]) == ["HighTests", "LowTests"])
        #expect(concerned(["Sources/High/data/x.json"]) == ["HighTests"])
        #expect(concerned(["Tests/LowTests/Golden/x"]) == ["LowTests"])
        #expect(concerned(["Tests/Support/x.swift"]) == ["HighTests", "LowTests", "ToolTests"])
        #expect(concerned(["Sources/Alone/x.swift", "README.md"]).isEmpty)
        #expect(concerned(["Sources/Lower/x.swift"]).isEmpty)
    }

    @Test func documentsInTargetsConcernNoTest() {
        var graph = Self.graph()
        graph.targets[0].paths.append("Sources/Low/Pages")
        let impact = Self.impact(manifest: #"exclude: ["CMakeLists.txt"]"#, graph: graph)
        let documents = ["Sources/Low/README.md", "Sources/Low/Low.docc/Page.tutorial", "CMakeLists.txt"]
        #expect(impact.decision(for: documents).modules == [])
        #expect(concerned(["Sources/Low/Pages/a.md"], impact) == ["HighTests", "LowTests"])
        #expect(
            concerned(["Tests/LowTests/b.md"], Self.impact(["LowTests": #"read("Tests/LowTests/b.md")"#])) == [
                "LowTests"
            ])
    }

    @Test func reasonsNameTheWay() {
        let decision = Self.impact().decision(for: ["Sources/Low/x.swift", "README.md", "Sources/Alone/y.swift"])
        #expect(
            decision.concerned.map(\.reason) == [
                "'Sources/Low/x.swift' is in 'Low', through 'High'", "'Sources/Low/x.swift' is in 'Low'",
            ])
        #expect(
            decision.explanation == [
                "  'README.md' is in no target, and no test reads it",
                "  'Sources/Alone/y.swift' is in 'Alone', which no test uses",
                "  HighTests: 'Sources/Low/x.swift' is in 'Low', through 'High'",
                "  LowTests: 'Sources/Low/x.swift' is in 'Low'", "  not affected: RemoteTests, ToolTests",
            ])
        #expect(decision.summary(since: "1234567") == "2 of 4 test targets run: 3 files changed since 1234567")
    }

    @Test(arguments: [
        "Package.swift", "Package@swift-6.0.swift", ".swift-version", "module.modulemap",
        "Sources/Low/module.modulemap", "include/x.h", "Lanes/test.yml", ".gitmodules",
        "Dockerfile", "config/targets.json", ".swiftpm/configuration/mirrors.json",
    ])
    func anyTestMayBeConcerned(_ file: String) {
        let impact = Self.impact(manifest: #"let names = read("config")"#)
        let decision = impact.decision(for: ["Sources/Alone/x.swift", file])
        #expect(decision.modules == nil)
        #expect(decision.everything?.hasPrefix("'\(file)' ") == true)
        #expect(decision.others == ["HighTests", "LowTests", "RemoteTests", "ToolTests"])
    }

    @Test func changedVersionsOfDependenciesConcernTheirUsers() {
        let decision = Self.impact().decision(for: ["Package.resolved"])
        #expect(decision.concerned.map(\.reason) == ["'Package.resolved' changes packages that the tests use"])
        #expect(decision.concerned.map(\.target) == ["RemoteTests"])
        #expect(Self.impact().decision(for: ["Other/Package.resolved"]).everything != nil)
        let impact = Self.impact(graph: PackageGraph(targets: [PackageGraph.Target("T", .test, path: "Tests/T")]))
        #expect(
            impact.decision(for: ["Package.resolved"]).explanation.first
                == "  'Package.resolved' changes nothing that tests use")
    }

    @Test func filesThatTestsReadAreConcerned() {
        let impact = Self.impact([
            "LowTests": #"let page = read("docs/page.md")"#,
            "HighTests": #"let pages = FileManager.default.contentsOfDirectory(atPath: "docs")"#,
            "RemoteTests": #"let root = parentDirectory(parentDirectory(parentDirectory(#filePath))); list(root)"#,
        ])
        #expect(concerned(["docs/page.md"], impact) == ["HighTests", "LowTests", "RemoteTests"])
        #expect(concerned(["docs/other.md"], impact) == ["HighTests", "RemoteTests"])
    }

    @Test func namesOfTestLibrariesStandForPaths() {
        let impact = Self.impact([
            "Support": #"package let root = parentDirectory(parentDirectory(parentDirectory(#filePath)))"#,
            "LowTests": #"let page = read("\(root)/docs/page.md")"#,
        ])
        #expect(concerned(["docs/page.md"], impact) == ["LowTests"])
    }

    @Test func namesOfFunctionsAndModulesStayThere() {
        let root = "let root = parentDirectory(parentDirectory(parentDirectory(#filePath)))"
        let impact = Self.impact([
            "Support": "extension Array { func f() { \(root) } }\nlet other = 1\n\(root)",
            "LowTests": #"list("\(root)")"#,
        ])
        #expect(concerned(["docs/page.md"], impact).isEmpty)
    }

    @Test func programsThatTestsStartAreDependencies() {
        let starts = #"Process.run(Bundle.main.bundleURL.appendingPathComponent("tool"))"#
        #expect(concerned(["Sources/High/x.swift"], Self.impact(["ToolTests": starts])) == ["HighTests", "ToolTests"])
        #expect(concerned(["Sources/High/x.swift"], Self.impact(["ToolTests": #"let a = "tool""#])) == ["HighTests"])
    }

    @Test func undeclaredImportsAreDependencies() {
        #expect(concerned(["Sources/Alone/x.swift"], Self.impact(["LowTests": "import Alone"])) == ["LowTests"])
    }

    @Test func packagesInTheRepositoryConcernTheirUsers() {
        #expect(concerned(["Packages/Local/Sources/x.swift"]) == ["RemoteTests"])
        #expect(concerned(["Packages/Other/Sources/x.swift"]).isEmpty)
    }

    @Test func pluginsAndUnsafeFlagsMayReadAnyFile() {
        var graph = Self.graph()
        graph.targets[0].mayReadAnyFile = true
        #expect(concerned(["swiftgen.yml"], Self.impact(graph: graph)) == ["HighTests", "LowTests"])
        #expect(concerned(["Sources/Alone/x.swift"], Self.impact(graph: graph)).isEmpty)
    }

    @Test func headersMayBeIncludedByOtherTargets() {
        var graph = Self.graph()
        graph.targets[1].isSwift = false
        #expect(concerned(["Sources/Alone/x.h"], Self.impact(graph: graph)) == ["HighTests"])
    }

    @Test func targetsThatReachAChangedOneAreConcernedInRandomGraphs() {
        let edges = Generator<Int>.integer(in: 0...11).array()
        checkProperty("a test target is concerned if and only if it reaches the change", edges, cases: 200) { numbers in
            var targets = (0..<12).map { PackageGraph.Target("T\($0)", $0 < 8 ? .library : .test, path: "S/T\($0)") }
            for (index, number) in numbers.enumerated() where number < index % 12 {
                targets[index % 12].dependencies.insert("T\(number)")
            }
            let changed = (numbers.first ?? 0) % 8
            // A target reaches those with a smaller number only.
            var reaches = [Bool](repeating: false, count: 12)
            for index in 0..<12 {
                reaches[index] =
                    index == changed || targets[index].dependencies.contains { reaches[Int($0.dropFirst()) ?? 0] }
            }
            let expected = (8..<12).filter { reaches[$0] }.map { "T\($0)" }.sorted()
            let impact = Self.impact(graph: PackageGraph(targets: targets))
            return try expectEqual(impact.decision(for: ["S/T\(changed)/x.swift"]).concerned.map(\.target), expected)
        }
    }
}
