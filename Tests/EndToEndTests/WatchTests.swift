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

        /// Starts the watch of the lane `t` in the background. `runs N` waits until N runs have started, `rest N` until
        /// the watch waits for changes for the Nth time.
        private static let functions = """
            set -m
            watch() { : >.out; "$0" t --watch >.out 2>&1 & lane=$!; }
            runs() { until [ "$(grep -c '^tested' .out)" -ge "$1" ]; do sleep 0.02; kill -0 $lane || exit 1; done; }
            rest() { until [ "$(grep -c 'waiting for' .out)" -ge "$1" ]; do sleep 0.02; kill -0 $lane || exit 1; done; }
            stop() { kill -INT $lane; wait $lane; grep -E '^tested|^changed|run changes' .out; }

            """

        /// A save during each of several runs; the last one also gets a run.
        @Test func theLastSaveGetsARun() async throws {
            let (run, _) = try await runScript(
                Self.functions + """
                    echo 0 >src.txt
                    watch
                    for version in 1 2 3 4 5; do runs $version; echo $version >src.txt; sleep 0.5; done
                    runs 6; rest 1; stop
                    """,
                lanes: ["t": "steps:\n  - run: echo \"tested $(cat src.txt)\"; sleep 0.3\n"])
            let tested = run.text.split(separator: "\n").filter { $0.hasPrefix("tested") }
            #expect(tested.last == "tested 5", "\(run.text)\(run.errorText)")
        }

        /// A run writes a file with the same contents, and a declared output with other contents.
        @Test func whatARunWritesStartsNoRun() async throws {
            let (run, _) = try await runScript(
                Self.functions + """
                    echo 0 >src.txt; echo made >same.txt
                    watch; rest 1
                    echo 1 >src.txt
                    rest 2; sleep 0.3; stop
                    """,
                lanes: [
                    "t": """
                    steps:
                      - run: echo "tested $(cat src.txt)"; echo made >same.txt; cp src.txt copy.txt
                        inputs: [src.txt]
                        outputs: [copy.txt]

                    """
                ])
            #expect(run.text == "tested 0\nchanged: src.txt\ntested 1\n", "\(run.errorText)")
        }

        @Test func allDeclaredFilesStartRuns() async throws {
            let (run, _) = try await runScript(
                Self.functions + """
                    git init -q; echo '/made' >.gitignore; mkdir -p made Sources/build ../beside-$$ .hidden
                    for file in made/a .env .hidden/a Sources/build/a ../beside-$$/a; do echo A=0 >$file; done
                    sed -i "s/BESIDE/beside-$$/" Lanes/t.yml
                    watch; rest 1; n=1
                    for file in made/a .env .hidden/a Sources/build/a ../beside-$$/a; do
                        echo A=1 >$file; n=$((n+1)); rest $n
                    done
                    stop | sed "s/$$/PID/"; rm -r ../beside-$$
                    """,
                lanes: [
                    "t": """
                    dotenv: [.env]
                    steps:
                      - run: echo tested
                        inputs: [made/a, ".hidden/*", "../BESIDE/**"]

                    """
                ])
            let changed = run.text.split(separator: "\n").filter { $0.hasPrefix("changed") }
            #expect(
                changed == [
                    "changed: made/a", "changed: .env", "changed: .hidden/a", "changed: Sources/build/a",
                    "changed: ../beside-PID/a",
                ], "\(run.text)\(run.errorText)")
        }

        private func started(in file: String, of package: MiniPackage) throws -> [String] {
            try package.directory.read(file).split(separator: "\n").compactMap { line in
                let event = try JSONParser.parse(Array(line.utf8))
                return event["event"]?.string == "testStarted" ? event["test"]?["name"]?.string : nil
            }
        }
    }
}
