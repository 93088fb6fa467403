import OperatingSystem
import TestSupport
import Testing

extension EndToEnd {
    @Suite("A lane at the root of a repository tests its packages")
    struct MonorepoTests {
        private func repository() throws -> TemporaryDirectory {
            let directory = try TemporaryDirectory(keepingBuildsAs: "monorepo")
            for (package, value) in [("one", "1"), ("two", "2")] {
                try directory.write(
                    """
                    // swift-tools-version: 6.2
                    import PackageDescription
                    let package = Package(name: "\(package)", targets: [.testTarget(name: "SameTests")])

                    """, to: "packages/\(package)/Package.swift")
                try directory.write(
                    """
                    import Testing
                    @Test func same() {
                        Attachment.record("a picture", named: "\(package).txt")
                        #expect("\(package) is one" == "\\(1) is one".replacingOne())
                    }
                    @Test func passes() {}
                    extension String {
                        func replacingOne() -> String { \(value) == 1 ? "one is one" : self }
                    }

                    """, to: "packages/\(package)/Tests/SameTests/SameTests.swift")
            }
            try directory.write(
                """
                steps:
                  - test: { rules: [{ tests: same, retries: 1 }] }
                    directory: packages/one
                  - test: { directory: packages/two }

                """, to: "Lanes/all.yml")
            try directory.write(".build/\n.lane/\n", to: ".gitignore")
            return directory
        }

        @Test("There is one report, with paths from the root, and the attached files")
        func oneReport() async throws {
            let directory = try repository()
            func run(_ arguments: String...) async throws -> CapturedRun {
                try await BuiltTool.lane.run(arguments, in: directory.path)
            }
            let all = try await run("all", "--junit", "all.xml", "--keep-going")
            let report = try directory.read("all.xml")
            #expect(report.hasPrefix(#"<?xml version="1.0" encoding="UTF-8"?>"#), "\(all.text)\(all.errorText)")
            #expect(report.contains(#"tests="4" failures="1" errors="0""#), "\(report)")
            #expect(report.contains(#"file="packages/one/Tests/SameTests/SameTests.swift""#))
            #expect(report.contains("packages/two/Tests/SameTests/SameTests.swift:4:5: Expectation failed"))
            #expect(report.contains("[[ATTACHMENT|.lane/attachments/all-test-2/two.txt]]"), "\(report)")
            #expect(try directory.read(".lane/attachments/all-test-2/two.txt") == "a picture")
            #expect(all.text.contains("    4 | #expect(\"two is one\" == "), "\(all.text)")

            // The failed test of the second package runs again, and only it.
            let failed = try await run("all", "--failed", "--keep-going")
            #expect(failed.text.contains("1 failed") && !failed.text.contains("2 passed"), "\(failed.text)")
            let list = try await run("all", "--list")
            // Swift Testing lists the tests of a binary in any order.
            let one = ["SameTests.passes()", "SameTests.same()  (rule 1, retries: 1)"]
            let lines = list.text.split(separator: "\n").map(String.init)
            #expect(lines.prefix(2).sorted() == one, "\(list.text)\(list.errorText)")
            #expect(lines.dropFirst(2).sorted() == ["SameTests.passes()", "SameTests.same()"], "\(list.text)")
        }

        @Test("A directory without a package is an error")
        func noPackage() async throws {
            let directory = try TemporaryDirectory()
            try directory.write("steps:\n  - test: { directory: empty }\n", to: "Lanes/all.yml")
            try directory.write("", to: "empty/file")
            try directory.write("// swift-tools-version: 6.0\n", to: "Package.swift")
            let run = try await BuiltTool.lane.run(["all"], in: directory.path)
            #expect(run.report.status == 66, "\(run.text)")
            #expect(run.text.contains("there is no 'Package.swift' in 'empty'"), "\(run.text)")
        }
    }
}
