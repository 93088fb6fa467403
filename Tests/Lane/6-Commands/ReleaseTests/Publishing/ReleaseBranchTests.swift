import ActionFixtures
import Actions
import Expressions
import LaneModel
import OperatingSystem
import Release
import TestSupport
import Testing
import Versioning

/// Tests that a release on another branch than the default one is a warning.
@Suite(.startsPrograms) struct ReleaseBranchTests {
    /// A script, the version, and the default branch of the warning, if there is one.
    @Test(
        arguments: [
            ("true", "auto", nil), ("git switch -qc topic", "auto", "main"),
            ("git switch -qc fix/1-login", "minor", "main"),
            ("git switch -qc topic; git pack-refs --all", "auto", "main"), ("git switch -qc topic", "prepatch", nil),
            ("git switch -qc 0.1.x", "auto", nil), ("git switch -qc release/0.1", "auto", nil),
            ("git branch -m main trunk", "auto", nil),
            ("git branch -m main master; git switch -qc topic", "auto", "master"),
            (
                "git switch -qc develop; git remote add origin ../o; git update-ref refs/remotes/origin/develop HEAD; "
                    + "git symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/develop", "auto", nil
            ),
            (
                "git remote add origin ../o; git update-ref refs/remotes/origin/develop HEAD; "
                    + "git symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/develop", "auto", "develop"
            ),
            (
                "git worktree add -q ../linked -b topic; cd ../linked; git -C ../shape switch -q --detach; git worktree list",
                "auto", nil
            ),
        ] as [(String, String, String?)])
    func aBranchBesideTheDefaultOneIsNamed(script: String, version: String, expected: String?) throws {
        let fixture = try GitFixture.package()
        try fixture.git("tag 0.1.0")
        try fixture.commit("fix: more")
        try fixture.shell(script)
        let branch = try fixture.git("branch --show-current")
        let settings = Settings(["version": .string(version)])
        let forecast = RequireAction().forecast(of: settings, in: fixture.context(), after: [:])
        let warning = expected.map {
            "the release is made on the branch '\(branch)', not on the default branch '\($0)'"
        }
        let warnings = forecast.notes.filter { $0.hasPrefix("the release is made") }
        #expect(warnings == [warning].compactMap { $0 })
        guard !branch.isEmpty else { return }
        #expect(forecast.summary.hasSuffix(" can be released from '\(branch)'"), "\(forecast.summary)")
        let events = RecordedEvents()
        try fixture.run(RequireAction(), ["version": .string(version)], events: events)
        #expect(events.messages.filter { $0.hasPrefix("the release is made") } == warnings)
    }

    @Test func aRequiredBranchIsNoSurprise() throws {
        let fixture = try GitFixture.package()
        try fixture.git("switch -qc topic")
        let settings = Settings(["version": .string("0.2.0"), "branch": .string("topic")])
        let forecast = RequireAction().forecast(of: settings, in: fixture.context(), after: [:])
        #expect(forecast.notes.isEmpty && forecast.summary == "require branch topic and that 0.2.0 can be released")
    }
}
