package import Bisection
package import LaneRun
package import Processes

import Diagnostics
import Files
import LaneEvents
import Merging
import ResultHistory
import Text

/// A test of commits, which runs `lane` in a private worktree.
package struct CommitTester: Sendable {
    private let target: BisectionRecord.Target
    private let worktree: PrivateWorktree
    /// The root of the checkout, whose lane files a commit uses that lacks the lane.
    private let checkout: String
    /// The path of `lane`.
    private let program: String
    /// The directory for the output at each commit.
    private let logs: String
    private let environment: [String: String]
    private let processes: any ProcessRunner
    private let cancellation: Cancellation

    /// The exit status of a step that requests to skip the commit, as with `git bisect run`.
    private static let skipStatus: Int32 = 125
    /// The time in which a cancelled `lane` may end its steps.
    private static let grace = Duration.seconds(10)

    package init(
        _ target: BisectionRecord.Target, in worktree: PrivateWorktree, checkout: String, program: String,
        logs: String, environment: [String: String], processes: any ProcessRunner, cancellation: Cancellation
    ) {
        self.target = target
        self.worktree = worktree
        self.checkout = checkout
        self.program = program
        self.logs = logs
        self.processes = processes
        self.cancellation = cancellation
        var own = environment
        // The worktree has its own build directory, and its runs do not belong to the CI job's report.
        for name in ["SWIFTPM_BUILD_DIR", "GITHUB_STEP_SUMMARY", "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
            own[name] = nil
        }
        own["NO_COLOR"] = "1"
        // This mark identifies the processes of a killed bisection.
        own[ChildMark.root] = worktree.home
        self.environment = own
    }

    /// Tests a commit. Returns `nil` if it was cancelled.
    package func test(_ hash: String, _ plan: SamplingPlan) throws(StepFailure) -> CommitTrial? {
        guard !cancellation.isCancelled else { return nil }
        let start = Monotonic.now
        do throws(StepFailure) {
            try worktree.checkOut(hash)
            try worktree.addLanes(of: checkout, ifMissing: laneFile)
        } catch {
            if cancellation.isCancelled { return nil }
            throw error
        }
        var trial: CommitTrial?
        if isDirectory(worktree.package) {
            let output = try convertingFileErrors { () throws(FileError) in try Output(logs, hash) }
            switch target {
            case .test(let pattern): trial = try test(pattern, plan, output)
            case .lane(let name, let arguments): trial = try test(name, arguments, plan, output)
            }
        } else {
            trial = CommitTrial(obstacle: "has no directory of the package")
        }
        trial?.duration = Monotonic.now - start
        return cancellation.isCancelled ? nil : trial
    }

    /// The path of the lane file, relative to the root of the lanes.
    private var laneFile: String {
        switch target {
        case .test: "Lanes/test.yml"
        case .lane(let name, _): "Lanes/\(name).yml"
        }
    }

    /// The files with the output and the events of the last run at a commit.
    private struct Output {
        let log: LogFile
        let events: String

        init(_ directory: String, _ hash: String) throws(FileError) {
            log = try LogFile("\(directory)/\(hash.prefix(10)).log")
            events = "\(directory)/\(hash.prefix(10)).jsonl"
        }
    }

    // MARK: Tests

    /// Runs the tests that match a pattern. The results include tests in quarantine, because the test engine records
    /// these.
    private func test(_ pattern: String, _ plan: SamplingPlan, _ output: Output) throws(StepFailure) -> CommitTrial {
        try convertingFileErrors { () throws(FileError) in try removeTree("\(worktree.package)/.lane/tests/results") }
        var (retries, repetitions) = (0, 1)
        switch plan {
        case .untilPass(let attempts): retries = attempts - 1
        case .untilFailure(let attempts): repetitions = attempts
        }
        let run = try run(
            "test", ["--no-coverage", "--filter=\(pattern)", "--retries=\(retries)", "--repeat=\(repetitions)"], output)
        var trial = CommitTrial()
        for result in ResultStore(root: worktree.package).runs().flatMap(\.results) { trial.add(result) }
        if trial.attempts.isEmpty { trial.obstacle = Self.obstacle(run) }
        return trial
    }

    // MARK: Lanes

    private func test(
        _ lane: String, _ arguments: [String], _ plan: SamplingPlan, _ output: Output
    ) throws(StepFailure) -> CommitTrial {
        var trial = CommitTrial()
        for _ in 0..<plan.attempts where !cancellation.isCancelled {
            let run = try run(lane, arguments, output)
            var summary = RunSummary()
            try? EventFile(output.events).read(only: ["runStarted", "stepEnded", "runEnded"]) { summary.receive($0) }
            trial.hasSucceeded = run.report.succeeded
            guard run.report.status != Self.skipStatus, summary.end != nil else {
                return CommitTrial(obstacle: Self.obstacle(run))
            }
            add(summary.steps, to: &trial)
            if !trial.hasSucceeded { break }
        }
        return trial
    }

    /// Adds the results of steps. A step whose build failed has another identifier than one whose tests failed.
    private func add(_ steps: [StepSummary], to trial: inout CommitTrial) {
        for step in steps {
            guard let end = step.end else { continue }
            switch end.outcome {
            case .passed, .upToDate: trial.attempts[step.id.description, default: .init()].passed += 1
            case .failed(status: ExitStatus.buildFailed.rawValue, _) where !end.isForgiven:
                trial.attempts["\(step.id) (build)", default: .init()].failed += 1
                trial.obstacle = "does not build"
            case .failed where !end.isForgiven, .timedOut where !end.isForgiven:
                trial.attempts[step.id.description, default: .init()].failed += 1
                if trial.obstacle.isEmpty { trial.obstacle = "step '\(step.id)' failed" }
            default: break
            }
        }
    }

    // MARK: The process

    private func run(
        _ lane: String, _ arguments: [String], _ output: Output
    ) throws(StepFailure) -> CapturedRun {
        try convertingFileErrors { () throws(FileError) in try removeTree(output.events) }
        let words = [lane, "--quiet", "--events=\(output.events)"] + arguments
        let command = Command(program, words, environment: environment, directory: worktree.package)
        do throws(SpawnError) {
            let limits = RunLimits(grace: Self.grace, cancellation: cancellation)
            let run = try processes.capture(command, limits: limits)
            try? output.log.append(run.standardOutput + run.standardError)
            return run
        } catch {
            throw StepFailure(error)
        }
    }

    /// Returns the reason why a run has no results.
    private static func obstacle(_ run: CapturedRun) -> String {
        switch ExitStatus(rawValue: run.report.status) {
        case .buildFailed: return "does not build"
        case .nothingRan: return "has none of the tests"
        default: break
        }
        let error = (run.errorText + "\n" + run.text).split(separator: "\n").first {
            $0.lowercased().contains("error: ")
        }
        return error.map { $0.hasPrefix("error: ") ? String($0.dropFirst("error: ".count)) : String($0) }
            ?? "exit status \(run.report.status)"
    }
}
