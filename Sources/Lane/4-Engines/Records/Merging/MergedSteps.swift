import Events

/// The steps of a merged run, each of which several machines have run.
struct MergedSteps {
    private struct Step {
        var ends: [(shard: TestShard?, end: StepEnd)] = []
        let name: String
        let startedAt: Duration
    }

    private var steps: [StepID: Step] = [:]
    private var order: [StepID] = []
    /// The step of the tests, if they are known.
    private(set) var testStep: StepID?
    private(set) var hasTests = false
    /// The latest time of an event.
    private(set) var lastOffset = Duration.zero

    /// Records an event. Returns it unless it is the start or the end of a step on one of several machines.
    mutating func received(
        _ kind: LaneEvent.Kind, _ id: StepID?, at offset: Duration, in shard: TestShard?
    ) -> LaneEvent.Kind? {
        lastOffset = max(lastOffset, offset)
        if case .test = kind {
            (testStep, hasTests) = (id, true)
            return kind
        }
        guard let id else { return kind }
        switch kind {
        case .stepStarted(let start):
            guard steps[id] == nil else { return nil }
            steps[id] = Step(name: start.name, startedAt: offset)
            order.append(id)
            return .stepStarted(Self.ofAllMachines(start))
        case .stepEnded(let end):
            if steps[id] == nil {
                steps[id] = Step(name: end.name, startedAt: offset)
                order.append(id)
            }
            steps[id]?.ends.append((shard, end))
            return nil
        default: return kind
        }
    }

    /// Returns the start of a step without what concerns one machine: its log, and the commands that repeat its part.
    private static func ofAllMachines(_ start: StepStart) -> StepStart {
        var start = start
        (start.log, start.repeatCommand, start.repeatFailedCommand) = (nil, nil, nil)
        return start
    }

    /// Returns the ends of the steps in the order of their starts.
    ///
    /// - Parameter findings: The failures of the run as a whole, which belong to the step of the tests.
    func ends(failing findings: [String]) -> [(StepID, StepEnd)] {
        order.compactMap { id in
            guard let step = steps[id] else { return nil }
            let others = id == testStep ? findings : []
            let end = StepEnd(
                name: step.name, outcome: outcome(of: step, others), duration: lastOffset - step.startedAt,
                isForgiven: step.ends.last?.end.isForgiven ?? false)
            return (id, end)
        }
    }

    private func outcome(of step: Step, _ findings: [String]) -> StepEnd.Outcome {
        // The last run of a shard counts.
        var last: [Int: (shard: TestShard?, end: StepEnd)] = [:]
        for end in step.ends { last[end.shard?.index ?? 1] = end }
        let ends = last.sorted { $0.key < $1.key }.map(\.value)
        var status: [Int32] = findings.isEmpty ? [] : [1]
        var messages = findings
        for (shard, end) in ends {
            let name = shard.map { "shard \($0.index): " } ?? ""
            switch end.outcome {
            case .failed(let code, let message):
                status.append(code)
                messages.append(name + message)
            case .timedOut:
                status.append(124)
                messages.append(name + "timed out")
            case .cancelled:
                status.append(1)
                messages.append(name + "cancelled")
            case .passed, .skipped, .upToDate: break
            }
        }
        guard messages.isEmpty else {
            return .failed(status: ExitSeverity.worst(status), message: messages.joined(separator: "\n"))
        }
        return ends.count == 1 ? ends[0].end.outcome : .passed
    }
}
