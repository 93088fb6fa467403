import Processes
import TestSupport
import Testing

extension EndToEnd {
    @Suite("Changed files select tests")
    struct ChangedSuitesTests {
        @Test("After a record, only the tests that execute the change and those that failed run")
        func recordedSuites() async throws {
            let package = try MiniPackage(keepingBuildsAs: "changed-suites")
            try package.directory.write(
                """
                public func one() -> Int {
                    1
                }

                public func two() -> Int {
                    number()
                }

                private func number() -> Int {
                    2
                }

                """, to: "Sources/Mini/Numbers.swift")
            try package.directory.write(
                """
                import Mini
                import Testing

                @Suite struct OneTests {
                    @Test func isOne() { #expect(one() == 1) }
                }

                @Suite struct TwoTests {
                    @Test func isTwo() { #expect(two() == 2) }
                }

                @Suite struct BrokenTests { @Test func isThree() { #expect(one() == 3) } }

                """, to: "Tests/MiniTests/NumberTests.swift")
            try await package.commit()
            // A run of CI for no pull request runs all tests.
            let recorded = try await BuiltTool.lane.run(
                ["test", "--changed", "--changed-record"], in: package.path, environment: ["CI": "true"])
            #expect(recorded.report.status == 1, "\(recorded.text)\(recorded.errorText)")
            #expect(recorded.text.contains("recorded the functions that 4 tests executed at "), "\(recorded.text)")

            let text = try package.directory.read("Sources/Mini/Numbers.swift")
            try package.directory.write(
                text.split(separator: "    2").joined(separator: "    3"), to: "Sources/Mini/Numbers.swift")
            let environment = ["CI": ""]
            let changed = ["test", "--changed", "--changed-base", "HEAD", "--changed-record"]
            let run = try await BuiltTool.lane.run(changed, in: package.path, environment: environment)
            #expect(run.report.status == 1, "\(run.text)\(run.errorText)")
            #expect(run.text.contains("MiniTests.TwoTests/isTwo() failed"), "\(run.text)")
            #expect(run.text.contains("2 tests in 2 suites"), "\(run.text)")
            let list = try await BuiltTool.lane.run(
                changed + ["--list", "--skip-build"], in: package.path, environment: environment)
            let listed = Set(list.text.split(separator: "\n"))
            #expect(listed == ["MiniTests.BrokenTests/isThree()", "MiniTests.TwoTests/isTwo()"])
            let branch = try await BuiltTool.lane.run(
                ["test", "--changed", "HEAD", "--skip-build"], in: package.path, environment: environment)
            #expect(branch.report.status == 4)
            #expect(branch.text.contains("hint: '--changed-base' names the commit to compare with"), "\(branch.text)")
            #expect(
                list.errorText.contains("    TwoTests executes 'Sources/Mini/Numbers.swift:9'\n"), "\(list.errorText)")
        }
    }
}
