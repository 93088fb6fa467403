import Files
import Git
import LaneRun
import Processes
import TestSupport
import Testing

@testable import CommitTesting

@Suite("The private worktree", .startsPrograms)
struct PrivateWorktreeTests {
    private func worktree(of fixture: GitFixture) throws -> (PrivateWorktree, Git) {
        let git = Git(in: fixture.path, environment: fixture.environment, processes: ChildRunner())
        return (PrivateWorktree(of: try Repository.find(git), for: "bisect", git: git), git)
    }

    @Test("Commits are checked out one after another, and what git ignores is kept")
    func checkOut() throws {
        let fixture = try GitFixture()
        try fixture.write("kept\n", to: ".gitignore")
        try fixture.write("one", to: "file")
        try fixture.commit("One")
        try fixture.write("two", to: "file")
        try fixture.write("new", to: "new")
        try fixture.commit("Two")
        try fixture.write("unsaved", to: "file")
        try fixture.write("staged", to: "staged")
        try fixture.git("add staged")
        let before = try fixture.state()
        let (worktree, git) = try worktree(of: fixture)
        try worktree.checkOut(try git.text(["rev-parse", "HEAD"]))
        #expect(try readText("\(worktree.package)/file") == "two")
        for name in ["kept", "built", "file", ".build"] { try writeFile("x", to: "\(worktree.package)/\(name)") }
        try worktree.checkOut(try git.text(["rev-parse", "HEAD^"]))
        #expect(try readText("\(worktree.package)/file") == "one")
        #expect(try listDirectory(worktree.package).sorted() == [".build", ".git", ".gitignore", "file", "kept"])
        #expect(try fixture.state() == before)

        try worktree.remove()
        #expect(try fixture.state() == before)
        #expect(try fixture.git("worktree list").split(separator: "\n").count == 1)
        #expect(try listDirectory(worktree.home) == [])
        #expect(!isDirectory("\(fixture.path)/.git/worktrees"))
        try worktree.remove()
    }

    /// `swift build` does not notice a change within the same second.
    @Test("Files have the times of their contents")
    func times() throws {
        let fixture = try GitFixture()
        try fixture.write("same", to: "same file")
        try fixture.write("one", to: "file")
        try fixture.commit("One")
        try fixture.write("two", to: "file")
        try fixture.commit("Two")
        let (worktree, _) = try worktree(of: fixture)
        func times() throws -> [Double] {
            try ["same file", "file"].map { try modificationTime(of: "\(worktree.package)/\($0)").rounded(.down) }
        }
        try worktree.checkOut("main^")
        let first = try times()
        try worktree.checkOut("main")
        let second = try times()
        #expect(first[0] == second[0] && first[1] != second[1])
        try worktree.checkOut("main^")
        #expect(try times() == first)
    }

    @Test("A removal that was interrupted is continued, and other worktrees are kept")
    func interrupted() throws {
        let fixture = try GitFixture()
        try fixture.commit("One")
        try fixture.git("worktree add --quiet --detach ../sample-2")
        let (worktree, _) = try worktree(of: fixture)
        try worktree.checkOut("main")
        // After the record was moved away, after the worktree was, and with a record that git had begun.
        try moveFile("\(fixture.path)/.git/worktrees/sample", to: "\(worktree.home)/discarded.record-0.0")
        try worktree.remove()
        #expect(try listDirectory(worktree.home) == [])
        try worktree.checkOut("HEAD")
        try moveFile("\(worktree.home)/worktree", to: "\(worktree.home)/discarded.worktree.0")
        try worktree.checkOut("HEAD")
        try worktree.remove()
        #expect(try listDirectory(worktree.home) == [])
        #expect(try fixture.git("worktree list").split(separator: "\n").count == 2)
    }

    @Test("A history has the commits after the good one, and refuses what has none")
    func history() throws {
        let fixture = try GitFixture()
        for name in ["One", "Two", "Three"] { try fixture.commit(name) }
        try fixture.git("checkout --quiet -b side HEAD^")
        try fixture.commit("Side")
        try fixture.git("checkout --quiet main")
        try fixture.git("merge --quiet --no-ff -m Merge side")
        let (_, git) = try worktree(of: fixture)
        let history = try CommitHistory.read(good: "HEAD^^^", bad: "HEAD", git)
        #expect(history.good.subject == "One")
        #expect(Set(history.commits.map(\.subject)) == ["Two", "Three", "Side", "Merge"])
        #expect(history.commits.first?.subject == "Two" && history.commits.last?.subject == "Merge")
        #expect(history.commits.last?.parents.count == 2)
        #expect(history.commits.last?.author == "Ada Example" && history.commits.last?.date == "2023-11-14")

        for (good, bad, message) in [
            ("none", "nor", "2 problems\n- there is no commit 'none'\n- there is no commit 'nor'"),
            ("HEAD", "main", "'HEAD' and 'main' are the same commit"),
            ("--all", "main", "there is no commit '--all'"),
            (
                "side", "HEAD^",
                "'HEAD^' does not contain the good commit 'side'\nhint: use their common ancestor, --good "
            ),
        ] {
            let error = #expect(throws: StepFailure.self) { try CommitHistory.read(good: good, bad: bad, git) }
            #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
        }
    }
}
