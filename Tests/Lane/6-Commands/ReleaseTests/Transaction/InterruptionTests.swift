import ActionFixtures
import Actions
import CLibrary
import Expressions
import OperatingSystem
import Synchronization
import TestSupport
import Testing

/// Tests that interrupt a release at every program, in three ways. After the next run, the repository is either
/// unchanged or the release is complete.
@Suite(.startsPrograms) struct InterruptionTests {
    /// A way to interrupt a release at a program.
    enum End: String, CaseIterable, Sendable {
        /// The program cannot be started, so the release fails.
        case refused
        /// All processes stop before the program starts, without cleanup.
        case before
        /// All processes stop when the program has ended, without cleanup.
        case after
    }

    /// Runs a release. From the `count`th program on, `end` happens.
    private func release(_ fixture: GitFixture, stopAt count: Int, _ end: End) throws -> (stopped: Bool, finished: Bool)
    {
        let world = EndingWorld(stopAt: count, end)
        do {
            let transaction = try fixture.begin(world)
            try fixture.releaseSteps(in: transaction.directory)
            fixture.planRelease(transaction)
            try transaction.commit()
            return (world.hasStopped, true)
        } catch let failure as OperationFailure {
            #expect(world.hasStopped, "\(failure.message)")
            return (true, false)
        }
    }

    /// A normal run interrupts at every fifth program, at different ones in each way. `LANE_PROPERTY_CASES=5x` interrupts at
    /// every program.
    @Test(arguments: End.allCases)
    func atEveryProgram(end: End) throws {
        var outcomes: [String] = []
        let step = max(1, 60 / PropertySettings(name: "atEveryProgram", cases: 12).cases)
        let offset = (End.allCases.firstIndex(of: end) ?? 0) % step
        for count in stride(from: 1 + offset, through: 60, by: step) {
            let fixture = try GitFixture.ready()
            let before = try fixture.state()
            let run = try release(fixture, stopAt: count, end)
            let note = try fixture.recover()
            let isReleased = try expectAllOrNothing(fixture, before: before, "\(end) \(count) \(note ?? "")")
            outcomes.append(isReleased ? "released" : "as before")
            // The next release must succeed.
            if !isReleased {
                #expect(try release(fixture, stopAt: .max, .refused).finished)
                #expect(try expectAllOrNothing(fixture, before: before, "\(end) \(count), again"))
            }
            if !run.stopped { break }
        }
        // The last release was not interrupted. Failures before that change nothing.
        #expect(outcomes.last == "released")
        #expect(outcomes.filter { $0 == "as before" }.count >= 8 / step)
        #expect(outcomes.first == "as before")
    }

    /// Interrupts the shell that applies a release after each of its lines, or within a line.
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

    /// The machine stops between the renames of references by git.
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

    /// The machine stops while files are written. The user then edits one of them before the next run.
    @Test func laterChangesOfTheUserAreKept() throws {
        let fixture = try GitFixture.ready()
        let world = CuttingWorld(program: "git read-tree", isAfter: false)
        try cutOff(fixture, world)
        try fixture.write("mine\n", to: "version.txt")
        try fixture.shell("mkdir -p new; printf ne > new/file.txt")
        let note = try fixture.recover()
        #expect(
            note == """
                finished the release '0.2.0', which had been interrupted
                'version.txt' was changed since and is kept
                """)
        #expect(try fixture.git("status --porcelain") == " M version.txt")
        #expect(try fixture.read("version.txt") == "mine\n")
        #expect(try fixture.read("new/file.txt") == "new\n")
    }

    @Test func damagedJournalsHaveAHint() throws {
        let fixture = try GitFixture.ready()
        try fixture.shell("mkdir -p .git/lane/transaction; echo '{' > .git/lane/transaction/journal.json")
        let failure = #expect(throws: OperationFailure.self) { try fixture.begin() }
        #expect(failure?.message.hasSuffix("/.git/lane/transaction'") == true, "\(failure?.message ?? "")")
        try fixture.shell("rm -r .git/lane/transaction")
        try fixture.begin().abandon()
    }

    /// Runs a release in a separate process that ends.
    private func cutOff(_ fixture: GitFixture, _ world: CuttingWorld) throws {
        let transaction = try fixture.begin(world)
        try fixture.releaseSteps(in: transaction.directory)
        fixture.planRelease(transaction)
        #expect(throws: OperationFailure.self) { try transaction.commit() }
        #expect(world.hasCut)
    }

    /// - Returns: A Boolean value that indicates whether the release is complete. A partial release is an issue.
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

/// Runs programs up to a given one. From then on, no program runs.
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

/// Runs all programs, but truncates the final script before or after a line with a given program. After that, no
/// program runs.
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
