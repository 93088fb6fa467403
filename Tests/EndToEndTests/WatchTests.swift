import OperatingSystem
import TestSupport
import Testing
import Text

extension EndToEnd {
    @Suite("lane test --watch first runs the tests that a change concerns")
    struct WatchTests {
        /// Breaks one of two test files, then fixes it, and saves the events after each run.
        private static let script = """
            set -m
            : >.out
            "$0" test --watch --jobs 1 --events events.jsonl --junit report.xml >.out 2>&1 & lane=$!
            round() {
                while [ "$(grep -c 'waiting for changes' .out)" -lt "$1" ]; do sleep 0.05; kill -0 $lane || exit 1; done
                cp events.jsonl "round$1.events~"
            }
            round 1
            sed 's/1 == 1/1 == 2/' Tests/MiniTests/LateTests.swift >edited~
            cat edited~ >Tests/MiniTests/LateTests.swift
            round 2
            echo '// a change elsewhere' >>Tests/MiniTests/MiniTests.swift
            round 3
            kill -INT $lane
            wait $lane
            echo status $?
            """

        @Test("Failures and changed tests come first, and its own reports start no run")
        func rounds() async throws {
            let package = try MiniPackage(keepingBuildsAs: "watched")
            try package.directory.write(
                "import Testing\n\n@Test func late() {\n    #expect(1 == 1)\n}\n", to: "Tests/MiniTests/LateTests.swift"
            )
            let run = try await capture(
                Command(
                    "bash", ["-c", Self.script, BuiltTool.lane.path], environment: plainEnvironment(),
                    directory: package.path))
            let output = try package.directory.read(".out")
            #expect(run.text == "status 130\n", "\(output)")
            #expect(
                output.split(separator: "\n").filter { $0.hasPrefix("changed: ") } == [
                    "changed: Tests/MiniTests/LateTests.swift", "changed: Tests/MiniTests/MiniTests.swift",
                ])
            #expect(try started(in: "round2.events~", of: package).first == "late()")
            // The tests that failed and those that changed are all tests.
            #expect(try Set(started(in: "round3.events~", of: package)) == ["late()", "greets()", "hasAVersion()"])
        }

        private func started(in file: String, of package: MiniPackage) throws -> [String] {
            try package.directory.read(file).split(separator: "\n").compactMap { line in
                let event = try JSONParser.parse(Array(line.utf8))
                return event["event"]?.string == "testStarted" ? event["test"]?["name"]?.string : nil
            }
        }
    }
}
