import Files
import LaneEvents
import LaneModel
import LaneRun
import Processes
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Enough files for a look to be worth a thread.
@Suite struct EarlyLookTests {
    /// In microseconds: a look at 400 files seldom takes as long.
    static let usual: UInt32 = 300_000

    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        for number in 100..<500 { try directory.write("\(number)", to: "in/\(number).txt") }
        #expect(look() == nil)
        #expect(run().outcomes["lane/copy"] == .passed)
        // Files that have just changed are not trusted by their times.
        usleep(50_000)
        #expect(run().outcomes["lane/copy"] == .upToDate)
    }

    func look(processors: Int = 2) -> EarlyLook? { EarlyLook(root: directory.path, processors: processors) }

    /// A step that copies its inputs into one file, after one that does as the script says.
    func run(
        _ look: EarlyLook? = nil, copies: String = "cat in/*.txt > out.txt", first script: String = "true"
    ) -> Recorder {
        var lane = Rehearsal()
        lane.root = directory.path
        lane.options.keepsRecords = true
        lane.earlyLook = look
        lane.add("first", "run", settings: [("command", .string(script))])
        lane.add(
            "copy", "run", after: ["first"], settings: [("command", .string(copies))], inputs: ["in/**"],
            outputs: ["out.txt"])
        return lane.run().record
    }

    @Test func oneProcessorIsNeededForTheRest() {
        #expect(look(processors: 1) == nil)
        #expect(look(processors: 2) != nil)
    }

    @Test func whatNobodyTouchedIsUpToDate() {
        #expect(run(look()).outcomes["lane/copy"] == .upToDate)
    }

    @Test func theLookCountsAsOfTheBeginning() throws {
        var lane = Rehearsal()
        lane.root = directory.path
        lane.options.keepsRecords = true
        // No step begins before this one, so that what was seen holds.
        lane.add(
            "copy", "run", settings: [("command", .string("cat in/*.txt > out.txt"))], inputs: ["in/**"],
            outputs: ["out.txt"])
        func outcome() -> StepEnd.Outcome? { lane.run().record.outcomes["lane/copy"] }
        // On a busy machine the look has not come to its end so soon.
        let wentUnseen = try [UInt32(50_000), 500_000, 5_000_000].contains { wait in
            lane.earlyLook = nil
            usleep(50_000)
            #expect(outcome() == .upToDate)
            lane.earlyLook = look()
            usleep(wait)
            try directory.write("changed after \(wait)", to: "in/100.txt")
            return outcome() == .upToDate
        }
        #expect(wentUnseen)
        lane.earlyLook = look()
        #expect(outcome() == .passed)
    }

    @Test func aChangeBeforeTheLookIsSeen() throws {
        try directory.write("changed", to: "in/100.txt")
        #expect(run(look()).outcomes["lane/copy"] == .passed)
    }

    /// Steps change files, so that what was seen before the first of them says nothing any more.
    @Test(arguments: ["echo changed > in/100.txt", "rm in/100.txt", "echo changed > out.txt", "echo > in/new.txt"])
    func whatAStepOfTheRunChangesIsSeen(script: String) throws {
        let look = look()
        usleep(Self.usual)
        #expect(run(look, first: script).outcomes["lane/copy"] == .passed)
    }

    /// Another run may have ended in between: what it wrote down is newer.
    @Test func recordsThatWereReplacedAreReadAgain() throws {
        let look = look()
        usleep(Self.usual)
        let other = "cat in/*.txt in/100.txt > out.txt"
        #expect(run(copies: other).outcomes["lane/copy"] == .passed)
        usleep(50_000)
        #expect(run(look, copies: other).outcomes["lane/copy"] == .upToDate)
    }

    @Test func aLookThatNobodyTakesEnds() {
        for _ in 0..<20 { #expect(look() != nil) }
    }
}
