import SuiteCoverage
import Testing

@testable import ChangeImpact

/// Changes of a file of tests, in which each function is a recorded test. A file of other tests does not change.
@Suite struct SourceComparisonTests {
    private static let functions = "func one() {\n    1\n}\nfunc two() {\n    2\n}\n"

    /// Returns the tests that do not run, or `nil` if all run because of the file.
    private func unaffected(_ old: String, _ new: String, other: String = "") -> Set<String>? {
        var target = PackageGraph.Target("ATests", .test, path: "Tests/A")
        target.sources = ["Tests/A/a.swift", "Tests/A/b.swift"]
        let impact = ChangeImpact(
            graph: PackageGraph(targets: [target]),
            sources: [
                "ATests": [
                    SourceText(path: "Tests/A/a.swift", text: Array(new.utf8)),
                    SourceText(path: "Tests/A/b.swift", text: Array(other.utf8)),
                ]
            ], manifest: [])
        let bodies = SwiftOutline(Array(old.utf8))?.declarations.filter { !$0.bodies.isEmpty } ?? []
        let lines = bodies.map { (name: $0.names.joined(), line: $0.bodies[0].lines.lowerBound) }
        let record = SuiteRecord(
            commit: "0123456789abcdef", build: "",
            functions: ["Tests/A/a.swift": lines.map(\.line), "Tests/A/b.swift": [1]],
            suites: lines.map {
                .init(module: "ATests", name: $0.name, tests: [$0.name], executed: ["Tests/A/a.swift": [$0.line]])
            } + [.init(module: "ATests", name: "other", tests: ["other"], executed: ["Tests/A/b.swift": [1]])])
        let versions = RecordedChanges.Versions(old: Array(old.utf8), new: Array(new.utf8))
        let decision = impact.refined(
            impact.decision(for: ["Tests/A/a.swift"]),
            by: RecordedChanges(record: record, files: ["Tests/A/a.swift": versions]))
        return decision.concerned.contains { $0.note != nil } ? nil : decision.unaffected
    }

    @Test(arguments: [
        ("", "import Files\nimport Text\n", "import Files\nimport Text\nfunc f() {}"),
        ("import Files\nimport Text\n", "import Text\n", "import Text\nimport Files"),
        ("import A\n", "@testable import A\n", "import A"),
        ("", "#if canImport(Files)\nimport Files\n#endif\n", "import Files"),
        ("", "#if canImport(Files)\nimport Files\n#endif\n", "#if canImport(Files)\nimport Files\n#endif"),
    ])
    func importsOfAnotherFileConcernOnlyTheirFile(_ old: String, _ new: String, _ other: String) {
        #expect(unaffected(old + Self.functions, new + Self.functions, other: other) == ["other"])
    }

    @Test(arguments: [
        ("", "import Files\n", ""), ("", "import Files\n", "import Text"),
        // Both modules together may have a third one for their users.
        ("import Text\n", "import Files\nimport Text\n", "import Files"),
        ("", "import Files\n", "#if swift(>=9)\nimport Files\n#endif"),
        ("", "import Files\n", "#if canImport(Other)\nimport Other\n#else\nimport Files\n#endif"),
        ("import Files\n", "@_exported import Files\n", "import Files"),
        ("import Files\n", "@_implementationOnly import Files\n", "import Files"),
    ])
    func otherImportsConcernAllTests(_ old: String, _ new: String, _ other: String) {
        #expect(unaffected(old + Self.functions, new + Self.functions, other: other) == nil)
    }

    @Test func codeWithoutALineOfItsOwnDoesNotDependOnLines() {
        let line = "func three() {\n    check(#line)\n}\n"
        let code = Self.functions + line
        #expect(unaffected(code, "\n" + code) == ["one", "two", "other"])
        #expect(unaffected(code, code + "\n") == ["one", "two", "three", "other"])
        let comment = Self.functions + "func three() { // Three\n    check(#line)\n}\n"
        #expect(unaffected(code, comment) == ["one", "two", "other"])
        #expect(
            unaffected(code, Self.functions + "func three() {\n      check(#column)\n}\n") == ["one", "two", "other"])
        #expect(unaffected(code + "let a = #line", "\n\(code)let a = #line") == nil)
        #expect(unaffected("#sourceLocation()\n" + code, "\n#sourceLocation()\n" + code) == nil)
    }

    @Test(arguments: [
        "    read(#filePath)", "    let path = #file\n    read(path)", #"    let text = "at \(#file):1"; print(text)"#,
    ])
    func filesThatReadThemselvesConcernTheirReaders(_ body: String) {
        let code = Self.functions + "func three() {\n\(body)\n}\n"
        #expect(unaffected(code, "// Tests.\n" + code) == ["one", "two", "other"])
    }

    @Test(arguments: [
        "let path = #filePath\nfunc three() {\n    read(path)\n}\n", "let text = read(#filePath)\n",
        "func three() {\n    read(parentDirectory(#filePath))\n}\n",
    ])
    func otherFilesThatAreReadConcernAllTests(_ reader: String) {
        #expect(unaffected(Self.functions + reader, "// Tests.\n" + Self.functions + reader) == nil)
    }

    @Test func defaultArgumentsAreThePathOfTheCaller() {
        let code = Self.functions + "func three(file: StaticString = (#filePath)) {\n    fail(file)\n}\n"
        #expect(unaffected(code, "// Tests.\n" + code) == ["one", "two", "three", "other"])
    }
}
