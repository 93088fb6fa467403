import ActionFixtures
import Actions
import Events
import Expressions
import LaneModel
import OperatingSystem
import Release
import TestSupport
import Testing
import Text
import Versioning

/// Tests the pull request of a release at a fake GitHub, without a run of the whole program.
@Suite(.startsPrograms, .enabled(if: hasTool("curl"), "needs curl")) struct ProposalTests {
    /// A package with an unreleased note, and a remote that has its branch.
    private struct Fixture {
        let repository: GitFixture
        let gitHub: FakeGitHub
        let events = RecordedEvents()

        init() throws {
            repository = try GitFixture.package()
            gitHub = try FakeGitHub()
            try repository.write("# Changelog\n\n## [Unreleased]\n\n- Corners\n", to: "CHANGELOG.md")
            try repository.commit("Corners")
            try repository.shell("git init -q --bare ../remote && git remote add origin ../remote")
            try repository.git("push -q origin main")
        }

        /// Proposes 0.2.0, some days after the first day.
        func propose(day: Double = 0, apiReport: String? = nil) throws {
            let releases = PlannedReleases()
            if let apiReport { releases.setBreaks(1, report: apiReport) }
            let transaction = try repository.begin()
            defer { transaction.abandon() }
            let version: [String: Value] = ["version": .string("0.2.0")]
            let steps: [(any StepAction, [String: Value])] = [
                (BumpAction(), version), (ChangelogAction(), [:]), (CommitAction(), [:]), (PullRequestAction(), [:]),
            ]
            for (action, settings) in steps {
                try repository.run(
                    action, settings, parameters: version, transaction: transaction, events: events,
                    environment: gitHub.environment, releases: releases, now: GitFixture.now + day * 86_400,
                    wait: { _ in false })
            }
        }

        /// Returns the message of `require` in a lane that proposes 0.2.0, or `nil` if it finds no problem.
        func problem(isProposal: Bool = true) -> String? {
            repository.refusal(
                of: RequireAction(),
                ["publish-to": .string("github"), "pull-request": .bool(isProposal)],
                parameters: ["version": .string("0.2.0")],
                environment: gitHub.environment
            )?.message
        }

        var commit: String { get throws { String(try repository.git("ls-remote origin release/0.2.0").prefix(40)) } }

        var body: String { gitHub.state.pullRequests.last?.body ?? "" }

        /// Adds a note to the base branch.
        func addNote() throws {
            try repository.write("# Changelog\n\n## [Unreleased]\n\n- Corners\n- Edges\n", to: "CHANGELOG.md")
            try repository.commit("Edges")
            try repository.git("push -q origin main")
        }
    }

    @Test func theReportOnThePublicAPIIsShown() throws {
        let fixture = try Fixture()
        try fixture.propose()
        #expect(!fixture.body.contains("Public API"))
        try fixture.propose(apiReport: "error: 'Box.label(of:)' was removed\ncompiles with 0.1.0 only:")
        #expect(
            fixture.body.contains(
                """
                - Corners

                <details><summary>Public API</summary>

                ~~~~~~~~~~text
                error: 'Box.label(of:)' was removed
                compiles with 0.1.0 only:
                ~~~~~~~~~~

                </details>

                <details><summary>Edits</summary>

                ~~~~~~~~~~diff
                diff --git
                """))
        #expect(fixture.gitHub.state.pullRequests.count == 1)
    }

    @Test func anotherDayIsNoChange() throws {
        let fixture = try Fixture()
        try fixture.propose()
        let first = (commit: try fixture.commit, body: fixture.body)
        #expect(first.body.contains("+## [0.2.0] - 2026-11-21\n"))
        try fixture.propose(day: 1)
        #expect(try fixture.commit == first.commit)
        #expect(fixture.body == first.body)
        #expect(fixture.gitHub.state.writes == 1)

        try fixture.addNote()
        try fixture.propose(day: 1)
        #expect(try fixture.commit != first.commit)
        #expect(fixture.body.contains("+## [0.2.0] - 2026-11-22\n"))
    }

    @Test func editsOfTheTextAreKept() throws {
        let fixture = try Fixture()
        try fixture.propose()
        fixture.gitHub.state.pullRequests[0].title = "chore: release 0.2.0"
        fixture.gitHub.state.pullRequests[0].body = fixture.body.replacing("- Corners\n\n<", with: "- Corners!\n\n<")
        let edited = fixture.body
        try fixture.addNote()
        try fixture.propose()
        let commit = try fixture.commit
        #expect(fixture.body.lines.dropLast() == edited.lines.dropLast())
        #expect(fixture.body.lines.last?.contains(" \(commit) text: ") == true)
        #expect(fixture.gitHub.state.pullRequests[0].title == "chore: release 0.2.0")
        let warning = "someone has edited the text of the pull request, so it is not renewed: https://github.com/"
        #expect(fixture.events.messages.count { $0.hasPrefix(warning) } == 1)
        // The comment still names the commits of `lane`.
        try fixture.propose()
        #expect(try fixture.commit == commit)

        // Without any text, the pull request gets the current one, even if its comment is removed.
        fixture.gitHub.state.pullRequests[0].body = ""
        try fixture.propose()
        #expect(fixture.body.contains("- Corners\n- Edges\n\n<details>"))
        #expect(fixture.events.messages.count { $0.hasPrefix(warning) } == 2)
    }

    /// The checks before the tests of the package.
    @Test func obstaclesAreFoundBeforehand() throws {
        let fixture = try Fixture()
        #expect(fixture.problem() == nil)
        try fixture.propose()
        #expect(fixture.problem() == nil)

        try fixture.repository.commit("Not pushed")
        #expect(fixture.problem(isProposal: false) == nil)
        #expect(fixture.problem()?.hasPrefix("'main' is not at the same commit as in 'origin'") == true)
        try fixture.repository.git("push -q origin main")
        #expect(fixture.problem() == nil)

        try fixture.repository.shell(
            """
            git fetch -q origin release/0.2.0; git checkout -q FETCH_HEAD; git commit -q --allow-empty -m Theirs
            git push -q origin HEAD:release/0.2.0; git checkout -q main
            """)
        #expect(fixture.problem()?.hasPrefix("'origin' has commits of others in 'release/0.2.0'") == true)
        #expect(fixture.gitHub.state.writes == 1)

        fixture.gitHub.fault { _, request in
            request.path.hasSuffix("/pulls") ? .answer(LoopbackAnswer(403, #"{"message":"No access"}"#)) : nil
        }
        #expect(fixture.problem()?.contains("list the pull requests: 403 No access") == true)
        fixture.gitHub.beginAgain()
        try fixture.repository.git("remote set-url origin ../missing")
        #expect(fixture.problem()?.contains("missing") == true)
    }
}
