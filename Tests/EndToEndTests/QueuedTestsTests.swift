import Files
import Processes
import TestSupport
import Testing

#if os(Linux)
    extension EndToEnd {
        @Suite("Machines take batches of tests from a directory that they share")
        struct QueuedTestsTests {
            private static let slow = 1...12

            private static func package() throws -> MiniPackage {
                let package = try MiniPackage(expecting: "hallo", keepingBuildsAs: "queued")
                let methods = slow.map { "func test\($0)() { usleep(200_000) }\n" }
                try package.directory.write(
                    "import XCTest\nfinal class Slow: XCTestCase {\n\(methods.joined())}\n",
                    to: "Tests/MiniTests/Slow.swift")
                // With recorded times, each of these tests is a batch.
                let times = slow.map { "x 200000 - MiniTests\tSlow\ttest\($0)\n" }
                try package.directory.write("lane test history 1\n\(times.joined())", to: "times")
                return package
            }

            /// The package with its archive, which the tests share.
            private static let packed = Task {
                let package = try Self.package()
                let archive = ["test", "--archive", "tests.tar.gz", "--timings", "times"]
                let packed = try await BuiltTool.lane.run(archive, in: package.path)
                #expect(packed.report.status == 0, "\(packed.text)\(packed.errorText)")
                return package
            }

            @Test("A machine that is killed loses no test, and each test has one result in the merged report")
            func killedMachine() async throws {
                try await killMachine(of: Self.packed.value, queue: "../queue", state: "queue")
            }

            @Test(
                "So it is with a queue on nginx, with a certificate that it has signed itself",
                .enabled(if: NGINX.isInstalled, "needs openssl, and nginx of Debian's package nginx-light"))
            func killedMachineOfServer() async throws {
                let server = try #require(try await NGINX())
                try await killMachine(
                    of: Self.packed.value, queue: "\(server.address)/run", state: "\(server.path)/files/run",
                    environment: ["CURL_CA_BUNDLE": server.certificate])
                await server.stop()
            }

            /// Runs the packed tests on four machines, of which the first is killed while it has a batch.
            ///
            /// - Parameter state: The directory of the queue's files.
            private func killMachine(
                of package: MiniPackage, queue: String, state: String, environment: [String: String] = [:]
            ) async throws {
                // Each machine has a directory outside the package.
                let other = try TemporaryDirectory()
                let script = """
                    set -eu
                    work() { mkdir $1; cd $1; exec "$0" test --from "$ARCHIVE" --queue "$QUEUE" --queue-lease 1s --jobs 1; }
                    work victim >out 2>&1 & victim=$!
                    while [ "$(ls "$STATE/claimed" 2>/dev/null)" = '' ]; do sleep 0.02; done
                    kill -KILL $victim
                    wait $victim || true
                    for number in 1 2 3; do (work $number >out-$number 2>&1) & workers="${workers-} $!"; done
                    for worker in $workers; do wait $worker || echo "status $?"; done
                    mkdir -p x; cd x
                    "$0" merge "$QUEUE" --junit ../junit.xml --timings "${QUEUE%/*}/times" || echo "merged $?"
                    (cd .. && work late)
                    """
                let variables = ["ARCHIVE": "\(package.path)/tests.tar.gz", "QUEUE": queue, "STATE": state]
                let run = try await capture(
                    Command(
                        "/bin/sh", ["-c", script, BuiltTool.lane.path],
                        environment: plainEnvironment().merging(variables) { $1 }.merging(environment) { $1 },
                        directory: other.path))
                let location = queue.hasPrefix("http") ? queue : "\(other.path)/queue"
                // Only the machine with the failed test fails.
                #expect(
                    redacted(run.text, replacing: [location: "<queue>"])
                        .replacing(" failed after <time>", with: " failed") == """
                            status 1
                            ✘ MiniTests.greets() failed
                                Tests/MiniTests/MiniTests.swift:5:5
                                Expectation failed: (greeting → "hello") == "hallo"
                            ✘ 14 tests in 2 suites: 13 passed, 1 failed
                            ✘ test failed
                            merged 1
                            ▸ test
                            note: the queue has no tests left; 'lane merge <queue>' prints their results

                            ✔ test passed in <time>

                            """)
                let report = try other.read("junit.xml")
                let cases = report.split(separator: "<testcase name=\"").dropFirst().map { $0.prefix { $0 != "\"" } }
                let expected = Self.slow.map { "test\($0)" } + ["greets()", "hasAVersion()"]
                #expect(cases.map(String.init).sorted() == expected.sorted())
                let times = try readText(queue.hasPrefix("http") ? "\(state)/../times" : "\(other.path)/times")
                #expect(times.split(separator: "\n").count { $0.hasPrefix("x ") || $0.hasPrefix("s ") } == 14)
            }

            @Test("A queue excludes shards and archives")
            func clashes() async throws {
                let directory = try TemporaryDirectory()
                try directory.write("// swift-tools-version: 6.0\n", to: "Package.swift")
                for words in [["--shard", "1/2"], ["--archive", "a"]] {
                    let clash = try await BuiltTool.lane.run(["test", "--queue", "q"] + words, in: directory.path)
                    #expect(clash.report.status == 64, "\(words): \(clash.text)\(clash.errorText)")
                }
                #expect(!fileExists("\(directory.path)/q"))
            }
        }
    }
#endif
