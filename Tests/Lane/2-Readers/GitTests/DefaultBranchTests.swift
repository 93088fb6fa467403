import Git
import OperatingSystem
import TestSupport
import Testing

@Suite(.startsPrograms) struct DefaultBranchTests {
    private func branch(of remote: String? = "origin", in fixture: GitFixture, at directory: String = "") -> String? {
        Git(in: fixture.path + directory, environment: fixture.environment, processes: ChildRunner())
            .defaultBranch(of: remote)
    }

    private func repository(_ script: String) throws -> GitFixture {
        let fixture = try GitFixture()
        try fixture.commit("first")
        try fixture.shell(script)
        return fixture
    }

    /// A script for a repository with one commit in `main`, and the default branch.
    @Test(arguments: [
        ("", "main"), ("git branch -m work", "work"), ("git branch -m work; git branch other", nil),
        ("git branch -m master; git branch other; git pack-refs --all", "master"),
        ("git branch -m trunk; git branch other; git switch --quiet other", "trunk"),
        ("git branch -m develop; git branch other; git config init.defaultBranch develop", "develop"),
        ("git config init.defaultBranch absent; git branch other", "main"),
        ("git switch --quiet --detach; git branch -D main", nil),
    ])
    func isTheUsualOrTheOnlyBranch(_ script: String, expected: String?) throws {
        let fixture = try repository(script)
        #expect(branch(in: fixture) == expected)
        #expect(branch(of: nil, in: fixture) == expected)
    }

    /// A clone records the default branch of the remote, also if its references are packed. A remote that was added and
    /// fetched, as CI services do, has no record.
    @Test func isThatOfTheRemote() throws {
        let fixture = try repository(
            """
            git branch work; git switch --quiet work
            git clone --quiet --bare . ../remote.git
            git clone --quiet ../remote.git ../clone && cd ../clone
            git branch main origin/main && git pack-refs --all && git worktree add --quiet ../linked main
            git init --quiet ../ci && cd ../ci && git remote add origin ../remote.git
            git fetch --quiet && git switch --quiet --detach origin/work
            """)
        for directory in ["/../clone", "/../linked"] { #expect(branch(in: fixture, at: directory) == "work") }
        #expect(branch(of: "upstream", in: fixture, at: "/../clone") == "main")
        #expect(branch(in: fixture, at: "/../ci") == "main")
        #expect(branch(of: nil, in: fixture, at: "/../ci") == nil)
        #expect(branch(in: fixture, at: "/..") == nil)
    }
}
