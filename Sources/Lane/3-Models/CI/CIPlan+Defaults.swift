import Expressions
import LaneModel
import Text

extension CIPlan {
    /// The command that installs `curl`, which publishing requires and the Swift images do not contain.
    private static let curl =
        "command -v curl >/dev/null || { apt-get -qq update && apt-get -qq install --no-install-recommends curl; }"

    /// Adds the jobs of a package without a configuration: checks and tests for every change, archives after them, and
    /// a manual release.
    mutating func addDefaultJobs(from files: CheckedLaneFiles) {
        var names: [String] = []
        for name in ["lint", "test", "package", "release"] {
            guard let lane = files[name], !lane.isPrivate, name != "test" || hasTests,
                name != "package" || hasProducts
            else { continue }
            // A job pushes an unpublished release, because its machine is deleted afterwards.
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
                if name == "release", hasProducts, lane.takesParts { job.systems = [.linux, .linuxARM] }
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
    /// The time in minutes to prepare the toolchain and `lane`.
    private static let preparation = 15

    init(_ lane: Lane, values: [String: String] = [:], in files: CheckedLaneFiles) {
        self.lane = lane
        self.values = values
        secrets = files.reached(from: lane, by: \.calls).flatMap(\.secrets).uniqued()
        runsTests = files.reached(from: lane) { $0.needs + $0.steps.flatMap(\.certainCalls) }
            .contains { $0.steps.contains(where: \.alwaysTests) }
    }

    /// The time limit of the job in minutes: the limit of the lane, or an hour, plus the time for preparation.
    var minutes: Int {
        let own = lane.timeout.map { Int(($0.components.seconds + 59) / 60) } ?? 45
        return max(1, own) + Self.preparation
    }
}

extension CheckedLaneFiles {
    /// Returns a lane and the lanes that it runs, directly or indirectly.
    fileprivate func reached(from lane: Lane, by calls: (Lane) -> [LaneCall]) -> [Lane] {
        var seen: Set<String> = [lane.name]
        var queue = [lane]
        var found: [Lane] = []
        while let next = queue.popLast() {
            found.append(next)
            for call in calls(next) where seen.insert(call.lane).inserted {
                if let lane = self[call.lane] { queue.append(lane) }
            }
        }
        return found
    }
}

extension Lane {
    /// A Boolean value that indicates whether exactly one step of the lane itself runs tests. The tests of such a lane
    /// can be sharded.
    var runsTestsItself: Bool { steps.count { $0.alwaysTests } == 1 }

    /// The paths of the report and coverage files of the lane's own test steps, by their settings. Paths from expressions
    /// are omitted.
    package var reportPaths: [String: String] { steps.reportPaths }
}

extension Step {
    fileprivate var alwaysTests: Bool {
        // Only the last job of several machines has parts.
        guard condition == nil || condition?.text == CIJob.hasNoParts else { return false }
        switch content {
        case .action(let kind, _): return kind == .builtIn(.test)
        case .lane: return false
        case .parallel(let steps): return steps.contains(where: \.alwaysTests)
        }
    }

    fileprivate var reportPaths: [String: String] {
        switch content {
        case .action(.builtIn(.test), let settings): settings.reportPaths
        case .action, .lane: [:]
        case .parallel(let steps): steps.reportPaths
        }
    }

    fileprivate var publishes: Bool {
        switch content {
        case .action(let kind, _): kind == .builtIn(.publish)
        case .lane: false
        case .parallel(let steps): steps.contains(where: \.publishes)
        }
    }

    /// The lanes that the step always runs.
    fileprivate var certainCalls: [LaneCall] {
        guard condition == nil else { return [] }
        switch content {
        case .action: return []
        case .lane(let call): return [call]
        case .parallel(let steps): return steps.flatMap(\.certainCalls)
        }
    }
}

extension [Step] {
    fileprivate var reportPaths: [String: String] {
        reduce(into: [:]) { paths, step in paths.merge(step.reportPaths) { first, _ in first } }
    }
}
