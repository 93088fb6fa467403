import LaneRun
import Processes
import Releasing
import Synchronization
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A release is cut off at every program that it starts, in three ways; each time the repository is as it was, or the
/// release is complete after the next run.
@Suite struct InterruptionTests {
    /// How the world ends at one program of a release.
    enum End: String, CaseIterable, Sendable {
        /// It cannot be started, and the release fails in an orderly way.
        case refused
        /// Everything stops before it is started; nobody cleans up.
        case before
        /// Everything stops when it has ended; nobody cleans up.
        case after
    }

    /// Runs `lane`'s part of a release; programs from the `count`th on meet `end`.
    private func release(_ fixture: GitFixture, stopAt count: Int, _ end: End) throws -> (stopped: Bool, finished: Bool)
    {
        let world = EndingWorld(stopAt: count, end)
        do {
            let transaction = try fixture.begin(world)
            try fixture.releaseSteps(in: transaction.directory)
            fixture.planRelease(transaction)
            try transaction.commit()
            return (world.hasStopped, true)
        } catch let failure as StepFailure {
            #expect(world.hasStopped, "\(failure.message)")
            return (true, false)
        }
    }

    @Test(arguments: End.allCases)
    func atEveryProgram(end: End) throws {
        var outcomes: [String] = []
        for count in 1...60 {
            let fixture = try GitFixture.ready()
            let before = try fixture.state()
            let run = try release(fixture, stopAt: count, end)
            let note = try fixture.recover()
            let isReleased = try expectAllOrNothing(fixture, before: before, "\(end) \(count) \(note ?? "")")
            outcomes.append(isReleased ? "released" : "as before")
            // Whatever happened, the next release works.
            if !isReleased {
                #expect(try release(fixture, stopAt: .max, .refused).finished)
                #expect(try expectAllOrNothing(fixture, before: before, "\(end) \(count), again"))
            }
            if !run.stopped { break }
        }
        // The last one was not stopped at all; one that fails in an orderly way before that changes nothing.
        #expect(outcomes.last == "released")
        #expect(outcomes.filter { $0 == "as before" }.count > 8)
        #expect(outcomes.first == "as before")
    }

    /// The child that makes a release real is itself cut off after each of its lines, or in the middle of one.
    @Test(
        arguments: [
            "git update-ref", "git read-tree", "mv -f", "rm -f", "mkdir -p",
        ], [false, true])
    func inTheMiddleOfMakingItReal(program: String, isAfter: Bool) throws {
        let fixture = try GitFixture.ready()
        let before = try fixture.state()
        let world = CuttingWorld(program: program, isAfter: isAfter)
        try cutOff(fixture, world)
        _ = try fixture.recover()
        let isReleased = try expectAllOrNothing(fixture, before: before, "\(program) \(isAfter)")
        #expect(isReleased == !(program == "git update-ref" && !isAfter))
    }

    /// The machine stops between the renames with which git moves several names.
    @Test(arguments: ["refs/tags/0.2.0", "refs/heads/main"])
    func betweenTheNames(moved: String) throws {
        let fixture = try GitFixture.ready()
        let before = try fixture.state()
        let world = CuttingWorld(program: "git update-ref", isAfter: false)
        try cutOff(fixture, world)
        let journal = try fixture.shell("cat .git/lane/transaction/refs")
        let words = try #require(journal.split(separator: "\n").first { $0.contains(moved) }).split(separator: " ")
        try fixture.shell("git update-ref \(moved) \(words[2]); touch .git/refs/heads/main.lock .git/HEAD.lock")
        #expect(try fixture.recover()?.hasPrefix("finished the release '0.2.0'") == true)
        #expect(try expectAllOrNothing(fixture, before: before, moved))
    }

    /// The machine stops while files are written; the user then edits one of them before the next run.
    @Test func whatTheUserDidSinceStays() throws {
        let fixture = try GitFixture.ready()
        let world = CuttingWorld(program: "git read-tree", isAfter: false)
        try cutOff(fixture, world)
        try fixture.write("mine\n", to: "version.txt")
        try fixture.shell("mkdir -p new; printf ne > new/file.txt")
        let note = try fixture.recover()
        #expect(note?.contains("'version.txt' was changed since and is left as it is") == true, "\(note ?? "")")
        #expect(try fixture.git("status --porcelain") == " M version.txt")
        #expect(try fixture.read("version.txt") == "mine\n")
        #expect(try fixture.read("new/file.txt") == "new\n")
    }

    @Test func aDamagedJournalIsToldWithTheWayOn() throws {
        let fixture = try GitFixture.ready()
        try fixture.shell("mkdir -p .git/lane/transaction; echo '{' > .git/lane/transaction/journal.json")
        let failure = #expect(throws: StepFailure.self) { try fixture.begin() }
        #expect(failure?.message.hasSuffix("/.git/lane/transaction'") == true, "\(failure?.message ?? "")")
        try fixture.shell("rm -r .git/lane/transaction")
        try fixture.begin().abandon()
    }

    /// Runs a release into its end; nothing of it is alive afterwards.
    private func cutOff(_ fixture: GitFixture, _ world: CuttingWorld) throws {
        let transaction = try fixture.begin(world)
        try fixture.releaseSteps(in: transaction.directory)
        fixture.planRelease(transaction)
        #expect(throws: StepFailure.self) { try transaction.commit() }
        #expect(world.hasCut)
    }

    /// - Returns: Whether it is released; anything but wholly released or wholly as before is an issue.
    private func expectAllOrNothing(_ fixture: GitFixture, before: String, _ comment: String) throws -> Bool {
        #expect(
            try fixture.shell("ls .git/lane 2>/dev/null || true").split(separator: "\n").allSatisfy {
                ["lock", "released.json"].contains($0)
            },
            "\(comment)")
        #expect(try fixture.git("worktree list").split(separator: "\n").count == 1, "\(comment)")
        let state = try fixture.state()
        if state == before { return false }
        #expect(try fixture.git("status --porcelain") == "", "\(comment)")
        #expect(try fixture.git("rev-parse 0.2.0^{commit} HEAD main | sort -u | wc -l") == "1", "\(comment)")
        #expect(try fixture.git("log --format=%s") == "Release 0.2.0\nBegin", "\(comment)")
        #expect(
            try fixture.shell(
                "cat version.txt new/file.txt dist/sample.tar.gz dist/sample.tar.gz.sha256; test ! -e old.txt")
                == "version 0.2.0\nnew\narchive\nsum", "\(comment)")
        #expect(try fixture.shell("find .git -name '*.lock'") == "", "\(comment)")
        return true
    }
}

/// Runs programs until one of them; from then on nothing runs any more.
private final class EndingWorld: ProcessRunner {
    private let live = ChildRunner()
    private let last: Int
    private let end: InterruptionTests.End
    private let started = Mutex(0)

    init(stopAt last: Int, _ end: InterruptionTests.End) {
        self.last = last
        self.end = end
    }

    var hasStopped: Bool { started.withLock { $0 } >= last }

    func run(
        _ command: Command, limits: RunLimits, output: (OutputSource, UnsafeRawBufferPointer) -> Void
    ) throws(SpawnError) -> ExitReport {
        let number = started.withLock { count in
            count += 1
            return count
        }
        switch end {
        case .refused where number != last, .before where number < last, .after where number < last:
            return try live.run(command, limits: limits, output: output)
        case .after where number == last:
            _ = try live.run(command, limits: limits, output: output)
            throw .failed(command.executable, errno: EIO)
        default: throw .failed(command.executable, errno: EIO)
        }
    }
}

/// Lets everything run, but cuts the finishing script off before or after the first line with a certain program, and
/// lets nothing run after that.
private final class CuttingWorld: ProcessRunner {
    private let live = ChildRunner()
    private let program: String
    private let isAfter: Bool
    private let cut = Mutex(false)

    init(program: String, isAfter: Bool) {
        self.program = program
        self.isAfter = isAfter
    }

    var hasCut: Bool { cut.withLock { $0 } }

    func run(
        _ command: Command, limits: RunLimits, output: (OutputSource, UnsafeRawBufferPointer) -> Void
    ) throws(SpawnError) -> ExitReport {
        if hasCut { throw .failed(command.executable, errno: EIO) }
        guard command.executable == "sh", let script = command.arguments.last else {
            return try live.run(command, limits: limits, output: output)
        }
        var lines = script.split(separator: "\n").map(String.init)
        guard let index = lines.firstIndex(where: { $0.contains(program) }) else {
            return try live.run(command, limits: limits, output: output)
        }
        cut.withLock { $0 = true }
        lines.insert("kill -KILL $$", at: isAfter ? index + 1 : index)
        var shorter = command
        shorter.arguments = ["-c", lines.joined(separator: "\n")]
        return try live.run(shorter, limits: limits, output: output)
    }
}
