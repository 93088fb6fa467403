import LaneModel

extension CIPlan {
    /// With which releases are published, and which the images of Swift do not have.
    private static let curl =
        "command -v curl >/dev/null || { apt-get -qq update && apt-get -qq install --no-install-recommends curl; }"

    /// What any package gets without configuration: its checks and tests for every change, its archives after them, its
    /// release by hand.
    mutating func addDefaultJobs(from files: CheckedLaneFiles) {
        var names: [String] = []
        for name in ["lint", "test", "package", "release"] {
            guard let lane = files[name], !lane.isPrivate, name != "test" || hasTests else { continue }
            // What stays on a machine that is gone afterwards was for nothing.
            let publishes = lane.parameter("publish")?.kind == .bool
            let call = CICall(lane, values: publishes ? ["publish": "true"] : [:], in: files)
            let isManual = lane.isTransaction || lane.parameters.contains(where: \.isRequired)
            var job = CIJob(name: name, title: lane.summary ?? name, calls: [call])
            job.minutes = call.minutes
            if isManual {
                job.events = [.manual]
                job.permissions = [("contents", "write")]
                job.environment = name
                job.setup = publishes ? [Self.curl] : []
                job.pushes = lane.isTransaction && !publishes && !(lane.steps + lane.then).contains(where: \.publishes)
            } else if name == "package" {
                job.needs = names.filter { $0 == "test" }
                job.artifacts = ["dist"]
            }
            names.append(name)
            jobs.append(job)
        }
        makeTitlesUnique()
    }
}

extension CICall {
    /// How long getting the toolchain and `lane` itself may take, in minutes.
    private static let preparation = 15

    init(_ lane: Lane, values: [String: String] = [:], in files: CheckedLaneFiles) {
        self.lane = lane
        self.values = values
        var seen: Set<String> = [lane.name]
        var queue = [lane]
        while let next = queue.popLast() {
            secrets += next.secrets
            runsTests = runsTests || next.steps.contains(where: \.alwaysTests)
            for call in next.needs + next.steps.flatMap(\.calls) where seen.insert(call.lane).inserted {
                if let lane = files[call.lane] { queue.append(lane) }
            }
        }
        secrets = secrets.uniqued()
    }

    /// What the lane may take, and the time before it; an hour where the lane does not say.
    var minutes: Int {
        let own = lane.timeout.map { Int(($0.components.seconds + 59) / 60) } ?? 45
        return max(1, own) + Self.preparation
    }
}

extension Step {
    fileprivate var alwaysTests: Bool {
        guard condition == nil else { return false }
        switch content {
        case .action(let kind, _): return kind == .builtIn(.test)
        case .lane: return false
        case .parallel(let steps): return steps.contains(where: \.alwaysTests)
        }
    }

    fileprivate var publishes: Bool {
        switch content {
        case .action(let kind, _): kind == .builtIn(.publish)
        case .lane: false
        case .parallel(let steps): steps.contains(where: \.publishes)
        }
    }

    /// Lanes that it runs whatever happens.
    fileprivate var calls: [LaneCall] {
        guard condition == nil else { return [] }
        switch content {
        case .action: return []
        case .lane(let call): return [call]
        case .parallel(let steps): return steps.flatMap(\.calls)
        }
    }
}
