import TestActions
import Arguments
import LaneEvents
import LaneModel
import Planning

/// The commands that repeat parts of a run, as its reports name them after a failure.
struct RepeatCommands {
    /// A command for each step; `nil` for a step that cannot run without the others.
    typealias Commands = @Sendable (StepID) -> String?

    let lane: Lane
    let plan: Plan
    let arguments: ParsedArguments
    /// The words up to the name of the last lane.
    let names: [String]
    /// The words after that, as they were typed.
    let words: [String]

    /// Returns the commands that repeat a step and nothing else.
    func ofStep() -> Commands { commands(words(without: [])) }

    /// Returns the same for the tests that failed in it, as the records of this machine have them.
    func ofFailedTests() -> Commands {
        guard names.count == 1, lane.runs(.test), !arguments[TestOverrides.failed] else { return { _ in nil } }
        return commands(["--\(TestOverrides.failed.spec.name)"] + words(without: []))
    }

    /// Returns the same for tests whose names follow, each behind a `--filter`.
    func ofTests() -> Commands {
        // Other machines have neither the archive nor the recorded times or the queue.
        let choices: Set = [
            TestOverrides.filter.name, TestOverrides.failed.spec.name, Self.shard, TestOverrides.from.spec.name,
            TestOverrides.timings.spec.name, TestSetting.queue, TestSetting.queueLease,
        ]
        let own = Set(lane.parameters.map(\.name))
        let words = words(without: choices.subtracting(own))
        guard names.count == 1, lane.runs(.test), !own.contains(TestOverrides.filter.name), !words.contains("--") else {
            return { _ in nil }
        }
        let commands = commands(words)
        let divided = plan.steps.filter { $0.task.settings.members.contains { $0.name == Self.shard } }
        let dividedIDs = Set(divided.map { StepID($0.id) })
        let isOwn = own.contains(Self.shard)
        return { step in
            guard dividedIDs.contains(step) else { return commands(step) }
            return isOwn ? nil : commands(step).map { "\($0) --\(Self.shard) 1/1" }
        }
    }

    private static let shard = "shard"

    private func words(without names: Set<String>) -> [String] {
        guard !words.isEmpty else { return [] }
        return lane.commandSpec(runsTests: lane.runs(.test)).words(words, without: LaneOptions.ofOneRun.union(names))
    }

    private func commands(_ words: [String]) -> Commands {
        // An option after `--` would be an argument.
        let end = words.firstIndex(of: "--") ?? words.endIndex
        let (start, rest) = (["lane"] + names + words[..<end], Array(words[end...]))
        guard plan.steps.count > 1, arguments[LaneOptions.step] == nil else {
            let command = ShellWords.line(start + rest)
            return { _ in command }
        }
        let hasTransaction = plan.groups.contains { $0.isTransaction }
        let inside = hasTransaction ? Set(plan.steps.filter { plan.isInTransaction($0) }.map { StepID($0.id) }) : []
        return { step in
            inside.contains(step) ? nil : ShellWords.line(start + ["--step", step.description] + rest)
        }
    }
}
