import CLibrary
import OperatingSystem
import TestSupport
import Testing

extension EndToEnd {
    @Suite("A release is published once, even if the command is repeated", .enabled(if: hasTool("curl"), "needs curl"))
    struct PublishingTests {
        static let lane = """
            summary: Cut a release and publish it
            parameters:
              version: { type: version, position: 1 }
              publish: { type: bool, default: false }
            secrets: [GITHUB_TOKEN]
            transaction: true
            steps:
              - require: { clean: true, branch: main, version: "${{ parameters.version }}" }
              - require: { tools: [curl], secrets: [GITHUB_TOKEN] }
                if: ${{ parameters.publish }}
              - bump: { version: "${{ parameters.version }}" }
              - commit: {}
              - run: mkdir -p dist && cp Package.swift "dist/mini-$VERSION.txt"
                env: { VERSION: "${{ parameters.version }}" }
              - checksum: {}
              - tag: {}
            then:
              - publish: { to: github, push: true }
                if: ${{ parameters.publish }}

            """

        /// A lane whose files depend on the machine, and which makes a release of the files of other machines.
        static let partsLane = lane.replacing(
            "publish: { type: bool, default: false }",
            with: "publish: { type: bool, default: false }\n  parts: { type: path, default: '' }"
        ).replacing(
            "  - run: mkdir -p dist && cp Package.swift \"dist/mini-$VERSION.txt\"\n",
            with: """
                  - package: { parts: "${{ parameters.parts }}", sign: true }
                    if: ${{ parameters.parts != '' }}
                  - run: mkdir -p dist && cp Package.swift "dist/mini-$VERSION-$PLATFORM.txt"
                    if: ${{ parameters.parts == '' }}

                """
        ).replacing("- checksum: {}", with: "- checksum: {}\n    if: ${{ parameters.parts == '' }}")

        /// A package whose `origin` is a directory, and a fake GitHub server with the tags of that directory.
        struct Place {
            let package: MiniPackage
            let remote: TemporaryDirectory
            let gitHub: FakeGitHub

            /// - Parameter lane: The lane `release`, or `nil` for the built-in lanes.
            init(lane: String? = PublishingTests.lane) async throws {
                package = try MiniPackage(lanes: lane.map { ["release": $0] } ?? [:])
                remote = try TemporaryDirectory()
                gitHub = try FakeGitHub()
                try await package.commit()
                try await package.git("init", "-q", "--bare", remote.path)
                try await package.git("remote", "add", "origin", remote.path)
                seePushes()
            }

            /// Copies the tags of the remote to the server before every request.
            func seePushes(_ fault: @escaping @Sendable (Int) -> FakeGitHub.Fault? = { _ in nil }) {
                let path = "\(remote.path)/refs/tags/0.2.0"
                gitHub.fault { [gitHub] number, _ in
                    let object = (try? readText(path))?.split(separator: "\n").first.map(String.init)
                    gitHub.state.tags["0.2.0"] = object
                    return fault(number)
                }
            }

            func lane(_ words: String..., environment: [String: String] = [:]) async throws -> CapturedRun {
                let all = gitHub.environment.merging(environment) { $1 }.filter { !$0.value.isEmpty }
                return try await BuiltTool.lane.run(words, in: package.path, environment: all)
            }

            var isWhole: Bool {
                let releases = gitHub.state.releases
                return releases.count == 1 && !releases[0].isDraft
                    && releases[0].assets.map(\.name).sorted() == ["mini-0.2.0.txt", "mini-0.2.0.txt.sha256"]
                    && releases[0].assets.allSatisfy(\.isUploaded)
            }
        }

        @Test("Branch and tag are pushed together, the release has its files, and nothing shows the token")
        func whole() async throws {
            let place = try await Place()
            // A fake curl that records everything that other users of the machine can see.
            try place.package.directory.write(
                "#!/bin/sh\nenv >> '\(place.remote.path)/seen'; echo \"$*\" >> '\(place.remote.path)/seen'\n"
                    + "PATH=${PATH#*:} exec curl \"$@\"\n",
                to: ".lane/bin/curl", mode: 0o755)
            let path = "\(place.package.path)/.lane/bin:\(plainEnvironment()["PATH"] ?? "")"
            let run = try await place.lane(
                "release", "0.2.0", "--publish", "--verbose", "--events", ".lane/events.jsonl",
                environment: ["PATH": path])
            #expect(run.report.status == 0, "\(run.text)\(run.errorText)")
            #expect(place.isWhole)
            #expect(
                try await place.package.git("ls-remote", "origin", "refs/heads/main").contains(
                    try await place.package.git("rev-parse", "0.2.0^{commit}").prefix(40)))
            let seen = try place.remote.read("seen")
            #expect(seen.contains("--disable --config -"))
            for text in [seen, run.text, run.errorText, try place.package.directory.read(".lane/events.jsonl")] {
                #expect(!text.contains(FakeGitHub.token))
            }
        }

        @Test("Only 'publish' needs a token, and a missing one is reported before anything changes")
        func token() async throws {
            let place = try await Place()
            let before = try await place.package.state()
            let refused = try await place.lane("release", "0.2.0", "--publish", environment: ["GITHUB_TOKEN": ""])
            #expect(refused.report.status == 65)
            #expect(
                redacted(refused.text) == """
                    ▸ require
                    ▸ require
                    ✘ require: GITHUB_TOKEN has no value (exit status 65)
                        hint: set it in the environment
                    note: nothing has been changed in the repository

                    Steps
                      ✔ require  <time>
                      ✘ require  <time>  failed with exit status 65
                      ○ 6 steps        -  skipped: 'require' failed

                    ✘ release failed with exit status 65 after <time>

                    """)
            #expect(try await place.package.state() == before)
            let run = try await place.lane("release", "0.2.0", environment: ["GITHUB_TOKEN": ""])
            #expect(run.report.status == 0, "\(run.text)\(run.errorText)")
            #expect(place.gitHub.state.log.isEmpty)
        }

        @Test("Parts of machines without a token become one release, if they are of the same commit")
        func parts() async throws {
            let place = try await Place(lane: Self.partsLane)
            for (name, time) in [("linux-x86_64", "1795262400"), ("macos-arm64", "1795262401")] {
                let machine = try TemporaryDirectory()
                try await place.package.git("clone", "-q", place.package.path, "\(machine.path)/mini")
                // Another machine has neither the remote nor the token.
                let run = try await BuiltTool.lane.run(
                    ["release", "0.2.0"], in: "\(machine.path)/mini",
                    environment: ["SOURCE_DATE_EPOCH": time, "PLATFORM": name, "TZ": "Asia/Tokyo"])
                #expect(run.report.status == 0, "\(run.text)\(run.errorText)")
                let copy = Command(
                    "sh",
                    [
                        "-ec",
                        """
                        mkdir -p .lane/parts && cp -R '\(machine.path)/mini/dist' .lane/parts/\(name)
                        cd .lane/parts && sha256sum */*.manifest.json > parts.sha256
                        """,
                    ], environment: plainEnvironment(), directory: place.package.path)
                try #require(try await capture(copy).report.succeeded)
            }
            let before = try await place.package.state()
            let words = ["release", "0.2.0", "--publish", "--parts", ".lane/parts"]
            let environment = place.gitHub.environment.merging(["SOURCE_DATE_EPOCH": "1795262400"]) { $1 }
            let refused = try await BuiltTool.lane.run(words, in: place.package.path, environment: environment)
            #expect(refused.report.status == 65, "\(refused.text)")
            let sentence = "the part 'macos-arm64/checksums-0.2.0.manifest.json' is of the commit "
            #expect(refused.text.contains(sentence) && !refused.text.contains("'linux-x86_64"), "\(refused.text)")
            #expect(try await place.package.state() == before)
            #expect(place.gitHub.state.releases.isEmpty)
            // As if that machine had repeated its part at the time of the other one.
            let repeated = """
                cd .lane/parts && sed -i "s/  \\"commit\\": .*/$(grep '"commit"' linux*/*.manifest.json)/" \
                  macos*/*.manifest.json && sha256sum */*.manifest.json > parts.sha256
                """
            let repair = Command(
                "sh", ["-ec", repeated], environment: plainEnvironment(), directory: place.package.path)
            try #require(try await capture(repair).report.succeeded)
            let run = try await BuiltTool.lane.run(words, in: place.package.path, environment: environment)
            #expect(run.report.status == 0, "\(run.text)\(run.errorText)")
            #expect(run.text.contains("note: verified 2 parts: 'linux-x86_64' and 'macos-arm64'"), "\(run.text)")
            let names = ["mini-0.2.0-linux-x86_64.txt", "mini-0.2.0-macos-arm64.txt"]
            #expect(
                place.gitHub.state.releases.first?.assets.map(\.name).sorted()
                    == names.flatMap { [$0, $0 + ".sha256"] })
            #expect(place.gitHub.state.releases.first?.isDraft == false)
            #expect(try await place.package.git("log", "-1", "--format=%at %ct") == "1795262400 1795262400\n")
            try await expectRepetition(of: place)
        }

        /// Runs the last job of the generated workflow again after its push, when the branch has other commits. It gets a
        /// clone with all tags, and the same parts.
        private func expectRepetition(of place: Place) async throws {
            try await place.package.git("commit", "-q", "--allow-empty", "-m", "Later")
            try await place.package.git("push", "-q", "origin", "main")
            let clone = try TemporaryDirectory()
            let script = """
                git clone -q -b main '\(place.remote.path)' clone; cd clone; git reset -q --hard '0.2.0^'
                git config user.name Ada; git config user.email ada@example.org
                mkdir .lane; cp -R '\(place.package.path)/.lane/parts' .lane/parts
                cp -R . ../generated; cd ../generated
                LANE_REPOSITORY=https://example.com/lane.git "$0" ci generate > /dev/null
                sed -n '/Forget the tag/,/done/p' .github/workflows/release.yml | sed '1,2d; s/^ *//' > ../forget
                cd ../clone; sh -e ../forget
                "$0" release 0.2.0 --parts .lane/parts
                "$0" release 0.2.0 --publish
                """
            let environment = place.gitHub.environment.merging(["SOURCE_DATE_EPOCH": "1795262400"]) { $1 }
            let command = Command(
                "/bin/sh", ["-ec", script, BuiltTool.lane.path],
                environment: plainEnvironment().merging(environment) { $1 }, directory: clone.path)
            let run = try await capture(command)
            #expect(run.report.succeeded && run.text.contains("the release is public"), "\(run.text)\(run.errorText)")
        }

        @Test("A plan sends no request")
        func plan() async throws {
            let place = try await Place()
            let run = try await place.lane("release", "0.2.0", "--publish", "--plan")
            #expect(run.report.status == 0)
            let server = place.gitHub.environment["GITHUB_API_URL"] ?? ""
            expectGolden(redacted(run.text, replacing: [server: "<server>"]), "publish-plan.txt")
            #expect(place.gitHub.state.log.isEmpty)
        }

        /// A normal run kills it at every nth request. `LANE_PROPERTY_CASES=100x` kills it at each of them.
        @Test(
            "Killed at any request, a repeated step completes the release, and a further one changes nothing")
        func killed() async throws {
            let trial = try await Place()
            _ = try await trial.lane("release", "0.2.0", "--publish")
            let count = trial.gitHub.state.log.count
            #expect(count > 6)
            let settings = PropertySettings(name: "killed", cases: 4)
            let stride = (count + settings.cases - 1) / settings.cases
            let first = Int(settings.seed % UInt64(stride))
            for (number, moment) in Swift.stride(from: first, to: count, by: stride).enumerated() {
                let place = try await Place()
                // A killed process does not clean up.
                let scratch = try TemporaryDirectory()
                let pidFile = "\(place.remote.path)/pid"
                place.seePushes { request in
                    guard request == moment else { return nil }
                    return .hangUpAfter {
                        let pid = (try? readText(pidFile))?.split(separator: "\n").first.flatMap { Int32($0) }
                        if let pid { kill(pid, SIGKILL) }
                    }
                }
                let script = "\"$0\" release 0.2.0 --publish & echo $! > '\(pidFile)'; wait $!"
                let command = Command(
                    "/bin/sh", ["-c", script, BuiltTool.lane.path],
                    environment: plainEnvironment().merging(place.gitHub.environment) { $1 }
                        .merging(["TMPDIR": scratch.path]) { $1 },
                    directory: place.package.path)
                #expect(try await capture(command).report.status == 137)
                place.gitHub.beginAgain()
                place.seePushes()
                // The two ways to continue.
                let words = number.isMultiple(of: 2) ? ["--step", "release/publish"] : ["--resume"]
                let run = try await BuiltTool.lane.run(
                    ["release", "0.2.0", "--publish"] + words, in: place.package.path,
                    environment: place.gitHub.environment)
                #expect(run.report.status == 0, "\(moment): \(run.text)\(run.errorText)")
                #expect(place.isWhole, "\(moment)")
                place.gitHub.beginAgain()
                place.seePushes()
                let again = try await place.lane("release", "0.2.0", "--publish", "--step", "release/publish")
                #expect(again.text.contains("the release is public with all its files"), "\(again.text)")
                #expect(place.gitHub.state.writes == 0)
            }
        }

        @Test("Commits that another person has pushed are not lost")
        func neverForced() async throws {
            let place = try await Place()
            try await place.package.git("push", "-q", "origin", "main:main")
            try await place.package.git("commit", "-q", "--allow-empty", "-m", "Theirs")
            try await place.package.git("push", "-q", "origin", "main:main")
            let theirs = try await place.package.git("rev-parse", "HEAD")
            try await place.package.git("reset", "-q", "--hard", "HEAD^")
            let run = try await place.lane("release", "0.2.0", "--publish")
            #expect(run.report.status == 65)
            expectGolden(redacted(run.text), "refused-push.txt")
            #expect(try await place.package.git("ls-remote", "origin").hasPrefix(theirs.prefix(40)))
            #expect(try await !place.package.git("ls-remote", "origin").contains("0.2.0"))
            #expect(place.gitHub.state.log.isEmpty)
        }
    }
}
