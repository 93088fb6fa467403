import OperatingSystem
import TestSupport
import Testing
import Text

extension EndToEnd {
    @Suite("A release is applied completely or not at all")
    struct ReleaseTests {
        /// The steps of a release, without the compiler, so that eleven releases take seconds.
        private static let lane = """
            summary: Cut a release
            parameters:
              version: { type: version, position: 1, help: The next version }
            transaction: true
            steps:
              - require: { clean: true, branch: main, version: "${{ parameters.version }}" }
              - bump: { version: "${{ parameters.version }}", files: [Sources/Mini/MiniVersion.swift] }
              - changelog: {}
              - commit: {}
              - run: mkdir -p dist && cp Package.swift dist/
              - run: [sleep, "0.1"]
              - tag: {}

            """

        private func released() async throws -> MiniPackage {
            let package = try MiniPackage(lanes: ["release": Self.lane])
            try package.directory.write("# Changelog\n\n## [Unreleased]\n", to: "CHANGELOG.md")
            try await package.commit()
            return package
        }

        @Test("Branch, tag, version and changelog move together")
        func success() async throws {
            let package = try await released()
            let run = try await BuiltTool.lane.run(["release", "0.2.0"], in: package.path)
            #expect(run.report.status == 0, "\(run.errorText)")
            let commit = String(try await package.git("rev-parse", "--short=9", "HEAD").dropLast())
            #expect(
                redacted(run.text, replacing: [commit: "<commit>"]) == """
                    ▸ require
                    ▸ bump
                    note: Sources/Mini/MiniVersion.swift:2: 0.1.0 → 0.2.0

                    ▸ changelog
                    ▸ commit
                    ▸ mkdir -p dist && cp Package.swift dist/
                    ▸ sleep 0.1
                    ▸ tag
                    note: 'main' is at <commit> now, with the tag '0.2.0'

                    Steps
                      ✔ require                                  <time>
                      ✔ bump                                     <time>
                      ✔ changelog                                <time>
                      ✔ commit                                   <time>
                      ✔ mkdir -p dist && cp Package.swift dist/  <time>
                      ✔ sleep 0.1                                <time>
                      ✔ tag                                      <time>

                    ✔ release passed in <time>

                    """)
            #expect(try await package.git("tag", "--list") == "0.2.0\n")
            #expect(try await package.git("rev-parse", "0.2.0^{commit}") == package.git("rev-parse", "main"))
            #expect(try await package.git("cat-file", "-t", "0.2.0") == "tag\n")
            #expect(try await package.git("status", "--porcelain") == "")
            #expect(
                try package.directory.read("Sources/Mini/MiniVersion.swift") == """
                    public enum MiniVersion {
                        public static let current = "0.2.0"
                    }

                    """)
            #expect(
                try redacted(package.directory.read("CHANGELOG.md")) == """
                    # Changelog

                    ## [Unreleased]

                    ## [0.2.0] - <date>

                    ### Changed

                    - Mini: a greeting

                    """)
            #expect(try await package.git("worktree", "list").split(separator: "\n").count == 1)
        }

        /// A call of git takes milliseconds, and many more in a large repository.
        @Test("A release asks git once for each fact")
        func callsOfGit() async throws {
            let package = try await released()
            try await package.git("remote", "add", "origin", "https://github.com/example/mini.git")
            try await package.git("tag", "-a", "0.1.0", "-m", "Release 0.1.0")
            try await package.git("commit", "-q", "--allow-empty", "-m", "feat: Add a greeting")
            // The second release also checks that HEAD is a descendant of the first one.
            for (version, most) in [("minor", 24), ("0.3.0", 25)] {
                let calls = try await callsOfGit(in: package, releasing: version)
                #expect(calls.count <= most, "\(calls.count) calls:\n\(calls.joined(separator: "\n"))")
            }
            #expect(try await package.git("tag", "--list") == "0.1.0\n0.2.0\n0.3.0\n")
        }

        /// Runs a release with a `git` that records its arguments.
        private func callsOfGit(in package: MiniPackage, releasing version: String) async throws -> [String] {
            let tools = try TemporaryDirectory()
            let path = plainEnvironment()["PATH"] ?? ""
            let script = "#!/bin/sh\nprintf '%s\\n' \"$*\" >> '\(tools.path)/log'\nPATH='\(path)' exec git \"$@\"\n"
            try tools.write(script, to: "git", mode: 0o755)
            let run = try await BuiltTool.lane.run(
                ["release", version], in: package.path, environment: ["PATH": "\(tools.path):\(path)"])
            #expect(run.report.status == 0, "\(run.text)\(run.errorText)")
            return try tools.read("log").split(separator: "\n").map(String.init)
        }

        @Test("An interrupted release removes its worktree and reports it", arguments: [true, false])
        func ended(byHand: Bool) async throws {
            let step = byHand ? "kill -INT $PPID; sleep 600" : "exit 3"
            let package = try MiniPackage(lanes: [
                "release": """
                transaction: true
                steps:
                  - parallel:
                      - run: sleep 1; \(step)
                      - run: sleep 600
                  - tag: {}

                """
            ])
            try await package.commit()
            let run = try await BuiltTool.lane.run(["release", "--fail-fast", "--jobs", "2"], in: package.path)
            #expect(run.report.status == (byHand ? 130 : 3), "\(run.errorText)")
            #expect(run.text.contains("note: nothing has been changed in the repository\n"), "\(run.text)")
            #expect(try await package.git("worktree", "list").split(separator: "\n").count == 1)
            #expect(try listDirectory("\(package.path)/.git/lane") == ["lock"])
        }

        @Test("The archives of one release do not make the checkout dirty for the next")
        func twoInARow() async throws {
            let lane = """
                parameters:
                  version: { type: version, position: 1 }
                transaction: true
                steps:
                  - require: { clean: true, version: "${{ parameters.version }}" }
                  - bump: { version: "${{ parameters.version }}" }
                  - commit: {}
                  - package: { verify: false }
                  - tag: {}

                """
            let package = try MiniPackage(lanes: ["release": lane], keepingBuildsAs: "two-releases")
            try package.directory.write(".build/\n.lane/\n", to: ".gitignore")
            try await package.commit()
            for version in ["0.2.0", "0.3.0"] {
                let run = try await BuiltTool.lane.run(["release", version], in: package.path)
                #expect(run.report.status == 0, "\(run.text)\(run.errorText)")
                #expect(try await package.git("status", "--porcelain") == "")
            }
            let archives = try listDirectory("\(package.path)/dist").filter { $0.hasSuffix(".tar.gz") }
            #expect(archives.count == 2)
        }

        @Test("A version that is not greater, uncommitted changes and another branch are refused in one list")
        func refused() async throws {
            let package = try await released()
            _ = try await BuiltTool.lane.run(["release", "0.2.0"], in: package.path)
            try await package.git("checkout", "-q", "-b", "side")
            try package.directory.write("\n", to: "Sources/Mini/New.swift")
            let before = try await package.state()
            let run = try await BuiltTool.lane.run(["release", "0.1.0"], in: package.path)
            #expect(run.report.status == 65)
            #expect(try await package.state() == before)
            expectGolden(
                redacted(run.text + run.errorText, replacing: [package.path: "<package>"]), "refused-release.txt")
        }

        @Test("A plan changes nothing, and shows the edits that the release then makes")
        func plan() async throws {
            let package = try await released()
            let before = try await package.state()
            let run = try await BuiltTool.lane.run(["release", "0.2.0", "--plan"], in: package.path)
            #expect(run.report.status == 0)
            expectGolden(redacted(run.text), "release-plan.txt")
            let json = try await BuiltTool.lane.run(["release", "0.2.0", "--plan", "--json"], in: package.path).text
            #expect(try await package.state() == before)
            #expect(!fileExists("\(package.path)/.lane"))
            let steps = try #require(JSONParser.parse(Array(json.utf8))["steps"]?.array)
            let edits = steps.flatMap { $0["details"]?.array ?? [] }.compactMap { $0["diff"]?.string }
            #expect(edits.count == 2)
            try package.directory.write(edits.joined(), to: ".lane/edits.patch")
            try await package.git("apply", "-p0", "--cached", ".lane/edits.patch")
            let planned = try await package.git("write-tree")
            try await package.git("reset", "-q")
            _ = try await BuiltTool.lane.run(["release", "0.2.0"], in: package.path)
            #expect(try await package.git("rev-parse", "0.2.0^{tree}") == planned)
        }

        @Test("A release whose step fails changes nothing")
        func failure() async throws {
            let package = try await released()
            let text = Self.lane.replacing("sleep, \"0.1\"", with: "sh, -c, exit 7")
            try package.directory.write(text, to: "Lanes/release.yml")
            try await package.git("commit", "-qam", "Mini: a release that fails")
            let before = try await package.state()
            let run = try await BuiltTool.lane.run(["release", "0.2.0"], in: package.path)
            #expect(run.report.status == 7)
            #expect(try await package.state() == before)
            #expect(try await package.git("worktree", "list").split(separator: "\n").count == 1)
        }

        /// The interruptions are spread over the measured time of a release. `LANE_PROPERTY_CASES` changes their number. The
        /// expectations hold for all of them.
        @Test("Killed at any moment, the repository is as before or released, and the next release works")
        func killed() async throws {
            let clock = ContinuousClock()
            let trial = try await released()
            let whole = try await clock.measure {
                _ = try await BuiltTool.lane.run(["release", "0.2.0"], in: trial.path)
            }
            var interrupted = 0
            let count = PropertySettings(name: "killed", cases: 4).cases
            for moment in 1...count {
                let package = try await released()
                let before = try await package.state()
                try await kill(after: whole * moment / count, in: package)
                let after = try await package.state()
                let isReleased = try await package.git("tag", "--list") == "0.2.0\n"
                if isReleased {
                    #expect(try await package.git("rev-parse", "0.2.0^{commit}") == package.git("rev-parse", "main"))
                } else {
                    interrupted += 1
                    #expect(after == before, "killed after \(moment) of \(count) parts")
                }
                let next = try await BuiltTool.lane.run(["release", "0.3.0"], in: package.path)
                #expect(next.report.status == 0, "\(next.errorText)")
                #expect(try await package.git("status", "--porcelain") == "")
                #expect(try await package.git("worktree", "list").split(separator: "\n").count == 1)
            }
            #expect(interrupted > 0)
        }

        /// Kills `lane` alone. Its processes continue for a while, as when the system runs out of memory.
        private func kill(after delay: Duration, in package: MiniPackage) async throws {
            let script = """
                "$0" release 0.2.0 & lane=$!
                sleep "$1"
                kill -KILL $lane || true
                wait $lane || true
                sleep 0.3
                """
            let seconds = delay / .seconds(1)
            let command = Command(
                "/bin/sh", ["-c", script, BuiltTool.lane.path, "\(seconds)"], environment: plainEnvironment(),
                directory: package.path)
            #expect(try await capture(command).report.succeeded)
        }
    }
}
