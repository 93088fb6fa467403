package import Events

/// A run that consists of the event files of several machines, each of which ran a shard of the tests.
package struct MergedRun: Sendable {
    private let plan: MergePlan

    /// Reads the files once to compare them.
    package init(_ files: [EventFile]) throws(MergeError) {
        var surveys: [ShardSurvey] = []
        for file in files { surveys.append(try ShardSurvey(of: file)) }
        plan = try MergePlan(surveys)
    }

    /// A Boolean value that indicates whether all shards have reported all tests.
    package var isComplete: Bool { plan.findings.isEmpty }

    /// Passes the events of the run to `send`, with the time of each since the start of the first machine, as if one
    /// machine had run all tests. Returns the exit status of the run.
    package func replay(
        _ send: (LaneEvent.Kind, _ step: StepID?, _ offset: Duration) -> Void
    ) throws(MergeError) -> Int32 {
        let origin = plan.parts.map(\.startedAt).min() ?? 0
        var steps = MergedSteps()
        send(.runStarted(RunStart(lane: lane, steps: plannedSteps, startedAt: origin)), nil, .zero)
        var attempts: [Int: Int] = [:]
        var coverage = MergedCoverage()
        for part in plan.parts {
            let delay = Duration.seconds(part.startedAt - origin)
            let translation = ShardTranslation(part, earlierAttempts: attempts[part.index] ?? 0)
            try part.file.read { (event) throws(MergeError) in
                let offset = delay + event.offset
                if case .coverage(let measured) = event.kind { return coverage.add(measured, of: part.index) }
                guard let kind = translation.translated(event.kind) else { return }
                if let kind = steps.received(kind, event.step, at: offset, in: part.shard) {
                    send(kind, event.step, offset)
                }
            }
            attempts[part.index, default: 0] += part.highestAttempt
        }
        let end = steps.lastOffset
        let testStep = steps.testStep
        for finding in plan.findings {
            send(.test(.issue(TestIssue(test: nil, text: finding))), testStep, end)
        }
        if steps.hasTests { send(.test(.finished), testStep, end) }
        if let all = coverage.all {
            for table in all.tables { send(.message(Message(.note, table)), testStep, end) }
            send(.coverage(all), testStep, end)
        }
        var status = ExitSeverity.worst(lastStatuses + (plan.findings.isEmpty ? [] : [1]))
        // A failed test takes precedence over a threshold.
        let shortfalls = status == 0 ? coverage.shortfalls(of: plan.parts) : []
        if !shortfalls.isEmpty { status = 1 }
        for (id, stepEnd) in steps.ends(failing: plan.findings + shortfalls) { send(.stepEnded(stepEnd), id, end) }
        send(.runEnded(RunEnd(status: status, duration: end)), nil, end)
        return status
    }

    private var lane: String { plan.parts.first?.start?.lane ?? "" }

    private var plannedSteps: [StepSummary] {
        var seen: Set<StepID> = []
        return plan.parts.flatMap { $0.start?.steps ?? [] }.filter { seen.insert($0.id).inserted }
    }

    /// The exit status of the last run of each shard.
    private var lastStatuses: [Int32] {
        var statuses: [Int: Int32] = [:]
        for part in plan.parts { statuses[part.index] = part.end?.status }
        return Array(statuses.values)
    }
}

/// The order of exit statuses by their severity.
enum ExitSeverity {
    /// From the most severe: a crash, a failed build, a timeout, a failed test.
    private static let order: [Int32] = [5, 3, 124, 1]

    static func worst(_ statuses: [Int32]) -> Int32 {
        order.first(where: statuses.contains) ?? statuses.first { $0 != 0 } ?? 0
    }
}
