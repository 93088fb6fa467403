import Arguments
import Events
import LaneModel
import Runner
import TestActions

/// The command line of a run, and the commands in reports of failures that run parts of it again.
struct RepeatCommands {
    let tests: TestRequest
    let plan: Plan
    /// The options of the container in which the lane runs, or no words outside a container.
    let container: [String]
    /// The options before the names of the lanes.
    var program: [String] = []
    /// The words up to the name of the last lane.
    let names: [String]
    /// The words after the name of the last lane.
    let words: [String]

    private var lane: Lane { tests.lane }

    /// A Boolean value that indicates whether the run has packed tests, which no other machine has later.
    var isOfOneMachine: Bool { tests.hasPackedTests }

    /// Returns the words of the command line after the name of the program, without some options.
    func words(without names: Set<String>) -> [String] {
        self.names + lane.commandSpec().words(words, without: names)
    }

    /// Returns the command that repeats a step and nothing else, from the sources.
    func ofStep() -> RepeatCommand { command(repeatedWords(without: isOfOneMachine ? otherMachines : [])) }

    /// Returns the command that runs only the failed tests of a step again, which this machine has recorded.
    func ofFailedTests() -> RepeatCommand? {
        guard names.count == 1, lane.runsTests, !tests.arguments[TestRequest.failed] else { return nil }
        return command(["--\(TestRequest.failed.spec.name)"] + repeatedWords(without: ofSomeTests))
    }

    /// Returns the command that runs only some tests of a step again. Each test is appended as `--filter NAME`.
    func ofTests() -> RepeatCommand? {
        let choices: Set = [TestRequest.filter.name, TestRequest.failed.spec.name, Self.shard]
        let words = repeatedWords(without: choices.subtracting(own).union(otherMachines).union(ofSomeTests))
        guard names.count == 1, lane.runsTests, !own.contains(TestRequest.filter.name), !words.contains("--") else {
            return nil
        }
        var command = command(words)
        let divided = plan.steps.filter { $0.task.settings.members.contains { $0.name == Self.shard } }
        for step in divided.map({ StepID($0.id) }) {
            if own.contains(Self.shard) { command.excluded.insert(step) }
            command.endings[step] = " --\(Self.shard) 1/1"
        }
        return command
    }

    private static let shard = "shard"

    /// The options that a run of some tests does not have.
    private var ofSomeTests: Set<String> { Set(TestSetting.ofAllTests + TestSetting.ofChanges).subtracting(own) }

    /// The names of the lane's parameters.
    private var own: Set<String> { Set(lane.parameters.map(\.name)) }

    /// The options for the archive and the recorded times.
    private var otherMachines: Set<String> {
        Set([TestRequest.from.spec.name, TestRequest.timings.spec.name]).subtracting(own)
    }

    private func repeatedWords(without names: Set<String>) -> [String] {
        guard !words.isEmpty else { return [] }
        return lane.commandSpec().words(words, without: LaneOptions.ofOneRun.union(names))
    }

    private func command(_ words: [String]) -> RepeatCommand {
        // An option after `--` would be an argument.
        let end = words.firstIndex(of: "--") ?? words.endIndex
        let (start, rest) = (["lane"] + program + names + container + words[..<end], Array(words[end...]))
        guard plan.steps.count > 1, tests.arguments[LaneOptions.step] == nil else {
            return RepeatCommand(start, rest, namesStep: false)
        }
        let hasTransaction = plan.groups.contains { $0.isTransaction }
        let inside = hasTransaction ? Set(plan.steps.filter { plan.isInTransaction($0) }.map { StepID($0.id) }) : []
        return RepeatCommand(start, rest, namesStep: true, excluded: inside)
    }
}
