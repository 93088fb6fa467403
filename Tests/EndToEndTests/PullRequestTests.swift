import CLibrary
import OperatingSystem
import TestSupport
import Testing
import Text

extension EndToEnd {
    @Suite(
        "A release is proposed in a pull request, and made once after the merge",
        .enabled(if: hasTool("curl"), "needs curl"))
    struct PullRequestTests {
        private typealias Place = PublishingTests.Place

        private static let lane = PublishingTests.lane.replacing(
            "version: { type: version, position: 1 }",
            with: "version: { type: version, position: 1 }\n  pull-request: { type: bool, default: false }"
        ).replacing(
            "- commit: {}",
            with: "- changelog: {}\n  - commit: {}\n  - pull-request: {}\n    if: ${{ parameters.pull-request }}"
        ).replacing(
            "secrets: [GITHUB_TOKEN] }\n    if: ${{ parameters.publish }}",
            with: "secrets: [GITHUB_TOKEN], publish-to: github }\n"
                + "    if: ${{ parameters.publish || parameters.pull-request }}")

        private func place() async throws -> Place {
            let place = try await Place(lane: Self.lane)
            // Branches of the remote are no state of this repository.
            try await place.package.git("config", "remote.origin.fetch", "+refs/heads/main:refs/remotes/origin/main")
            try place.package.directory.write("# Changelog\n\n## [Unreleased]\n\n- Corners\n", to: "CHANGELOG.md")
            try await place.package.git("add", "-A")
            try await place.package.git("commit", "-q", "-m", "Corners")
            try await place.package.git("push", "-q", "origin", "main")
            return place
        }

        private func propose(_ place: Place, _ version: String = "0.2.0") async throws -> CapturedRun {
            try await place.lane("release", version, "--pull-request")
        }

        /// Returns the branches of the remote.
        private func branches(_ place: Place) async throws -> [String] {
            try await place.package.git("ls-remote", "--heads", "origin").lines.map { String($0.dropFirst(52)) }
        }

        /// Returns the commits of the remote branch, from the newest.
        private func branch(_ place: Place) async throws -> [String] {
            try await place.package.git("fetch", "-q", "origin", "+refs/heads/release/0.2.0:refs/heads/proposed")
            let commits = try await place.package.git("log", "--format=%s", "proposed").lines
            try await place.package.git("branch", "-q", "-D", "proposed")
            return commits
        }

        @Test("The pull request has version, notes and edits; a repetition renews it, and nothing changes here")
        func renewed() async throws {
            let place = try await place()
            let before = try await place.package.state()
            let run = try await propose(place)
            #expect(run.report.status == 0, "\(run.text)\(run.errorText)")
            #expect(
                run.text.contains(
                    "note: 0.2.0 is proposed, and this repository is unchanged: https://github.com/ada/sample/pull/1"),
                "\(run.text)")
            #expect(try await place.package.state() == before)
            let opened = try #require(place.gitHub.state.pullRequests.first)
            #expect(opened.title == "Release 0.2.0" && opened.base == "main" && opened.branch == "release/0.2.0")
            expectGolden(redacted(opened.body), "pull-request.md")
            #expect(try await branch(place) == ["Release 0.2.0", "Corners", "Mini: a greeting"])

            // A repetition without a change keeps the reviews, and publishes nothing.
            let first = try await place.package.git("ls-remote", "origin")
            let both = try await place.lane("release", "0.2.0", "--pull-request", "--publish")
            #expect(both.report.status == 0 && both.text.contains("when its pull request is merged"), "\(both.text)")
            #expect(try await place.package.git("ls-remote", "origin") == first)
            #expect(place.gitHub.state.writes == 1)

            try place.package.directory.write(
                "# Changelog\n\n## [Unreleased]\n\n- Corners\n- Edges\n", to: "CHANGELOG.md")
            try await place.package.git("commit", "-q", "-am", "Edges")
            try await place.package.git("push", "-q", "origin", "main")
            #expect(try await propose(place).report.status == 0)
            #expect(try await branch(place) == ["Release 0.2.0", "Edges", "Corners", "Mini: a greeting"])
            #expect(place.gitHub.state.pullRequests.map(\.number) == [1])
            #expect(place.gitHub.state.pullRequests[0].body.contains("- Edges\n"))

            // A closed one stays closed.
            place.gitHub.state.pullRequests[0].isOpen = false
            #expect(try await propose(place).report.status == 0)
            #expect(place.gitHub.state.pullRequests.map(\.isOpen) == [false, true])

            // A higher version replaces it. The button that updates the branch adds a merge, which is no work of others.
            try await place.package.git("commit", "-q", "--allow-empty", "-m", "Others")
            try await place.package.git("fetch", "-q", "origin", "release/0.2.0")
            try await place.package.git("checkout", "-q", "--detach")
            try await place.package.git("merge", "-q", "--no-ff", "-m", "Update", "FETCH_HEAD")
            try await place.package.git("push", "-q", "origin", "main", "HEAD:release/0.2.0")
            try await place.package.git("checkout", "-q", "main")
            let raised = try await propose(place, "1.0.0")
            let sentence =
                "note: 1.0.0 replaces 0.2.0, so its pull request was closed: https://github.com/ada/sample/pull/2"
            #expect(raised.report.status == 0 && raised.text.contains(sentence), "\(raised.text)\(raised.errorText)")
            #expect(try await branches(place) == ["main", "release/1.0.0"])
        }

        @Test("A token without the rights, and a remote that rejects the branch are reported")
        func refused() async throws {
            let place = try await place()
            let forbidden = LoopbackAnswer(403, #"{"message":"Resource not accessible"}"#)
            let invalid = LoopbackAnswer(422, #"{"message":"Validation Failed"}"#)
            let hint = "    hint: the token in GITHUB_TOKEN needs the permission 'pull-requests: write'\n"
            for (method, answer, text) in [
                ("GET", forbidden, "list the pull requests: 403 Resource not accessible (exit status 65)\n\(hint)"),
                ("POST", forbidden, "open a pull request: 403 Resource not accessible (exit status 65)\n\(hint)"),
                ("POST", invalid, "open a pull request: 422 Validation Failed (exit status 65)\n"),
            ] {
                place.gitHub.fault { _, request in
                    request.method == method && request.path.hasSuffix("/pulls") ? .answer(answer) : nil
                }
                let run = try await propose(place)
                #expect(run.report.status == 65 && run.text.contains("GitHub did not \(text)"), "\(run.text)")
            }
            try await place.package.git("push", "-q", "origin", ":release/0.2.0")
            try place.remote.write(
                "#!/bin/sh\necho 'no branches, please' >&2\nexit 1\n", to: "hooks/pre-receive", mode: 0o755)
            let rejected = try await propose(place)
            #expect(rejected.report.status == 65)
            #expect(
                rejected.text.contains(
                    "'origin' rejected the branch 'release/0.2.0': [remote rejected] (pre-receive hook declined)")
                    && rejected.text.contains("no branches, please"), "\(rejected.text)")
            #expect(place.gitHub.state.pullRequests.isEmpty)
        }

        @Test("Work of others is reported and not lost")
        func others() async throws {
            let place = try await place()
            let package = place.package
            #expect(try await propose(place).report.status == 0)
            let others = """
                'origin' has commits of others in 'release/0.2.0', which would be lost (exit status 65)
                    hint: merge the pull request, or delete the branch
                """
            try await package.git("fetch", "-q", "origin", "release/0.2.0")
            let own = try await package.git("rev-parse", "FETCH_HEAD").lines[0]
            // A commit of its own, an amended one, and a branch that was there before.
            let changes = [
                "git commit -q --allow-empty -m Theirs",
                "echo theirs > theirs; git add theirs; git commit -q --amend --no-edit --reset-author",
                // A merge of the base branch with another change
                "git merge -q --no-ff --no-commit origin/main; echo theirs > theirs; git add theirs; git commit -q -m Update",
            ]
            try await package.git("commit", "-q", "--allow-empty", "-m", "Others")
            try await package.git("push", "-q", "origin", "main")
            for change in changes {
                let script = """
                    git checkout -q \(own); \(change); git push -q -f origin HEAD:release/0.2.0
                    git checkout -q main
                    """
                let push = Command(
                    "/bin/sh", ["-ec", script], environment: plainEnvironment(), directory: package.path)
                try #require(try await capture(push).report.succeeded)
                let theirs = try await propose(place)
                #expect(theirs.report.status == 65 && theirs.text.contains(others), "\(theirs.text)")
            }
            // Without an open pull request, nothing tells whose the commits are.
            place.gitHub.state.pullRequests[0].isOpen = false
            let closed = try await propose(place)
            #expect(closed.report.status == 65 && closed.text.contains(others), "\(closed.text)")
            let ahead = try await package.git("ls-remote", "origin")
            try await package.git("commit", "-q", "--allow-empty", "-m", "Not pushed")
            let early = try await propose(place)
            #expect(
                early.report.status == 65 && early.text.contains("'main' is not at the same commit as in 'origin'"),
                "\(early.text)")
            #expect(try await package.git("ls-remote", "origin") == ahead)
        }

        @Test("Killed at any request, or without its answer, a repetition leaves one pull request", arguments: 1..<5)
        func killed(moment: Int) async throws {
            let place = try await place()
            let before = try await place.package.state()
            let pidFile = "\(place.remote.path)/pid"
            // The second release replaces the first.
            for version in ["0.2.0", "1.0.0"] {
                place.gitHub.beginAgain()
                place.seePushes { request in
                    guard moment < 4 else { return request == 3 ? .loseAnswer : nil }
                    guard request == moment else { return nil }
                    return .hangUpAfter {
                        let pid = (try? readText(pidFile))?.lines.first.flatMap { Int32($0) }
                        if let pid { kill(pid, SIGKILL) }
                    }
                }
                let script = "\"$0\" release \(version) --pull-request & echo $! > '\(pidFile)'; wait $!"
                let command = Command(
                    "/bin/sh", ["-c", script, BuiltTool.lane.path],
                    environment: plainEnvironment().merging(place.gitHub.environment) { $1 },
                    directory: place.package.path)
                #expect(try await capture(command).report.status == (moment < 4 ? 137 : 0))
                #expect(try await place.package.state() == before)
                place.gitHub.beginAgain()
                let run = try await propose(place, version)
                #expect(run.report.status == 0, "\(run.text)\(run.errorText)")
                #expect(place.gitHub.state.pullRequests.filter { $0.title == "Release \(version)" }.count == 1)
                #expect(try await branches(place) == ["main", "release/\(version)"])
                #expect(try await place.package.state() == before)
            }
        }

        /// Runs the steps of the generated workflow for a merged pull request, as GitHub does twice.
        @Test(
            "After a merge, squash or rebase, the workflow makes the release once",
            arguments: ["merge", "squash", "rebase"])
        func merged(way: String) async throws {
            let place = try await place()
            #expect(try await propose(place).report.status == 0)
            // Meanwhile, the main branch moves.
            try await place.package.git("commit", "-q", "--allow-empty", "-m", "Others")
            try await place.package.git("fetch", "-q", "origin", "release/0.2.0")
            switch way {
            case "merge":
                try await place.package.git("merge", "-q", "--no-ff", "-m", "Merge pull request #1", "FETCH_HEAD")
            case "squash":
                try await place.package.git("merge", "-q", "--squash", "FETCH_HEAD")
                try await place.package.git("commit", "-q", "-m", "A new version (#1)")
            default: try await place.package.git("cherry-pick", "FETCH_HEAD")
            }
            let merged = try await place.package.git("rev-parse", "HEAD").lines[0]
            try await place.package.git("commit", "-q", "--allow-empty", "-m", "Later")
            try await place.package.git("push", "-q", "origin", "main")
            let main = try await place.package.git("ls-remote", "origin", "refs/heads/main")
            let again = try await propose(place)
            #expect(again.report.status == 65 && again.text.contains("there is nothing to propose"), "\(again.text)")
            for attempt in 1...2 {
                place.gitHub.beginAgain()
                place.seePushes()
                let run = try await release(merged, of: place, isOneJob: way != "rebase")
                #expect(run.report.status == 0, "\(run.text)\(run.errorText)")
                #expect(place.isWhole)
                #expect((place.gitHub.state.writes == 0) == (attempt == 2))
            }
            #expect(try await place.package.git("ls-remote", "origin", "refs/heads/main") == main)
            #expect(try await place.package.git("ls-remote", "origin", "0.2.0^{}").hasPrefix(merged))
        }

        /// - Parameter isOneJob: `false` for the last job of a release that several machines build.
        private func release(_ commit: String, of place: Place, isOneJob: Bool) async throws -> CapturedRun {
            let clone = try TemporaryDirectory()
            let oneJob = "LANE_PARAMETER_VERSION=release/0.2.0 LANE_PARAMETER_PUBLISH=true sh -e ../run"
            let script = """
                git clone -q -b main '\(place.remote.path)' clone
                cp -R clone generated && cd generated
                LANE_REPOSITORY=https://example.com/lane.git "$0" ci generate > ../log
                sed -n '/name: Release the merged/,/GITHUB_ENV/p' .github/workflows/release.yml |
                    sed '1,/run: |/d; s/^ *//' > ../prepare
                sed -n '/^ *set --$/,/release --junit/p' .github/workflows/release.yml |
                    sed "s/^ *//; s|[^ ]*lane release|'$0' release|" > ../run
                cd ../clone && git checkout -q '\(commit)'
                git config user.name ada; git config user.email ada@example.org
                GITHUB_ENV=../environment BRANCH=main sh -e ../prepare
                . ../environment; export SOURCE_DATE_EPOCH
                \(isOneJob ? oneJob : #""$0" release 0.2.0; "$0" release 0.2.0 --publish"#)
                """
            let command = Command(
                "/bin/sh", ["-ec", script, BuiltTool.lane.path],
                environment: plainEnvironment().merging(place.gitHub.environment) { $1 }, directory: clone.path)
            return try await capture(command)
        }
    }
}
