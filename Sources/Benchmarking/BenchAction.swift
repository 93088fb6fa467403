import CommitTesting
import Diagnostics
package import Expressions
import Files
import Git
import LaneEvents
package import LaneModel
package import LaneRun
import Processes

/// The `bench` action: measures a program, and compares it with the one of a base commit that is built in a private
/// worktree.
package struct BenchAction: StepAction {
    package init() {}

    package func summary(of settings: Settings) -> String {
        let program = settings.string("product") ?? RunAction.words(of: settings["command"]).joined(separator: " ")
        let base = settings.string("base").map { ", and compares it with \($0)" } ?? ""
        return "measures '\(program)'\(base)"
    }

    package func forecast(
        of settings: Settings, in context: StepContext, after earlier: [String: Value]
    ) -> StepForecast {
        StepForecast(summary(of: settings), obstacles: Self.problems(in: settings))
    }

    /// Returns the contradictions in settings.
    private static func problems(in settings: Settings) -> [String] {
        var problems: [String] = []
        if (settings["product"] == nil) == (settings["command"] == nil) {
            problems.append("'bench' needs either 'product' or 'command'")
        }
        if settings["arguments"] != nil, settings["product"] == nil {
            problems.append("the setting 'arguments' goes with 'product'")
        }
        if settings["threshold"] != nil, settings["base"] == nil {
            problems.append("the setting 'threshold' goes with 'base'")
        }
        return problems
    }

    package func run(_ settings: Settings, in context: StepContext) throws(StepFailure) -> StepResult {
        let problems = Self.problems(in: settings)
        guard problems.isEmpty else { throw .refused(problems) }
        guard let base = settings.string("base") else { return try measure(settings, against: nil, in: context) }
        let git = Git(context)
        let hash = try git.commit(base)
        let worktree = PrivateWorktree(of: try Repository.find(git), for: "bench", git: git)
        let lock = try takeLock(of: worktree, in: context)
        defer { withExtendedLifetime(lock) {} }
        // That of a killed run.
        try onFiles { () throws(FileError) in try worktree.remove() }
        defer { try? worktree.remove() }
        try worktree.checkOut(hash)
        guard isDirectory(worktree.package) else { throw .refused(["'\(base)' has no directory of the package"]) }
        let program = try BenchmarkProgram(
            settings, named: "'\(base)' (\(hash.prefix(10)))", in: worktree.package, context)
        return try measure(settings, against: program, in: context)
    }

    private func takeLock(of worktree: PrivateWorktree, in context: StepContext) throws(StepFailure) -> RunLock {
        let lock: RunLock?
        do throws(RunLock.Held) {
            lock = try RunLock.take(
                root: worktree.home, holder: "the step \(context.step)", environment: context.environment)
        } catch {
            throw .refused(["'\(error.holder)' measures in this repository\nhint: wait for it, or end it"])
        }
        guard let lock else {
            throw StepFailure(status: ExitStatus.cannotWrite.rawValue, "cannot write to '\(worktree.home)'")
        }
        return lock
    }

    private func measure(
        _ settings: Settings, against base: BenchmarkProgram?, in context: StepContext
    ) throws(StepFailure) -> StepResult {
        let own = try BenchmarkProgram(settings, named: "the checkout", in: context.directory, context)
        let measure = settings.string("measure").flatMap(Measure.init) ?? .time
        let counter: InstructionCounter? = measure == .instructions ? try .find(in: context) : nil
        var (values, baseValues): ([Double], [Double]) = ([], [])
        // The first round fills caches and is not counted.
        for round in 0...(settings.integer("runs") ?? 10) {
            var (value, baseValue): (Double, Double?) = (0, nil)
            if round.isMultiple(of: 2) { baseValue = try base?.measure(by: counter, in: context) }
            value = try own.measure(by: counter, in: context)
            if !round.isMultiple(of: 2) { baseValue = try base?.measure(by: counter, in: context) }
            guard round > 0 else { continue }
            values.append(value)
            if let baseValue { baseValues.append(baseValue) }
        }
        guard let summary = MedianInterval(of: values) else { throw .refused(["there are no runs"]) }
        if let base, let summary = MedianInterval(of: baseValues) {
            say(BenchmarkText.line(base.name, summary, measure), in: context)
        }
        say(BenchmarkText.line(own.name, summary, measure), in: context)
        let unit = measure == .time ? 1e6 : 1
        var outputs: [String: Value] = ["median": .integer(Int((summary.median * unit).rounded()))]
        if let base {
            outputs["change"] = try compare(values, with: baseValues, of: base, settings, in: context)
        }
        return StepResult(outputs: outputs)
    }

    /// Compares with the base. Returns the change in percent, rounded.
    private func compare(
        _ values: [Double], with baseValues: [Double], of base: BenchmarkProgram, _ settings: Settings,
        in context: StepContext
    ) throws(StepFailure) -> Value {
        guard let comparison = BenchmarkComparison(values, base: baseValues) else {
            throw StepFailure("\(base.name) took nothing, so there is nothing to compare with")
        }
        let threshold = settings.integer("threshold") ?? 5
        say(BenchmarkText.line(comparison, threshold: threshold), in: context)
        switch comparison.verdict(threshold: Double(threshold)) {
        case .slower:
            let change = BenchmarkText.percent(comparison.percent)
            throw StepFailure("the change of \(change) from \(base.name) is above the threshold of \(threshold) %")
        case .unclear:
            context.tell(.warning, "the interval contains the threshold of \(threshold) %; more 'runs' could decide")
        case .acceptable: break
        }
        return .integer(Int(comparison.percent.rounded()))
    }

    private func say(_ line: String, in context: StepContext) {
        context.send(.stepOutput(OutputChunk(stream: .standardOutput, bytes: Array("\(line)\n".utf8))))
    }
}
