import ActionFixtures
import Actions
import CLibrary
import Expressions
import OperatingSystem
import Release
import Synchronization
import TestSupport
import Testing

/// Tests that the next run completes any incomplete release, with correct messages.
@Suite(.startsPrograms) struct RecoveryTests {
    /// Parts of an open transaction that may be missing or incomplete, as shell commands.
    private static let damages = [
        "rm -f .git/lane/transaction/worktree/*/.git",
        "rm -rf .git/lane/transaction/worktree",
        "rm -f .git/worktrees/*/gitdir",
        "rm -f .git/worktrees/*/HEAD .git/worktrees/*/commondir",
        "rm -rf .git/worktrees",
        "rm -f .git/lane/transaction/origin",
        "mkdir -p .git/worktrees/sample9; echo initializing > .git/worktrees/sample9/locked",
        "echo locked > .git/worktrees/sample/locked || true",
        "mkdir -p .git/lane/discarded.0/some; chmod a-w .git/lane/discarded.0/some",
        "chmod -R a-w .git/lane/transaction/worktree || true",
        "printf 'lane transaction\\n' > .git/index.lock",
        "rm -rf .git/lane/transaction/tag.git; touch .git/lane/transaction/index.lock",
    ]

    /// An incomplete open transaction is removed, and the repository is unchanged.
    @Test func anyPartialStateIsRemoved() throws {
        let choices = Generator<Int>.integer(in: 0...(1 << Self.damages.count) - 1)
        checkProperty("any partial state is removed", choices, cases: 6) { choice in
            let fixture = try GitFixture.ready()
            let before = try fixture.state()
            let transaction = try fixture.begin()
            try fixture.releaseSteps(in: transaction.directory)
            // The next run is another process, because this one has the lock.
            let copy = try fixture.copy()
            for (index, damage) in Self.damages.enumerated() where choice >> index & 1 == 1 { try copy.shell(damage) }
            _ = try expectEqual(
                try copy.recover(), "removed the files of an interrupted run, which had changed nothing")
            _ = try expectEqual(try copy.state(), before)
            _ = try expectEqual(try copy.shell("ls .git/lane .git/worktrees 2>/dev/null || true"), ".git/lane:\nlock")
            try copy.begin().abandon()
            transaction.abandon()
            return true
        }
    }

    /// From a line of the final script on, all commands fail, as with a full disk. Later, all succeed.
    @Test(arguments: 1...9)
    func failuresPastThePointOfNoReturn(line: Int) throws {
        let fixture = try GitFixture.ready()
        let before = try fixture.state()
        let world = FailingWorld(line: line)
        let transaction = try fixture.begin(world)
        try fixture.releaseSteps(in: transaction.directory)
        fixture.planRelease(transaction)
        let failure = #expect(throws: OperationFailure.self) { try transaction.commit() }
        let isReal = try fixture.git("tag --list") == "0.2.0"
        let message = failure?.message ?? ""
        #expect(message.contains("the release '0.2.0' is real, but not all of it is in place") == false || isReal)
        #expect(
            message == """
                it is unknown whether the release '0.2.0' exists: 'git' could not be started: No space left on device
                hint: the next run of any lane completes it
                """)
        transaction.abandon()
        #expect(try fixture.shell("cat .git/lane/transaction/journal.json || cat .git/lane/released.json") != "")
        world.heal()
        // The recovery is also interrupted at every program.
        for count in 1...12 {
            _ = try? GitTransactionSource().recover(fixture.git(with: FailingWorld(program: count)))
        }
        _ = try fixture.recover()
        if isReal {
            #expect(try fixture.git("status --porcelain") == "")
            #expect(
                try fixture.shell("cat version.txt new/file.txt dist/sample.tar.gz dist/sample.tar.gz.sha256")
                    == "version 0.2.0\nnew\narchive\nsum")
        } else {
            #expect(try fixture.state() == before)
        }
        #expect(try fixture.shell("test ! -e .git/lane/transaction; find .git -name '*.lock'") == "")
        try fixture.begin().abandon()
    }

    @Test func locksOfOthersStay() throws {
        let fixture = try GitFixture.ready()
        let world = FailingWorld(line: 4)
        let transaction = try fixture.begin(world)
        try fixture.releaseSteps(in: transaction.directory)
        fixture.planRelease(transaction)
        #expect(throws: OperationFailure.self) { try transaction.commit() }
        transaction.abandon()
        world.heal()
        let foreign = String(repeating: "1", count: 40)
        try fixture.shell("echo \(foreign) > .git/refs/heads/main.lock; git rev-parse main > .git/refs/tags/0.2.0.lock")
        try fixture.shell("touch .git/HEAD.lock")
        #expect(try fixture.recover()?.hasPrefix("finished the release '0.2.0'") == true)
        #expect(try fixture.read(".git/refs/heads/main.lock") == "\(foreign)\n")
        #expect(try fixture.shell("cd .git; ls HEAD.lock refs/tags/0.2.0.lock 2>&1 | grep -c 'No such'") == "2")
    }

    /// The transaction of a linked worktree is completed there, regardless of the worktree of the next run.
    @Test func anotherWorktreeRecovers() throws {
        let fixture = try GitFixture.ready()
        try fixture.shell("git worktree add -q -b side ../linked")
        let world = FailingWorld(line: 4)
        let root = "\(fixture.temporary.path)/linked"
        let transaction = try fixture.beginUnbuilt(fixture.git(with: world, in: root))
        try fixture.releaseSteps(in: transaction.directory)
        fixture.planRelease(transaction)
        #expect(throws: OperationFailure.self) { try transaction.commit() }
        transaction.abandon()
        world.heal()
        let before = try fixture.shell("cat version.txt; ls")
        #expect(try fixture.recover()?.hasPrefix("finished the release '0.2.0'") == true)
        #expect(try fixture.shell("cat version.txt; ls") == before)
        #expect(
            try fixture.shell("cd ../linked; git status --porcelain; git describe; cat dist/*.gz") == "0.2.0\narchive")
        #expect(try fixture.shell("find .git -name '*.lock'") == "")
    }

    // MARK: Undo

    private func release(_ fixture: GitFixture) throws {
        let transaction = try fixture.begin()
        try fixture.releaseSteps(in: transaction.directory)
        fixture.planRelease(transaction)
        try transaction.commit()
    }

    private func abort(_ fixture: GitFixture, _ processes: any ProcessRunner = ChildRunner()) throws -> String? {
        try GitTransactionSource().abort(fixture.git(with: processes))
    }

    @Test func aReleaseIsTakenBack() throws {
        let fixture = try GitFixture.ready()
        let before = try fixture.state()
        #expect(try abort(fixture) == nil)
        try release(fixture)
        let commit = try fixture.git("rev-parse --short=9 HEAD^")
        #expect(try abort(fixture) == "undid the release '0.2.0': 'main' is at \(commit) again")
        #expect(try fixture.state() == before)
        #expect(try abort(fixture) == nil)
        try release(fixture)
    }

    @Test func takingBackIsAllOrNothing() throws {
        for line in 1...9 {
            let fixture = try GitFixture.ready()
            let before = try fixture.state()
            try release(fixture)
            let released = try fixture.state()
            _ = try? abort(fixture, FailingWorld(line: line))
            _ = try fixture.recover()
            let state = try fixture.state()
            #expect(state == before || state == released, "\(line)")
        }
    }

    @Test func pushedAndRemovedReleasesAreKept() throws {
        let fixture = try GitFixture.ready()
        try fixture.shell("git init -q --bare ../remote; git remote add origin ../remote; git push -q origin main")
        try release(fixture)
        let commit = try fixture.git("rev-parse HEAD").prefix(9)
        try fixture.shell("git commit -q --allow-empty -m More")
        #expect(
            try abort(fixture) == """
                undid the release '0.2.0': the tag is removed; 'main' keeps its commits
                hint: git revert \(commit) also removes the version and its notes
                """)
        try fixture.shell("git reset -q --hard HEAD^^")
        try release(fixture)
        try fixture.shell("git push -q origin main 0.2.0")
        let pushed = #expect(throws: OperationFailure.self) { try abort(fixture) }
        #expect(
            pushed?.message
                == "the release '0.2.0' has been pushed to 'origin', so it cannot be undone\nhint: release a new version"
        )
        try fixture.shell("git update-ref -d refs/remotes/origin/main; git remote set-url origin ../nowhere")
        let unknown = #expect(throws: OperationFailure.self) { try abort(fixture) }
        #expect(unknown?.message.hasPrefix("it is unknown whether 'origin' has the release '0.2.0'") == true)
    }

    /// The remotes of a release, the command that pushes it, and the remote in the error.
    @Test(arguments: [
        (
            "git remote add origin ../one; git remote add up ../two; git config branch.main.remote up",
            "git push -q origin main 0.2.0", "origin"
        ),
        ("git remote add github ../one", "git push -q github main 0.2.0", "github"),
        (
            "git remote add origin ../one; git remote set-url --push origin ../two", "git push -q origin main 0.2.0",
            "origin"
        ),
        (
            "git remote add origin ../one; git remote set-url --add origin ../two", "git push -q ../two 0.2.0",
            "origin"
        ),
        (
            "git remote add origin ../one; git config url.$PWD/../two.pushInsteadOf ../one",
            "git push -q origin main 0.2.0",
            "origin"
        ),
        ("git remote add origin ../one; git remote add mirror ../two", "git push -q mirror 0.2.0", "mirror"),
        ("git remote add origin ../one; git config remote.pushDefault ../two", "git push -q ../two 0.2.0", "../two"),
        ("git remote add origin ../one; git config branch.main.remote ../two", "git push -q ../two 0.2.0", "../two"),
        ("git remote add origin ../one", "git push -q origin main", "origin"),
        ("git remote add origin ../one; git remote add gone ../nowhere", "git push -q origin 0.2.0", "origin"),
        (
            "git remote add gone ../nowhere; git remote add origin ../one", "git push -q origin main:x",
            "origin"
        ),
    ])
    func releasesOnAnyRemoteAreKept(remotes: String, push: String, remote: String) throws {
        let fixture = try GitFixture.ready()
        try fixture.shell("git init -q --bare ../one; git init -q --bare ../two; \(remotes)")
        try release(fixture)
        try fixture.shell(push)
        let before = try fixture.state()
        let failure = #expect(throws: OperationFailure.self) { try abort(fixture) }
        #expect(
            failure?.message
                == "the release '0.2.0' has been pushed to '\(remote)', so it cannot be undone\nhint: release a new version"
        )
        #expect(try fixture.state() == before)
    }

    /// A tag of the same name that another person pushed is not the release.
    @Test func aReleaseWhoseNameIsTakenIsUndone() throws {
        let fixture = try GitFixture.ready()
        try fixture.shell(
            "git init -q --bare ../one; git remote add origin ../one; git push -q origin main:refs/tags/0.2.0 main")
        try release(fixture)
        #expect(try abort(fixture)?.hasPrefix("undid the release '0.2.0'") == true)
    }
}

extension GitFixture {
    /// A copy of the checkout at the same path, as seen by another process that does not have the lock.
    fileprivate func copy() throws -> GitFixture {
        try shell("cd ..; cp -R sample original; rm -rf sample; mv original sample")
        return self
    }
}

/// Makes all programs fail from a line of the final script on, or from the nth program on, until it is repaired.
private final class FailingWorld: ProcessRunner {
    private let live = ChildRunner()
    private let line: Int?
    private let program: Int
    private let state = Mutex((started: 0, fails: false))

    init(line: Int) {
        self.line = line
        program = .max
    }

    init(program: Int) {
        line = nil
        self.program = program
    }

    func heal() { state.withLock { $0 = (.min, false) } }

    func run(
        _ command: Command, limits: RunLimits, output: (OutputSource, UnsafeRawBufferPointer) -> Void
    ) throws(SpawnError) -> ExitReport {
        let fails = state.withLock { state in
            state.started += 1
            return state.fails || state.started >= program
        }
        if fails { throw .failed(command.executable, errno: ENOSPC) }
        guard let line, command.executable == "sh", let script = command.arguments.last,
            script.contains("update-ref"), state.withLock({ $0.started > 0 })
        else { return try live.run(command, limits: limits, output: output) }
        var lines = script.split(separator: "\n").map(String.init)
        lines.insert("exit 1", at: min(line, lines.count - 1))
        var shorter = command
        shorter.arguments = ["-c", lines.joined(separator: "\n")]
        state.withLock { $0.fails = true }
        return try live.run(shorter, limits: limits, output: output)
    }
}
