import OperatingSystem
import TestSupport
import Testing

extension EndToEnd {
    @Suite("One screen shows all failures with their locations")
    struct FailureTests {
        @Test("A package without lane files passes, then a test fails, then a file does not compile")
        func screens() async throws {
            let package = try MiniPackage(keepingBuildsAs: "failures")
            let passing = try await BuiltTool.lane.run(["test"], in: package.path)
            #expect(passing.report.status == 0)
            expectGolden(screen(passing, in: package), "passing.txt")
            let nothing = try await BuiltTool.lane.run(["test", "--failed"], in: package.path)
            #expect(nothing.report.status == 0)
            #expect(
                redacted(nothing.text) == """
                    ▸ test
                    note: nothing to do: no test failed in the last run

                    ✔ test passed in <time>

                    """)

            let tests = "Tests/MiniTests/MiniTests.swift"
            try package.directory.write(
                try package.directory.read(tests).replacing("hello", with: "good day"), to: tests)
            let failing = try await BuiltTool.lane.run(["test", "--events", "events.jsonl"], in: package.path)
            #expect(failing.report.status == 1)
            // The file that the output names contains the same failures, and each event once.
            #expect(
                try package.directory.read(".lane/logs/test/test.log") == """
                    Tests/MiniTests/MiniTests.swift:5:5: failure: MiniTests.greets(): Expectation failed: (greeting → "hello") == "good day"

                    """)
            let events = try package.directory.read("events.jsonl").split(separator: "\n")
            for kind in ["testEnded", "runStarted", "runEnded"] {
                #expect(events.count { $0.contains("\"\(kind)\"") } == (kind == "testEnded" ? 2 : 1), "\(kind)")
            }
            expectGolden(screen(failing, in: package), "failing-test.txt")

            try package.directory.write("public let greeting: Int = \"hello\"\n", to: "Sources/Mini/Mini.swift")
            let broken = try await BuiltTool.lane.run(["test"], in: package.path)
            #expect(broken.report.status == 3)
            expectGolden(screen(broken, in: package), "broken-swift.txt")
        }

        @Test("In CI, the command after a failure runs the failed tests and no others, in any clone")
        func commandForAnotherMachine() async throws {
            let package = try MiniPackage(keepingBuildsAs: "failed-tests")
            try package.directory.write(
                """
                import Testing

                @Suite("It's a suite") struct Names {
                    @Test func `it's 2*3 (or $HOME) | "more"?`() { #expect(Bool(false)) }
                    @Test func `it's 2*3 (or $HOME) | "more"? Yes`() {}
                    @Test(arguments: 1...3) func odd(_ number: Int) { #expect(number % 2 == 1) }
                    @Test(arguments: 1...3) func odd(_ number: UInt) {}
                }

                """, to: "Tests/MiniTests/Names.swift")
            try await package.commit()
            let script = """
                CI=true "$0" test Mini 'a suite' --shard=1/1 --junit report.xml > log; echo status $?
                git init -q clone; cd clone; git pull -q ..; command=$(sed -n 's/^  run the failed tests again: lane //p' ../log); echo "$command"
                CI=true eval '"$0"' "$command" --verbose --events events > log; echo status $?
                sed -n 's/.*"testEnded".*"name":"\\(.*\\)"},"attempt".*"outcome":"\\([a-z]*\\)".*/\\2 \\1/p' events | sort
                grep '^  run the' log
                """
            let (run, _) = try await runScript(script, lanes: [:], in: package, limit: .seconds(300))
            let names = [#"`it'\''s 2*3 (or $HOME) | "more"?`()"#, "odd(_:) Names.swift:6:6"]
            let filters = names.map { " --filter 'MiniTests.Names/\($0)'" }.joined()
            let expected = #"""
                status 1
                test\#(filters)
                status 1
                failed `it's 2*3 (or $HOME) | \"more\"?`()
                failed odd(_:) Names.swift:6:6
                  run the failed tests again: lane test --verbose\#(filters)

                """#
            #expect(run.text == expected, "\(run.errorText)")
        }

        @Test("The report files of a step contain the same as those of the run, with secrets masked")
        func stepReports() async throws {
            let package = try MiniPackage(expecting: "good day", keepingBuildsAs: "reports")
            try package.directory.write(
                #"""
                import Foundation
                import Testing

                @Test func leaks() { Issue.record("\(ProcessInfo.processInfo.environment["TOKEN"] ?? "none")") }

                """#, to: "Tests/MiniTests/Leak.swift")
            let lane = """
                secrets: [TOKEN]
                steps:
                  - test: { junit: step.xml, events: step.jsonl }
                    secrets: [TOKEN]
                """
            let (run, _) = try await runScript(
                #"""
                "$0" all > out; echo status $?; "$0" all --junit run.xml >> out
                for file in step run; do sed -E 's/ (time|timestamp)="[^"]*"//g' $file.xml > $file; done
                cmp step run; grep -c hunter2 out step.xml step.jsonl
                sed -n '1s/.*"runStarted","number":1,.*"lane":"all".*/first/p; $s/.*"runEnded".*"status":1.*/last/p' step.jsonl
                """#, lanes: ["all": lane], environment: ["TOKEN": "hunter2-is-secret"], in: package)
            #expect(run.text.hasPrefix("status 1\nout:0\nstep.xml:0\nstep.jsonl:0\n"), "\(run.text)\(run.errorText)")
            #expect(run.text.hasSuffix("first\nlast\n"), "\(run.text)")
            #expect(try package.directory.read("step.xml").contains("***"))
        }
    }
}
