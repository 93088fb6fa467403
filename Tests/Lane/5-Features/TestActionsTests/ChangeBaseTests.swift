import Actions
import CLibrary
import ChangeImpact
import Git
import OperatingSystem
import TestSupport
import Testing
import Text

@testable import TestActions

@Suite(.startsPrograms) struct ChangeBaseTests {
    private func find(
        _ given: String? = nil, in fixture: GitFixture, at directory: String? = nil, _ variables: [String: String] = [:]
    ) throws -> (subject: String, name: String) {
        let environment = fixture.environment.merging(variables) { $1 }
        let git = Git(
            in: directory ?? fixture.path, environment: environment, processes: ChildRunner())
        let (commit, name) = try ChangeBaseCommit(git: git, environment: environment).find(given)
        return (try git.text(["show", "--no-patch", "--format=%s", commit]), name)
    }

    private func reason(
        _ given: String? = nil, in fixture: GitFixture, at directory: String? = nil, _ variables: [String: String] = [:]
    ) throws -> Undecided {
        try #require(throws: Undecided.self) { try find(given, in: fixture, at: directory, variables) }
    }

    /// A repository with a branch of two commits beside `main`, and a remote with both.
    private func repository() throws -> GitFixture {
        let fixture = try GitFixture()
        for number in 1...3 { try fixture.commit("main \(number)") }
        try fixture.shell(
            """
            git checkout --quiet -b topic
            git commit --quiet --allow-empty -m 'topic 1' && git commit --quiet --allow-empty -m 'topic 2'
            git checkout --quiet main && git commit --quiet --allow-empty -m 'main 4'
            git clone --quiet --bare . ../remote.git
            git remote add origin "$PWD/../remote.git" && git fetch --quiet && git checkout --quiet topic
            """)
        return fixture
    }

    @Test(arguments: ["fork topic", "fork topic:mine/topic", "origin topic:mine/topic"])
    func theBranchToWhichCommitsArePushedIsNoBase(_ push: String) throws {
        let fixture = try repository()
        try fixture.shell(
            """
            git init --quiet --bare ../fork.git; git remote add fork "$PWD/../fork.git"
            git push --quiet --set-upstream \(push)
            """)
        #expect(try find(in: fixture) == ("main 3", "origin/main"))
    }

    @Test func usualBaseIsTheDefaultBranchOfTheRemote() throws {
        let fixture = try repository()
        #expect(try find(in: fixture) == ("main 3", "origin/main"))
        try fixture.git("branch --quiet --set-upstream-to origin/topic")
        #expect(try find(in: fixture) == ("main 3", "origin/main"))
        try fixture.git("symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/topic")
        #expect(try find(in: fixture) == ("topic 2", "origin/topic"))
        try fixture.git("branch --quiet --set-upstream-to origin/main")
        #expect(try find(in: fixture) == ("main 3", "origin/main"))
        #expect(try find("HEAD~1", in: fixture) == ("topic 1", "HEAD~1"))
    }

    @Test func allTestsRunWithoutABase() throws {
        let fixture = try GitFixture()
        try fixture.commit("first")
        #expect(try find(in: fixture) == ("first", "main"))
        try fixture.git("checkout --quiet -b topic")
        try fixture.commit("second")
        #expect(try find(in: fixture) == ("first", "main"))
        try fixture.git("branch --quiet -m main other")
        #expect(try find(in: fixture) == ("second", "HEAD"))
        try fixture.git("branch --quiet -m other main")
        let failure = try #require(try reason("nowhere", in: fixture).failure)
        #expect(failure.status == ExitStatus.usage.rawValue)
        #expect(failure.message == "there is no branch or commit 'nowhere' to compare with")
        #expect(try reason(in: fixture, ["CI": "true"]).reason == "this run of CI is for no pull request")
        #expect(
            try reason(in: fixture, ["CI": "true", "CIRCLECI": "true"]).reason
                == "CircleCI does not name the target branch of a pull request; name the commit to compare with")
        try fixture.shell("git checkout --quiet --orphan other && git commit --quiet --allow-empty -m other")
        #expect(try reason("main", in: fixture).reason == "HEAD and 'main' have no common commit")
    }

    /// A service is CI for `--changed` if it is for `ci.active`, without the common variable `CI`.
    @Test(arguments: CIService.all)
    func runsOfAServiceForNoPullRequestRunAllTests(_ service: CIService) throws {
        let fixture = try repository()
        let reason = try reason(in: fixture, [service.variable: "true"]).reason
        if service.targetBranchVariable == nil {
            #expect(
                reason.hasSuffix("does not name the target branch of a pull request; name the commit to compare with"))
        } else {
            #expect(reason == "this run of CI is for no pull request")
        }
    }

    @Test(arguments: CIService.all.filter { $0.targetBranchVariable != nil })
    func pullRequestsOfAServiceAreComparedWithTheirTarget(_ service: CIService) throws {
        let fixture = try repository()
        let variable = try #require(service.targetBranchVariable)
        #expect(try find(in: fixture, [service.variable: "true", variable: "main"]) == ("main 3", "origin/main"))
    }

    @Test(arguments: ["GITHUB_BASE_REF", "SYSTEM_PULLREQUEST_TARGETBRANCH"])
    func shallowClonesAreDeepened(_ variable: String) throws {
        let fixture = try GitFixture()
        // The first deepening fetches fewer commits.
        try fixture.shell(
            """
            commits() { for number in $(seq "$2"); do echo "commit refs/heads/$1"
                echo "committer A <a@example.org> $((1700000000 + number)) +0000"
                echo "data <<."; echo "$1 $number"; echo "."; [ "$number" != 1 ] || echo "$3"; echo; done; }
            { commits main 20 ''; commits topic 120 'from refs/heads/main'; commits main 150 ''
            } | git fast-import --quiet
            git clone --quiet --bare . ../remote.git
            git clone --quiet --depth 1 --branch topic "file://$PWD/../remote.git" ../shallow
            git -C ../shallow checkout --quiet --detach && git -C ../shallow branch --quiet -D topic
            """)
        let shallow = "\(fixture.path)/../shallow"
        let branch = variable.hasPrefix("SYSTEM") ? "refs/heads/main" : "main"
        #expect(try find(in: fixture, at: shallow, ["CI": "true", variable: branch]) == ("main 20", "origin/main"))
        // A second deepening was necessary, but not all commits were fetched.
        let count = try fixture.git("-C ../shallow rev-list --count --all")
        #expect(Int(count) ?? 0 > 240)
    }

    @Test func branchesThatCannotBeFetchedLeaveAllTests() throws {
        let fixture = try repository()
        try fixture.shell("rm -r ../remote.git")
        let reason = try reason(in: fixture, ["CI": "true", "GITHUB_BASE_REF": "release"]).reason
        #expect(reason.hasPrefix("'origin/release' is not in this clone and could not be fetched: "))
    }
}
