import Files
import Processes
import TestSupport
import Testing

#if os(Linux)
    extension EndToEnd {
        @Suite("Machines take batches of tests from a directory that they share")
        struct QueuedTestsTests {
            private static let slow = 1...12

            private func package() throws -> MiniPackage {
                let package = try MiniPackage(expecting: "hallo", keepingBuildsAs: "queued")
                let methods = Self.slow.map { "func test\($0)() { usleep(200_000) }\n" }
                try package.folder.write(
                    "import XCTest\nfinal class Slow: XCTestCase {\n\(methods.joined())}\n",
                    to: "Tests/MiniTests/Slow.swift")
                // With recorded times, each of these tests is a batch.
                let times = Self.slow.map { "x 200000 - MiniTests\tSlow\ttest\($0)\n" }
                try package.folder.write("lane test history 1\n\(times.joined())", to: "times")
                return package
            }

            @Test("A machine that is killed loses no test, and each test has one result in the merged report")
            func killedMachine() async throws {
                let package = try package()
                let archive = ["test", "--archive", "tests.tar.gz", "--timings", "times"]
                let packed = try await BuiltTool.lane.run(archive, in: package.path)
                #expect(packed.report.status == 0, "\(packed.text)\(packed.errorText)")
                // Each machine has a directory outside the package.
                let other = try TemporaryDirectory()
                let script = """
                    set -eu
                    work() { mkdir $1; cd $1; exec "$0" test --from "$ARCHIVE" --queue ../queue --queue-lease 1s --jobs 1; }
                    work victim >out 2>&1 & victim=$!
                    while [ "$(ls queue/claimed 2>/dev/null)" = '' ]; do sleep 0.02; done
                    kill -KILL $victim
                    wait $victim || true
                    for number in 1 2 3; do (work $number >out-$number 2>&1) & workers="${workers-} $!"; done
                    for worker in $workers; do wait $worker || echo "status $?"; done
                    ls queue/claimed queue/waiting
                    "$0" merge queue/events/*.jsonl --junit junit.xml || echo "merged $?"
                    """
                let run = try await capture(
                    Command(
                        "/bin/sh", ["-c", script, BuiltTool.lane.path],
                        environment: plainEnvironment().merging(["ARCHIVE": "\(package.path)/tests.tar.gz"]) { $1 },
                        directory: other.path))
                // Only the machine with the failed test fails.
                #expect(
                    run.text.hasPrefix("status 1\nqueue/claimed:\n\nqueue/waiting:\n"), "\(run.text)\(run.errorText)")
                #expect(run.text.contains("14 tests in 2 suites: 13 passed, 1 failed"), "\(run.text)")
                #expect(run.text.hasSuffix("merged 1\n"))
                let report = try other.read("junit.xml")
                let cases = report.split(separator: "<testcase name=\"").dropFirst().map { $0.prefix { $0 != "\"" } }
                let expected = Self.slow.map { "test\($0)" } + ["greets()", "hasAVersion()"]
                #expect(cases.map(String.init).sorted() == expected.sorted())
            }

            @Test("A queue excludes shards, archives and coverage")
            func clashes() async throws {
                let folder = try TemporaryDirectory()
                try folder.write("// swift-tools-version: 6.0\n", to: "Package.swift")
                for words in [["--shard", "1/2"], ["--archive", "a"], ["--coverage"]] {
                    let clash = try await BuiltTool.lane.run(["test", "--queue", "q"] + words, in: folder.path)
                    #expect(clash.report.status == 64, "\(words): \(clash.text)\(clash.errorText)")
                }
                #expect(!fileExists("\(folder.path)/q"))
            }
        }
    }
#endif
