import OperatingSystem
import TestSupport
import Testing

extension EndToEnd {
    @Suite(
        "Publishing is checked first and can be continued from any point", .enabled(if: hasTool("curl"), "needs curl"))
    struct PublishContinuationTests {
        private typealias Place = PublishingTests.Place

        private static let checked = PublishingTests.lane.replacing(
            "secrets: [GITHUB_TOKEN] }", with: "secrets: [GITHUB_TOKEN], publish-to: github }")

        /// Pushes a commit from another clone.
        private func theirs(_ place: Place) async throws {
            try await place.package.git("push", "-q", "origin", "main:main")
            try await place.package.git("checkout", "-q", "-b", "theirs")
            try place.package.directory.write("theirs\n", to: "theirs.txt")
            try await place.package.git("add", "-A")
            try await place.package.git("commit", "-q", "-m", "feat: Theirs")
            try await place.package.git("push", "-q", "origin", "theirs:main")
            try await place.package.git("checkout", "-q", "main")
            try await place.package.git("branch", "-q", "-D", "theirs")
        }

        @Test("The remote, its tags, the token and the repository are checked before the build")
        func preflight() async throws {
            let place = try await Place(lane: Self.checked)
            try await theirs(place)
            try await place.package.git("push", "-q", "origin", "main:refs/tags/0.2.0")
            let before = try await place.package.state()
            for words in [["release", "0.2.0", "--publish"], ["release", "0.2.0", "--publish", "--plan"]] {
                place.gitHub.beginAgain()
                let run = try await BuiltTool.lane.run(
                    words, in: place.package.path,
                    environment: place.gitHub.environment.merging(["GITHUB_TOKEN": "wrong"]) { $1 })
                #expect(run.report.status == 65, "\(run.text)\(run.errorText)")
                for problem in [
                    "'origin' has commits in 'main' that are not in this repository",
                    "'origin' already has a tag '0.2.0'",
                    "GitHub rejected the token in GITHUB_TOKEN",
                ] { #expect(run.text.contains(problem), "\(run.text)") }
                #expect(place.gitHub.state.log.count == 1)
                #expect(try await place.package.state() == before)
            }
            let unknown = try await place.lane(
                "release", "0.2.0", "--publish", environment: ["GITHUB_REPOSITORY": "ada/none"])
            #expect(
                redacted(unknown.text) == """
                    ▸ require
                    ▸ require
                    ✘ require: 3 problems (exit status 65)
                        - 'origin' has commits in 'main' that are not in this repository
                          hint: git pull --rebase origin main
                        - 'origin' already has a tag '0.2.0'
                        - GitHub did not return the repository 'ada/none': 404 Not Found
                          hint: the repository does not exist, or the token in GITHUB_TOKEN has no access to it
                    note: nothing has been changed in the repository

                    Steps
                      ✔ require  <time>
                      ✘ require  <time>  failed with exit status 65
                      ○ 6 steps        -  skipped: 'require' failed

                    ✘ release failed with exit status 65 after <time>

                    """)
            try await place.package.git("remote", "set-url", "origin", "\(place.remote.path)/nowhere")
            let away = try await place.lane("release", "0.2.0", "--publish")
            #expect(
                redacted(away.text) == """
                    ▸ require
                    ▸ require
                    ✘ require: pushing to 'origin' would fail: fatal: '<tmp>/nowhere' does not appear to be a git repository (exit status 65)
                    note: nothing has been changed in the repository

                    Steps
                      ✔ require  <time>
                      ✘ require  <time>  failed with exit status 65
                      ○ 6 steps        -  skipped: 'require' failed

                    ✘ release failed with exit status 65 after <time>

                    """)
            #expect(try await place.package.state() == before)
        }

        @Test(
            "After a refused push, merging, rebasing and undoing the release all work",
            arguments: ["merge", "rebase", "abort"])
        func refusedPush(way: String) async throws {
            let place = try await Place()
            try await theirs(place)
            let before = try await place.package.state()
            let refused = try await place.lane("release", "0.2.0", "--publish")
            #expect(refused.report.status == 65)
            expectGolden(redacted(refused.text), "refused-push.txt")
            // Without the option git asks for it.
            if way == "abort" {
                let run = try await place.lane("release", "--abort")
                #expect(run.report.status == 0, "\(run.errorText)")
                #expect(try await place.package.state() == before)
                #expect(try listDirectory("\(place.package.path)/dist").filter { !$0.hasSuffix(".json") } == [])
                try await place.package.git("pull", "-q", "--rebase", "origin", "main")
            } else {
                try await place.package.git("pull", "-q", way == "merge" ? "--no-rebase" : "--rebase", "origin", "main")
            }
            let run = try await place.lane("release", "0.2.0", "--publish", way == "abort" ? "--verbose" : "--resume")
            #expect(run.report.status == 0, "\(run.text)\(run.errorText)")
            #expect(place.isWhole)
            let subjects = try await place.package.git("log", "--format=%s", "origin/main")
            #expect(subjects.split(separator: "\n").filter { $0 == "Release 0.2.0" }.count == 1)
            #expect(
                try await place.package.git("merge-base", "0.2.0", "main") == place.package.git("rev-parse", "0.2.0^{}")
            )
            #expect(
                try await place.package.git("ls-tree", "--name-only", "0.2.0").contains("theirs") == (way != "merge"))
        }

        @Test("Another release is refused until the last one is published", arguments: ["--no-rebase", "--rebase"])
        func unpublished(way: String) async throws {
            let place = try await Place(
                lane: PublishingTests.lane.replacing("position: 1 }", with: "position: 1, default: auto }")
                    .replacing("VERSION: \"${{ parameters.version }}\"", with: "VERSION: 0.2.0"))
            try await place.package.git("tag", "0.1.0")
            try await place.package.git("commit", "-q", "--allow-empty", "-m", "feat: Ours")
            try await theirs(place)
            #expect(try await place.lane("release", "--publish").report.status == 65)
            try await place.package.git("pull", "-q", way, "origin", "main")
            let before = try await place.package.state()
            for words in [["release", "--publish"], ["release", "0.3.0", "--publish"]] {
                let run = try await BuiltTool.lane.run(
                    words, in: place.package.path, environment: place.gitHub.environment)
                #expect(run.report.status == 65)
                #expect(
                    run.errorText == """
                        error: the release '0.2.0' exists, but its publication was not finished
                        hint: run the same command with --resume; 'lane release --abort' undoes it

                        """)
                #expect(try await place.package.state() == before)
            }
            let run = try await place.lane("release", "--publish", "--resume")
            #expect(run.report.status == 0, "\(run.text)\(run.errorText)")
            #expect(place.isWhole)
            #expect(try await place.package.git("tag", "--list") == "0.1.0\n0.2.0\n")
        }

        @Test("A release that was cut without publishing it is not passed over")
        func cutOnly() async throws {
            let place = try await Place()
            #expect(try await place.lane("release", "0.2.0").report.status == 0)
            let refused = try await place.lane("release", "0.3.0", "--publish")
            #expect(refused.report.status == 65)
            #expect(refused.errorText.contains("the release '0.2.0' exists only in this repository"))
            try await place.package.git("push", "-q", "origin", "main", "0.2.0")
            // The simulated server has no tag 0.3.0, so only its creation is checked.
            _ = try await place.lane("release", "0.3.0", "--publish")
            #expect(try await place.package.git("tag", "--list") == "0.2.0\n0.3.0\n")
        }

        @Test("A release that exists only locally is published, even with a later commit", arguments: [false, true])
        func onlyHere(hasMore: Bool) async throws {
            let place = try await Place()
            #expect(try await place.lane("release", "0.2.0").report.status == 0)
            if hasMore { try await place.package.git("commit", "-q", "--allow-empty", "-m", "More") }
            let head = try await place.package.git("rev-parse", "HEAD")
            for _ in 1...2 {
                let run = try await place.lane("release", "0.2.0", "--publish")
                #expect(run.report.status == 0, "\(run.text)\(run.errorText)")
                #expect(place.isWhole)
                #expect(try await place.package.git("rev-parse", "HEAD") == head)
            }
            let other = try await place.lane("release", "0.1.0", "--publish")
            #expect(other.report.status == 65)
        }

        @Test(
            "Killed while branch and tag move, it publishes with --resume",
            arguments: ["*update-ref*", "*'read-tree -m'*", "*'for-each-ref --points-at'*"], ["before", "after"])
        func killed(call: String, way: String) async throws {
            let place = try await Place()
            let script = #"""
                unset LANE_CHILD
                mkdir "$ROOT/bin"; real=$(command -v git)
                cat > "$ROOT/bin/git" <<END
                #!/bin/bash
                case "\$*" in
                    $CALL) [ $WAY = before ] || "$real" "\$@"; kill -KILL \$(cat "$ROOT/lane") \$PPID \$\$ ;;
                esac
                exec "$real" "\$@"
                END
                chmod +x "$ROOT/bin/git"
                (echo $BASHPID > "$ROOT/lane"; PATH="$ROOT/bin:$PATH" exec "$0" release 0.2.0 --publish)
                echo "status $?"
                "$0" release 0.2.0 --publish --resume || echo "resumed: $?"
                """#
            let scratch = try TemporaryDirectory()
            let environment = plainEnvironment().merging(place.gitHub.environment) { $1 }
                .merging(["ROOT": scratch.path, "CALL": call, "WAY": way]) { $1 }
            let run = try await capture(
                Command(
                    "bash", ["-c", script, BuiltTool.lane.path], environment: environment,
                    directory: place.package.path))
            #expect(run.text.contains("status 137"), "\(run.text)")
            #expect(!run.text.contains("resumed:"), "\(run.text)\(run.errorText)")
            #expect(place.isWhole)
            #expect(try await place.package.git("status", "--porcelain") == "")
        }

        /// The interruptions are spread over the measured time of a release. `LANE_PROPERTY_CASES=60` makes 60 of them.
        @Test("Killed at any moment, nothing half is public, and the repeated command completes the release")
        func killedAtAnyMoment() async throws {
            let trial = try await Place()
            let whole = try await ContinuousClock().measure {
                _ = try await trial.lane("release", "0.2.0", "--publish")
            }
            #expect(trial.isWhole)
            let count = PropertySettings(name: "moments", cases: 3).cases
            for moment in 1...count {
                let place = try await Place()
                let scratch = try TemporaryDirectory()
                let script = """
                    "$0" release 0.2.0 --publish & lane=$!
                    sleep "$1"; kill -KILL $lane; wait $lane; sleep 0.3
                    """
                let command = Command(
                    "/bin/sh", ["-c", script, BuiltTool.lane.path, "\(whole * moment / count / .seconds(1))"],
                    environment: plainEnvironment().merging(place.gitHub.environment) { $1 }
                        .merging(["TMPDIR": scratch.path]) { $1 },
                    directory: place.package.path)
                _ = try await capture(command)
                let isPublic = place.gitHub.state.releases.contains { !$0.isDraft }
                #expect(!isPublic || place.isWhole, "killed after \(moment) of \(count) parts")
                let run = try await place.lane("release", "0.2.0", "--publish")
                #expect(run.report.status == 0, "\(moment) of \(count): \(run.text)\(run.errorText)")
                #expect(place.isWhole, "killed after \(moment) of \(count) parts")
                #expect(try await place.package.git("status", "--porcelain") == "")
            }
        }
    }
}
