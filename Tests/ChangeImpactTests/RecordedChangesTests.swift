import JSON
import SuiteCoverage
import Testing

@testable import ChangeImpact

@Suite struct RecordedChangesTests {
    private static let library = "func one() -> Int {\n    1\n}\n\nfunc two() -> Int {\n    2\n}\n"

    private func target(
        _ name: String, _ kind: PackageGraph.Target.Kind, _ files: [String], uses: Set<String> = []
    ) -> PackageGraph.Target {
        let directory = kind == .test ? "Tests" : "Sources"
        var target = PackageGraph.Target(name, kind, path: "\(directory)/\(name)")
        target.sources = files.map { "\(directory)/\(name)/\($0)" }
        target.dependencies = uses
        return target
    }

    private func record(changed: [String] = []) -> SuiteRecord {
        SuiteRecord(
            commit: "0123456789abcdef", build: "", changedFiles: changed,
            functions: ["Sources/A/a.swift": [1, 5], "Tests/ATests/t.swift": [2, 3]],
            suites: [
                .init(
                    module: "ATests", name: "One", tests: ["ATests.One/one()"],
                    executed: ["Sources/A/a.swift": [1], "Tests/ATests/t.swift": [2]]),
                .init(
                    module: "ATests", name: "Two", tests: ["ATests.Two/two()"],
                    executed: ["Sources/A/a.swift": [5], "Tests/ATests/t.swift": [3]]),
            ])
    }

    /// Returns the decision for a new text of the library, or of other files.
    private func decision(
        _ text: String = Self.library, from old: String = Self.library, others: [String: String] = [:],
        tests: String = "", changed: [String] = [], manifest: ManifestChange? = nil,
        adapting adapt: (inout PackageGraph) -> Void = { _ in }
    ) -> ImpactDecision {
        var graph = PackageGraph(targets: [
            target("A", .library, ["a.swift"]), target("ATests", .test, ["t.swift"], uses: ["A"]),
        ])
        adapt(&graph)
        let impact = ChangeImpact(
            graph: graph,
            sources: [
                "A": [SourceText(path: "Sources/A/a.swift", text: Array(text.utf8))],
                "ATests": [SourceText(path: "Tests/ATests/t.swift", text: Array(tests.utf8))],
            ], manifest: [])
        var files: [String: RecordedChanges.Versions] = [:]
        if text != old {
            files["Sources/A/a.swift"] = .init(old: Array(old.utf8), new: Array(text.utf8))
        }
        for (path, text) in others { files[path] = .init(old: Array(text.utf8), new: nil) }
        return impact.refined(
            impact.decision(for: ["Sources/A/a.swift"]),
            by: RecordedChanges(record: record(changed: changed), files: files, manifest: manifest))
    }

    @Test func suitesThatExecuteNoChangeDoNotRun() {
        let decision = decision("func one() -> Int {\n    1\n}\n\nfunc two() -> Int {\n    3\n}\n")
        #expect(decision.modules == ["ATests"])
        #expect(decision.unaffected == ["ATests.One/one()"])
        #expect(
            decision.explanation == [
                "  the coverage of each suite was recorded at 012345678",
                "  ATests: 'Sources/A/a.swift' is in 'A'",
                "    Two executes 'Sources/A/a.swift:5'",
                "    tests that are not recorded",
                "    not affected: One",
            ])
        #expect(
            decision.summary(since: "main")
                == "1 of 1 test target run, without 1 test that execute none of the changes: 1 file changed since main"
        )
    }

    @Test func suitesStandForTestsWithTheSameReason() {
        var choice = ImpactDecision.Choice(target: "T", module: "T", reason: "'a' is in 'A'")
        choice.suites = .init(
            concerned: [
                ("A/x()", "one"), ("A/y()", "one"), ("B/x()", "one"), ("B/y()", "two"), ("C/D/x()", "one"),
                ("E", "one"),
            ],
            others: ["C/x()", "C/y()", "C/D/y()", "F/x()", "F/y()", "Tests/T/t.swift"])
        var decision = ImpactDecision()
        decision.concerned = [choice]
        #expect(
            decision.explanation == [
                "  T: 'a' is in 'A'", "    A one", "    B/x() one", "    B/y() two", "    C/D/x() one", "    E one",
                "    tests that are not recorded", "    not affected: C, C/D/y(), F, Tests/T/t.swift",
            ])
    }

    @Test func commentsConcernNoSuite() {
        #expect(decision("// Numbers.\n" + Self.library).unaffected.count == 2)
    }

    @Test func importsConcernAllSuites() {
        let decision = decision("import Files\n" + Self.library)
        #expect(decision.unaffected.isEmpty)
        #expect(
            decision.concerned.map(\.note) == [
                "all its suites run: 'Sources/A/a.swift' changes an import since 012345678"
            ])
    }

    @Test func declarationsConcernSuitesThatExecuteUses() {
        let tests = "struct One {\n    @Test func one() { check(one()) }\n    @Test func two() { two() }\n}\n"
        let decision = decision(Self.library.replacing("two() -> Int", with: "two() -> Int8"), tests: tests)
        #expect(decision.unaffected == ["ATests.One/one()"])
        #expect(decision.explanation.contains("    Two executes 'Sources/A/a.swift:5'"))
        let other = self.decision(
            Self.library + "let zero = 0", from: Self.library + "let zero = 1",
            tests: tests.replacing("check(one())", with: "check(zero)"))
        #expect(other.unaffected == ["ATests.Two/two()"])
        #expect(other.explanation.contains("    One executes 'Tests/ATests/t.swift:2', which uses 'zero'"))
    }

    @Test func otherFilesThatTestsUseConcernAllSuites() {
        #expect(decision(others: ["Sources/A/data.json": ""]).unaffected.isEmpty)
        #expect(decision(others: ["docs/a.md": ""]).unaffected.count == 2)
        #expect(decision(others: ["docs/a.md": ""], tests: #"read("docs/a.md")"#).unaffected.isEmpty)
        let manifest = decision(others: ["Package.swift": ""])
        #expect(manifest.unaffected.isEmpty)
        #expect(
            manifest.record
                == "the recorded coverage is not used: 'Package.swift' defines the targets, and changed since 012345678"
        )
    }

    @Test func changedTargetsConcernAllTheirTests() throws {
        let manifest = try JSONParser.parse("{}")
        for (targets, unaffected) in [([], 2), (["A"], 0), (["B"], 2)] {
            var change = ManifestChange(from: manifest, to: manifest)
            change.targets = Set(targets)
            let decision = decision(others: ["Package.swift": ""], manifest: change)
            #expect(decision.unaffected.count == unaffected)
        }
    }

    @Test func filesThatWereNotCommittedConcernAllSuites() {
        #expect(decision(changed: ["Sources/A/a.swift"]).unaffected.isEmpty)
        #expect(decision(changed: ["README.md"]).unaffected.count == 2)
    }

    @Test func functionsWithoutCoverageConcernAllSuites() {
        let library = Self.library + "\n#if swift(<5)\n    func three() { 3 }\n#endif\n"
        #expect(decision(library.replacing("{ 3 }", with: "{ 4 }"), from: library).unaffected.isEmpty)
        #expect(decision(library.replacing("    2", with: "    4"), from: library).unaffected.count == 1)
    }

    @Test(arguments: ["await #expect(processExitsWith: .failure) {}", "process.terminate()"])
    func testsWhoseProcessesMayLoseTheirCoverageAllRun(_ tests: String) {
        #expect(decision("// Numbers.\n" + Self.library, tests: tests).unaffected.isEmpty)
    }

    @Test func codeOfMacrosRunsDuringTheBuild() {
        let macro = decision("// Numbers.\n" + Self.library) { graph in
            graph.targets.append(target("M", .plugin, [], uses: ["A"]))
            graph.targets[1].dependencies.insert("M")
        }
        #expect(macro.unaffected.isEmpty)
    }

    @Test func unsafeFlagsMayReadTheSource() {
        let decision = decision("// Numbers.\n" + Self.library) { $0.targets[0].mayReadAnyFile = true }
        #expect(decision.unaffected.isEmpty)
    }
}

extension String {
    fileprivate func replacing(_ old: String, with new: String) -> String {
        split(separator: old, omittingEmptySubsequences: false).joined(separator: new)
    }
}
