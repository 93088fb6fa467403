import Actions
import Events
import Expressions
import OperatingSystem
import Records
import Runner
import Synchronization
import TestSupport
import Testing

@testable import LaneModel

@Suite struct ResumeTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        try directory.write("0", to: "input")
    }

    /// A lane with three steps. The second requires the file `allowed`, and the third an output of the first.
    func lane(_ part: RunOptions.Part = .all, parameter: String = "x") -> ScriptedRun {
        var lane = ScriptedRun()
        lane.root = directory.path
        lane.keepsRecords = true
        lane.options.jobs = 1
        lane.options.part = part
        lane.groups = [PlanGroup(path: "lane", lane: "lane", parameters: [("p", .string(parameter))])]
        lane.script("makes") { _, _ in StepResult(outputs: ["name": .string("Ada"), "n": .integer(3)]) }
        lane.script("needs") { [directory] _, _ throws(OperationFailure) in
            guard (try? directory.read("allowed")) != nil else { throw OperationFailure(status: 4, "not yet") }
            return StepResult()
        }
        lane.add("first", "makes", inputs: ["input"])
        lane.add("second", "needs", after: ["first"])
        lane.add("third", after: ["second"], condition: "steps.first.name == 'Ada' && steps.first.n == 3")
        return lane
    }

    @Test func resumesAfterTheLastFinishedStep() throws {
        #expect(lane().run().status == 4)
        try directory.write("", to: "allowed")
        let (status, record) = lane(.rest).run()
        #expect(status == 0)
        #expect(record.outcomes["lane/first"] == .skipped(reason: "done in the last run"))
        #expect(record.started == ["lane/second", "lane/third"])
        #expect(record.outcomes["lane/third"] == .passed)
    }

    @Test func oneStepRunsAloneWithResultsOfTheLastRun() throws {
        try directory.write("", to: "allowed")
        #expect(lane().run().status == 0)
        let (status, record) = lane(.only(StepID("lane/third"))).run()
        #expect(status == 0)
        #expect(record.started == ["lane/third"])
    }

    /// A withheld output is made again only for a step that reads it, directly or through another step.
    @Test(arguments: [
        ("third", ["first", "second", "third"]), ("fourth", ["fourth"]), ("second", ["first", "second"]),
    ])
    func stepsWithWithheldOutputsRunAgainIfNeeded(id: String, started: [String]) throws {
        func lane(_ part: RunOptions.Part) -> ScriptedRun {
            var lane = ScriptedRun()
            lane.root = directory.path
            lane.keepsRecords = true
            lane.options.jobs = 1
            lane.options.part = part
            lane.secrets = ["TOKEN"]
            lane.environment["TOKEN"] = "hunter22"
            lane.script("login") { _, _ in StepResult(outputs: ["token": .string("hunter22")]) }
            lane.add("first", "login")
            lane.add("second", "login", after: ["first"], condition: "steps.first.token == 'hunter22'")
            lane.add("third", after: ["second"], condition: "steps.second.token == 'hunter22'")
            lane.add("fourth", after: ["third"])
            return lane
        }
        #expect(lane(.all).run().status == 0)
        for _ in 0..<2 {
            let (status, record) = lane(.only(StepID("lane/\(id)"))).run()
            #expect(status == 0)
            #expect(record.started == started.map { "lane/\($0)" })
            #expect(record.outcomes["lane/\(id)"] == .passed)
        }
    }

    /// The results of the single step belong to its own parameters.
    @Test func aSingleStepWithOtherParametersLeavesTheRunForResume() throws {
        #expect(lane().run().status == 4)
        try directory.write("", to: "allowed")
        #expect(lane(.only(StepID("lane/second")), parameter: "y").run().status == 0)
        #expect(lane(.only(StepID("lane/first")), parameter: "y").run().status == 0)
        #expect(lane(.only(StepID("lane/third")), parameter: "y").run().record.started == ["lane/third"])
        let (status, record) = lane(.rest).run()
        #expect(status == 0)
        #expect(record.started == ["lane/second", "lane/third"])
    }

    @Test func aSingleStepLeavesTheRestForResume() throws {
        #expect(lane().run().status == 4)
        try directory.write("", to: "allowed")
        #expect(lane(.only(StepID("lane/second"))).run().status == 0)
        let (status, record) = lane(.rest).run()
        #expect(status == 0)
        #expect(record.started == ["lane/third"])
        for step in ["lane/first", "lane/second"] {
            #expect(record.outcomes[step] == .skipped(reason: "done in the last run"))
        }
    }

    @Test func missingOutputsAreMadeAgain() throws {
        func run(_ part: RunOptions.Part) -> (status: Int32, record: Recorder) {
            var lane = ScriptedRun()
            lane.root = directory.path
            lane.keepsRecords = true
            lane.options.jobs = 1
            lane.options.part = part
            lane.script("makes") { [directory] _, _ throws(OperationFailure) in
                do { try directory.write("made", to: "out") } catch { throw OperationFailure("\(error)") }
                return StepResult()
            }
            lane.script("needs") { [directory] _, _ throws(OperationFailure) in
                guard (try? directory.read("allowed")) != nil else { throw OperationFailure(status: 4, "not yet") }
                return StepResult()
            }
            lane.add("first", "makes", inputs: ["input"], outputs: ["out"])
            lane.add("second", "needs", after: ["first"])
            return lane.run()
        }
        try directory.write("1", to: "input")
        #expect(run(.all).status == 4)
        try directory.write("", to: "allowed")
        try removeTree("\(directory.path)/out")
        let (status, record) = run(.rest)
        #expect(status == 0)
        #expect(record.started == ["lane/first", "lane/second"])
    }

    @Test func refusesToResumeWithoutAnUnfinishedRun() throws {
        func refusal(_ lane: ScriptedRun) -> [String] {
            let (status, record) = lane.run()
            #expect(status == 65)
            return record.messages
        }
        #expect(refusal(lane(.rest)) == ["error: lane 'lane' cannot be resumed: it has not run here before"])
        try directory.write("1", to: "input")
        #expect(lane().run().status == 4)
        #expect(
            refusal(lane(.rest, parameter: "y")) == [
                """
                error: lane 'lane' cannot be resumed: its steps or parameters changed since its last run
                hint: give the same arguments as in that run, or run it without '--resume'
                """
            ])
        try directory.write("2", to: "input")
        #expect(
            refusal(lane(.rest)) == [
                "error: lane 'lane' cannot be resumed: 'input' changed since step 'lane/first' was done"
            ])
        try directory.write("", to: "allowed")
        #expect(lane().run().status == 0)
        #expect(refusal(lane(.rest)) == ["error: lane 'lane' cannot be resumed: its last run was finished"])
        #expect(refusal(lane(.only(StepID("lane/x")))) == ["error: lane 'lane' has no step 'lane/x'"])
    }

    @Test func aNewInputIsAChange() throws {
        func lane(_ part: RunOptions.Part) -> ScriptedRun {
            var lane = self.lane(part)
            lane.steps = []
            lane.add("first", "makes", inputs: ["sources/*.swift"])
            lane.add("second", "needs", after: ["first"])
            return lane
        }
        try directory.write("1", to: "sources/a.swift")
        #expect(lane(.all).run().status == 4)
        try directory.write("1", to: "sources/b.txt")
        #expect(lane(.rest).run().status == 4)
        try directory.write("1", to: "sources/b.swift")
        let (status, record) = lane(.rest).run()
        #expect(status == 65)
        #expect(
            record.messages == [
                "error: lane 'lane' cannot be resumed: 'sources/b.swift' is new since step 'lane/first' was done"
            ])
    }

    @Test(arguments: [true, false])
    func aCommittedTransactionIsNotRepeated(asAWhole: Bool) throws {
        let part = asAWhole ? RunOptions.Part.rest : .only(StepID("lane/after"))
        let tracker = TransactionTests.TestTracker()
        func lane(_ part: RunOptions.Part) -> ScriptedRun {
            var lane = self.lane(part)
            lane.steps = []
            lane.transactions = tracker
            lane.groups = [PlanGroup(path: "lane", lane: "lane", isTransaction: true)]
            lane.add("first", "makes")
            lane.add("skipped", condition: "false")
            lane.add("after", "needs", stage: .then, condition: "steps.first.name == 'Ada'")
            return lane
        }
        #expect(lane(.all).run().status == 4)
        #expect(tracker.all == ["begin", "commit"])
        try directory.write("", to: "allowed")
        let (status, record) = lane(part).run()
        #expect(status == 0)
        #expect(record.started == ["lane/after"])
        #expect(tracker.all == ["begin", "commit"])
    }

    /// A run that was killed ends in the middle of a line, before the record of its end.
    @Test(arguments: [true, false])
    func aKilledRunIsResumed(afterItsFirstStep: Bool) throws {
        #expect(lane().run().status == 4)
        let path = try #require(try RunStore(root: directory.path).records().first).path
        let lines = try readFile(path).split(separator: UInt8(ascii: "\n"))
        let notes = lines.indices.filter { lines[$0].starts(with: #"{"event":"note""#.utf8) }
        let killed = lines[...notes[afterItsFirstStep ? 1 : 0]].joined(separator: [UInt8(ascii: "\n")])
        try writeFile(killed + Array("\n{\"event\":\"note\",\"step\":\"lane/sec".utf8), to: path)
        #expect(try RunStore(root: directory.path).records().isEmpty)
        try directory.write("", to: "allowed")
        let (status, record) = lane(.rest).run()
        #expect(status == 0)
        #expect(record.started == ["lane/second", "lane/third"])
        let first = record.outcomes["lane/first"]
        #expect(first == (afterItsFirstStep ? .skipped(reason: "done in the last run") : .upToDate))
        #expect(try RunStore(root: directory.path).records().count == 1)
    }

    /// Steps can run lanes in the directory of their own run.
    @Test func aRunInsideAnotherHasItsOwnRecord() throws {
        var outer = lane()
        outer.script("makes") { [directory] _, _ throws(OperationFailure) in
            var inner = ScriptedRun()
            inner.root = directory.path
            inner.keepsRecords = true
            inner.add("a")
            inner.add("b", after: ["a"])
            guard inner.run().status == 0 else { throw OperationFailure("the inner run failed") }
            return StepResult(outputs: ["name": .string("Ada"), "n": .integer(3)])
        }
        #expect(outer.run().status == 4)
        #expect(try RunStore(root: directory.path).records().map(\.status) == [4, 0])
    }

    @Test func aTransactionRunsOnlyAsAWhole() {
        var lane = lane(.only(StepID("lane/second")))
        lane.groups = [PlanGroup(path: "lane", lane: "lane", isTransaction: true)]
        let (status, record) = lane.run()
        #expect(status == 65)
        #expect(record.started.isEmpty)
    }

    @Test func historyContainsEveryRun() throws {
        #expect(lane().run().status == 4)
        try directory.write("", to: "allowed")
        #expect(lane().run().status == 0)
        let entries = try RunStore(root: directory.path).records()
        #expect(entries.map(\.status) == [4, 0])
        #expect(entries.map(\.failedStep) == ["lane/second", nil])
        #expect(entries.allSatisfy { $0.lane == "lane" })
    }
}
