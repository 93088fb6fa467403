import CommitTesting
import Diagnostics
package import Expressions
import Files
import Git
import LaneEvents
package import LaneModel
package import LaneRun
import Processes

/// The `bench` action: measures a program, and compares it with the one of a base commit, which is built in a private
/// worktree, and with other programs.
package struct BenchAction: StepAction {
    /// The exit status of a shell for a program that is not installed.
    private static let commandNotFound: Int32 = 127

    package init() {}

    package func summary(of settings: Settings) -> String {
        let program = settings.string("product") ?? RunAction.words(of: settings["command"]).joined(separator: " ")
        let others = ([settings.string("base")] + (settings.map("peers") ?? []).map(\.name)).compactMap(\.self)
        return "measures '\(program)'"
            + (others.isEmpty ? "" : ", and compares it with \(list(others, joinedBy: "and"))")
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
        let peers = (settings.map("peers") ?? []).map(\.name)
        for text in settings.strings("at-most") ?? [] {
            guard let limit = BenchmarkLimit(text) else {
                problems.append("'at-most': expected a limit such as '1.5 x gzip' or '10 ms', found '\(text)'")
                continue
            }
            if let problem = limit.problem(measure(in: settings), peers: peers) { problems.append(problem) }
        }
        return problems
    }

    private static func measure(in settings: Settings) -> Measure {
        settings.string("measure").flatMap(Measure.init) ?? .time
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
        try convertingFileErrors { () throws(FileError) in try worktree.remove() }
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
            lock = try RunLock.acquire(
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
        var peers: [BenchmarkProgram] = []
        for (name, command) in settings.map("peers") ?? [] {
            let peer = try BenchmarkProgram(peer: name, RunAction.words(of: command), settings, context)
            do throws(StepFailure) {
                _ = try peer.measure(.time, by: nil, in: context)
            } catch {
                guard [Self.commandNotFound, ExitStatus.toolMissing.rawValue].contains(error.status) else {
                    throw error
                }
                context.report(.warning, "'\(name)' is omitted: \(error.message.split(separator: "\n").first ?? "")")
                continue
            }
            peers.append(peer)
        }
        let measure = Self.measure(in: settings)
        let tool = try MeasuringTool.find(for: measure, in: context)
        let programs = [base].compactMap(\.self) + [own] + peers
        var values = [[Double]](repeating: [], count: programs.count)
        // The first round fills caches and is not counted. Each round starts with another program.
        for round in 0...(settings.integer("runs") ?? 10) {
            for offset in programs.indices {
                let index = (round + offset) % programs.count
                let value = try programs[index].measure(measure, by: tool, in: context)
                if round > 0 { values[index].append(value) }
            }
        }
        let limits = (settings.strings("at-most") ?? []).compactMap(BenchmarkLimit.init)
        let results = BenchmarkResults(
            measure: measure, names: programs.map(\.name), values: values, hasBase: base != nil,
            threshold: settings.integer("threshold") ?? 5, limits: limits)
        let report = try results.report()
        for line in report.lines {
            context.send(.stepOutput(OutputChunk(stream: .standardOutput, bytes: Array("\(line)\n".utf8))))
        }
        for warning in report.warnings { context.report(.warning, warning) }
        guard report.failures.isEmpty else { throw StepFailure(report.failures.joined(separator: "\n")) }
        return StepResult(outputs: report.outputs)
    }
}
