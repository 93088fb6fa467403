import Events
import Expressions
import LaneModel
import OperatingSystem
import Runner
import TestSupport
import Testing

/// Random histories of a step, compared with a model: a step is up to date only if its last attempt had these settings
/// and inputs and succeeded, and its output has not changed since.
@Suite struct UpToDateHistoryTests {
    private struct Attempt: Equatable {
        let parameter: Int
        let input: Int
    }

    private enum Ending: CaseIterable {
        case success, failure, kill
    }

    @Test("A step is up to date only after a successful last attempt", arguments: 1...30)
    func history(seed: UInt64) throws {
        var random = RandomSequence(seed: seed)
        let directory = try TemporaryDirectory()
        var input = 0
        try directory.write("0", to: "in.txt")
        var current: Attempt?
        for move in 0..<25 {
            if random.below(4) == 0 {
                input = random.below(3)
                try directory.write("\(input)", to: "in.txt")
            }
            if random.below(8) == 0, fileExists("\(directory.path)/out.txt") {
                try directory.write("edit \(move)", to: "out.txt")
                current = nil
            }
            let attempt = Attempt(parameter: random.below(2), input: input)
            let ending = Ending.allCases[random.below(3)]
            let isForced = random.below(5) == 0
            let outcome = try run(attempt, ending, isForced: isForced, in: directory)
            if !isForced, current == attempt {
                #expect(outcome == .upToDate, "seed \(seed), move \(move)")
            } else {
                #expect(outcome != .upToDate, "seed \(seed), move \(move)")
                current = ending == .success ? attempt : nil
            }
        }
    }

    /// Runs the step. A kill leaves the records as they are while the step runs.
    private func run(
        _ attempt: Attempt, _ ending: Ending, isForced: Bool, in directory: TemporaryDirectory
    ) throws -> StepEnd.Outcome? {
        let state = "\(directory.path)/.lane/state"
        let kept = "\(directory.path)/kept"
        try? removeTree(kept)
        // The command of all endings is the same, as a user's command that fails for reasons outside its inputs.
        try directory.write(ending == .success ? "exit 0" : ending == .kill ? "exit 2" : "exit 1", to: "ending.sh")
        var lane = ScriptedRun()
        lane.root = directory.path
        lane.keepsRecords = true
        lane.options.isForced = isForced
        lane.add(
            "a", "run",
            settings: [
                (
                    "command",
                    .string(
                        "echo \(attempt.parameter) $(cat in.txt) > out.txt; "
                            + "if [ -e .lane/state ]; then cp .lane/state kept; fi; sh ending.sh")
                )
            ],
            inputs: ["in.txt"], outputs: ["out.txt"])
        let (_, record) = lane.run()
        if ending == .kill, record.started.contains("lane/a") {
            try? removeTree(state)
            if let bytes = try? readFile(kept) { try writeFile(bytes, to: state) }
        }
        return record.outcomes["lane/a"]
    }
}

/// A reproducible sequence of numbers.
private struct RandomSequence {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed &* 0x9E37_79B9_7F4A_7C15
    }

    mutating func below(_ limit: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(limit))
    }
}
