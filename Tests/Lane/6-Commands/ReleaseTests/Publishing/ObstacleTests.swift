import ActionFixtures
import Actions
import Expressions
import LaneModel
import OperatingSystem
import Release
import TestSupport
import Testing

/// Tests of the causes of failed commits in messages.
@Suite(.startsPrograms) struct ObstacleTests {
    @Test func aLockOfGitIsNamedBeforeAnythingIsBuilt() throws {
        let fixture = try GitFixture.package()
        try fixture.shell("touch .git/index.lock")
        let failure = fixture.refusal(of: RequireAction(), ["version": .string("0.2.0")])
        #expect(
            failure?.message == """
                git is running in this checkout, or was killed: '\(fixture.path)/.git/index.lock' exists
                hint: if no git is running, remove it
                """)
        #expect(failure?.status == 65)
    }

    @Test func aHookIsNamed() throws {
        let fixture = try GitFixture.package()
        try fixture.shell(
            "mkdir .git/hooks; printf '#!/bin/sh\\nexit 1\\n' > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit; echo > new"
        )
        let failure = fixture.refusal(of: CommitAction(), ["message": .string("more")])
        #expect(failure?.message == "a hook of the repository refused the commit ('pre-commit'): status 1")
    }

    @Test func aSignatureIsNamed() throws {
        let fixture = try GitFixture.package()
        try fixture.shell("git config commit.gpgSign true; git config gpg.program false; echo > new")
        let failure = fixture.refusal(of: CommitAction(), ["message": .string("more")])
        #expect(failure?.message.hasPrefix("the commit could not be signed: ") == true, "\(failure?.message ?? "")")
    }

    /// Tags of commits that a shallow clone does not contain may be missing.
    @Test(arguments: [false, true]) func aShallowCloneIsNamed(hasTag: Bool) throws {
        let fixture = try GitFixture.package()
        try fixture.git("commit -q --allow-empty -m More")
        try fixture.shell(
            "git clone -q --bare --depth 1 \"file://$PWD\" ../shallow; cp ../shallow/shallow .git/shallow")
        if hasTag { try fixture.git("tag 0.1.1") }
        let events = RecordedEvents()
        let plan = RequireAction().forecast(
            of: Settings(["version": .string("0.2.0")]), in: fixture.context(), after: [:])
        #expect((plan.notes + plan.obstacles).contains { $0.hasPrefix("the clone is shallow, so ") })
        #expect(plan.obstacles.isEmpty == hasTag)
        if hasTag {
            try fixture.run(RequireAction(), ["version": .string("0.2.0")], events: events)
            #expect(events.messages.first?.hasPrefix("the clone is shallow, so tags may be missing") == true)
        } else {
            let failure = fixture.refusal(of: RequireAction(), ["version": .string("0.2.0")])
            #expect(
                failure?.message
                    == "the clone is shallow, so the last release is unknown\nhint: git fetch --unshallow --tags")
        }
    }
}
