import OperatingSystem
import TestSupport
import Testing

extension EndToEnd {
    @Suite("Built tests run on another machine")
    struct PackedTestsTests {
        @Test("Shards without sources and compiler give the report of one run")
        func shardsOfAnArchive() async throws {
            let package = try MiniPackage(expecting: "hallo", keepingBuildsAs: "packed")
            let archive = "\(package.path)/tests.tar.gz"
            let packed = try await BuiltTool.lane.run(["test", "--archive", archive], in: package.path)
            #expect(packed.report.status == 0, "\(packed.text)\(packed.errorText)")
            #expect(packed.text.hasPrefix("▸ test\nnote: packed 2 tests into tests.tar.gz\n"), "\(packed.text)")

            // The directory of the other machine, on which no programs are installed.
            let other = try TemporaryDirectory()
            let bare = ["PATH": "\(other.path)/none"]
            try removeTree("\(package.path)/Sources")
            try removeTree("\(package.path)/Tests")
            let whole = try await BuiltTool.lane.run(
                ["test", "--from", archive, "--events", "whole.jsonl", "--junit", "whole.xml"], in: other.path,
                environment: bare)
            #expect(whole.report.status == 1, "\(whole.text)\(whole.errorText)")
            #expect(
                screen(whole, in: package).hasSuffix(
                    """
                    Failed (1)
                      ✘ MiniTests.greets() failed
                          Tests/MiniTests/MiniTests.swift:5:5
                          Expectation failed: (greeting → "hello") == "hallo"

                    ✘ 2 tests in 1 suite: 1 passed, 1 failed
                    ✘ test failed
                      full output of test: .lane/logs/test/test.log
                      run the failed tests again: lane test --filter 'MiniTests.greets()'

                    """), "\(whole.text)")
            for shard in 1...2 {
                let run = try await BuiltTool.lane.run(
                    ["test", "--from", archive, "--shard", "\(shard)/2", "--events", "\(shard).jsonl"], in: other.path,
                    environment: bare)
                #expect([0, 1].contains(run.report.status), "\(run.text)\(run.errorText)")
            }

            let merged = try await BuiltTool.lane.run(
                ["merge", "1.jsonl", "2.jsonl", "--junit", "merged.xml", "--timings", "times"], in: other.path)
            #expect(merged.report.status == 1)
            #expect(
                screen(merged, in: package) == """
                    ✘ MiniTests.greets() failed
                        Tests/MiniTests/MiniTests.swift:5:5
                        Expectation failed: (greeting → "hello") == "hallo"
                    ✘ test: shard 1: 1 test failed
                    ✘ 2 tests in 1 suite: 1 passed, 1 failed
                    ✘ test failed
                      run the failed tests again: lane test --filter 'MiniTests.greets()'

                    """)
            #expect(try cases(in: other.read("merged.xml")) == cases(in: other.read("whole.xml")))
            #expect(try other.read("times").split(separator: "\n").count == 3)

            let incomplete = try await BuiltTool.lane.run(["merge", "2.jsonl"], in: other.path)
            #expect(incomplete.report.status == 1)
            expectGolden(redacted(incomplete.text), "merged-incomplete.txt")
        }

        /// Returns the test cases of a JUnit report without their times, sorted.
        private func cases(in report: String) -> [String] {
            report.split(separator: "\n").filter { $0.contains("<testcase") || $0.contains("<failure") }.map { line in
                let start = line.firstRange(of: " time=\"")?.lowerBound ?? line.endIndex
                let rest = line[start...].dropFirst(7)
                return line[..<start] + (rest.firstIndex(of: "\"").map { rest[$0...].dropFirst() } ?? "")
            }
            .map(String.init).sorted()
        }

        /// Measures packed tests in one run and in three shards, and compares the coverage files.
        private static let coverageScript = """
            files() { echo --coverage-lcov $1.info --coverage-cobertura $1.xml --coverage-html $1.html; }
            packed() {
                "$lane" test --from .lane/tests.tar.gz --coverage-threshold 95 --coverage-changed-threshold 50 \\
                    --coverage-changed-base HEAD "$@"
            }
            lane="$0"
            "$lane" test --archive .lane/tests.tar.gz --coverage > out || cat out
            packed $(files .lane/whole) > out; echo "one run: status $?"; grep -A2 ' the tests cover' out
            for i in 1 2 3; do packed --shard $i/3 --events .lane/$i.jsonl > out || cat out; done
            "$lane" merge .lane/[123].jsonl $(files .lane/merged) > out; echo "shards: status $?"
            grep -A2 ' the tests cover' out; sed -n '/^line coverage/,$p' out
            rm .lane/lane.*; "$lane" merge .lane/[123].jsonl --lane test > out; echo "lane: status $?"
            for format in info xml html; do
                for name in whole merged lane; do
                    sed -E 's/timestamp="[0-9]+"//; s/[0-9-]+ [0-9:]+ UTC//' \\
                        .lane/$name.$format > .lane/$name
                done
                grep -q Size.swift .lane/merged && cmp .lane/whole .lane/merged && cmp .lane/whole .lane/lane &&
                    echo "same $format"
            done
            """

        private static let testLane = """
            steps:
              - test:
                  coverage-lcov: .lane/lane.info
                  coverage-cobertura: .lane/lane.xml
                  coverage-html: .lane/lane.html

            """

        @Test("The coverage of merged shards is that of one run, with its thresholds")
        func coverageOfShards() async throws {
            let package = try MiniPackage(keepingBuildsAs: "packed-coverage")
            try package.directory.write(
                """
                public func size(_ number: Int) -> String {
                    if number < 0 {
                        return "negative"
                    }
                    return [0, 1].contains { $0 == number }
                        ? "small"
                        : "large"
                }

                """, to: "Sources/Mini/Size.swift")
            try package.directory.write(
                """
                import Mini
                import Testing

                @Test(arguments: 2...4) func large(number: Int) { #expect(size(number) == "large") }
                @Test func negative() { #expect(size(-1) == "negative") }
                @Test func small() { #expect(size(0) == "small") }
                @Test func greets() { #expect(greeting == "hello") }

                """, to: "Tests/MiniTests/MiniTests.swift")
            try await package.commit()
            try package.directory.write(
                "public let greeting = \"hello\"\npublic func unused() {}\n", to: "Sources/Mini/Mini.swift")
            let (run, _) = try await runScript(
                Self.coverageScript, lanes: ["test": Self.testLane], environment: buildEnvironment(), in: package,
                limit: .seconds(200))
            let text = run.text.replacing(/differ from [0-9a-f]+/, with: "differ from HASH")
            #expect(
                text == """
                    one run: status 1
                    ✘ test: the tests cover 88.8 % of the lines, less than 95.0 %
                        the tests cover 0.0 % of the changed lines, less than 50.0 %
                        Sources/Mini/Mini.swift:2

                    shards: status 1
                    ✘ test: the tests cover 88.8 % of the lines, less than 95.0 %
                        the tests cover 0.0 % of the changed lines, less than 50.0 %
                        Sources/Mini/Mini.swift:2
                    ✔ 4 tests in 1 suite: 4 passed
                    line coverage of each file
                      0.0 %  0/1  Sources/Mini/Mini.swift
                    100.0 %  8/8  Sources/Mini/Size.swift
                     88.8 %  8/9  all 2 files
                    line coverage of the lines that differ from HASH of 'HEAD'
                      0.0 %  0/1  Sources/Mini/Mini.swift:2
                    lane: status 1
                    same info
                    same xml
                    same html

                    """, "\(run.errorText)")
        }

        @Test("An archive that cannot run is refused before any test")
        func unusableArchives() async throws {
            let directory = try TemporaryDirectory()
            _ = try directory.write("not an archive", to: "bad.tar.gz")
            let bad = try await BuiltTool.lane.run(["test", "--from", "bad.tar.gz"], in: directory.path)
            #expect(bad.report.status == 65)
            #expect(
                redacted(bad.text) == """
                    ▸ test
                    ✘ test: the archive '<tmp>/bad.tar.gz' is damaged: not a complete gzip file (exit status 65)
                        hint: copy it again, or pack the tests again

                    ✘ test failed with exit status 65 after <time>
                      run test again: lane test

                    """)
            let missing = try await BuiltTool.lane.run(["test", "--list", "--from", "no.tar.gz"], in: directory.path)
            #expect(missing.report.status == 66)
            #expect(
                redacted(missing.errorText) == "error: could not read '<tmp>/no.tar.gz': No such file or directory\n")
            let package = try MiniPackage()
            let refused = try await BuiltTool.lane.run(
                ["test", "--archive", "a", "--through-swift-test"], in: package.path)
            #expect(refused.report.status == 64, "\(refused.text)")
            for words in [
                ["--archive", "a", "--from", "b"], ["--archive", "a", "--shard", "1/2"], ["--with-sources"],
            ] {
                let clash = try await BuiltTool.lane.run(["test"] + words, in: repositoryRoot)
                #expect(clash.report.status == 64, "\(words)")
            }
        }
    }
}
