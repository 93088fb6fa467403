import Events
import Text

/// The text at the end of a run: failures, flaky tests, slow tests, steps, result. A failure has its location and its
/// first line, because its full text is above.
struct RunRecap {
    let level: ReportLevel
    let results: ResultText
    private let failures: FailureText
    /// The number of columns of the first line of a failure.
    private let width: () -> Int

    /// The number of columns of a log.
    static let usualWidth = 80
    /// The minimum duration of a slow test.
    static let slowEnough = Duration.milliseconds(100)
    static let slowestCount = 10
    static let notRunLimit = 10
    /// The maximum number of further tests with the same failure, whose names are also above.
    static let groupLimit = 10
    /// The maximum number of tests in a command that runs failed tests again.
    static let repeatLimit = 10

    init(style: TextStyle, level: ReportLevel, width: @escaping () -> Int = { usualWidth }) {
        self.level = level
        self.width = width
        results = ResultText(style: style)
        failures = FailureText(results: results)
    }

    func lines(for run: RunSummary) -> [String] {
        var sections: [[String]] = []
        if level > .quiet {
            sections += testSections(run)
            sections.append(artifacts(run))
            sections.append(StepTable(results: results, isWhole: level == .verbose).lines(for: run))
        }
        sections.append(verdict(run))
        let shown = sections.filter { !$0.isEmpty }
        // A blank line precedes each part, and a further one separates the first part from the output of the run.
        return level == .quiet ? shown.flatMap { $0 } : shown.flatMap { [""] + $0 }
    }

    private func testSections(_ run: RunSummary) -> [[String]] {
        func section(_ title: String, of total: Int, _ chosen: (TestRecord) -> Bool) -> [String] {
            guard total > 0 else { return [] }
            let tests = run.tests(where: chosen)
            let groups = FailureGroups.groups(of: tests.map(\.test))
            var section = [results.heading("\(title) (\(grouped(total)))")]
            for group in groups { section += lines(for: group.first, and: group.others).map { "  \($0)" } }
            let rest = total - tests.count
            if rest > 0 {
                section.append("  and \(grouped(rest)) more; --verbose, --junit and --html list all of them")
            }
            return section
        }
        let counts = run.counts
        return [
            section("Failed", of: counts.failed) { $0.outcome == .failed },
            section("Crashed", of: counts.crashed) { if case .crashed = $0.outcome { true } else { false } },
            section("Timed out", of: counts.timedOut) { if case .timedOut = $0.outcome { true } else { false } },
            failuresOutsideTests(run), notRun(run), flaky(run), slowest(run),
        ]
    }

    private func lines(for test: TestRecord, and others: [TestRecord]) -> [String] {
        var lines = failures.brief(test, width: width() - 6)
        guard !others.isEmpty else { return lines }
        lines.append("    \(results.faint("and \(grouped(others.count, "more test")) with the same failure:"))")
        lines += others.prefix(Self.groupLimit).map { "      \(results.name($0.info))" }
        let rest = others.count - Self.groupLimit
        if rest > 0 { lines.append("      and \(grouped(rest)) more, listed above") }
        return lines
    }

    private func failuresOutsideTests(_ run: RunSummary) -> [String] {
        let issues = run.failuresOutsideTests
        guard !issues.isEmpty else { return [] }
        return [results.heading("Outside any test (\(grouped(issues.count)))")]
            + issues.flatMap { issue in
                let lines = failures.brief(issue, width: width() - 6)
                return lines.prefix(1).map { "  \(results.fail) \($0)" } + lines.dropFirst().map { "      \($0)" }
            }
    }

    private func notRun(_ run: RunSummary) -> [String] {
        let tests = run.tests { if case .notRun = $0.outcome { true } else { false } }
        guard !tests.isEmpty else { return [] }
        var lines = [results.heading("Not run (\(grouped(tests.count)))")]
        for (_, test) in tests.prefix(Self.notRunLimit) {
            guard case .notRun(let reason) = test.outcome else { continue }
            lines.append("  \(results.skip) \(results.name(test.info)): \(reason)")
        }
        if tests.count > Self.notRunLimit { lines.append("  and \(grouped(tests.count - Self.notRunLimit)) more") }
        return lines
    }

    private func flaky(_ run: RunSummary) -> [String] {
        let tests = run.tests(where: \.isFlaky)
        guard !tests.isEmpty else { return [] }
        return [results.heading("Flaky (\(grouped(tests.count)))")]
            + tests.map { _, test in
                let attempt = test.attempts.last?.number ?? 1
                return "  \(results.retry) \(results.name(test.info)) passed on attempt \(attempt)"
            }
    }

    private func slowest(_ run: RunSummary) -> [String] {
        let slow = Self.slowest(of: run, atLeast: level == .verbose ? .zero : Self.slowEnough)
        guard !slow.isEmpty else { return [] }
        let times = slow.map { $0.duration?.text ?? "" }
        let columns = times.map(TerminalText.columns).max() ?? 0
        return [results.heading("Slowest")]
            + zip(slow, times).map { test, time in
                "  \(results.faint(TerminalText.rightAligned(time, to: columns)))  \(results.name(test.info))"
            }
    }

    /// Returns the slowest tests of all steps.
    static func slowest(of run: RunSummary, atLeast limit: Duration) -> [TestRecord] {
        let tests = run.tests.flatMap { $0.summary.slowest(slowestCount, atLeast: limit) }
        return Array(tests.sorted { ($0.duration ?? .zero) > ($1.duration ?? .zero) }.prefix(slowestCount))
    }

    private func artifacts(_ run: RunSummary) -> [String] {
        guard !run.artifacts.isEmpty else { return [] }
        let columns = run.artifacts.map { TerminalText.columns($0.path) }.max() ?? 0
        return [results.heading("Made")]
            + run.artifacts.map { artifact in
                "  \(TerminalText.padded(artifact.path, to: columns))  \(results.faint(sizeText(artifact.size)))"
            }
    }

    private func verdict(_ run: RunSummary) -> [String] {
        guard let end = run.end else { return [] }
        var lines: [String] = []
        if !run.tests.isEmpty { lines.append(testTotals(run)) }
        let diagnostics = diagnosticTotals(run)
        if !diagnostics.isEmpty, level > .quiet { lines.append(diagnostics) }
        let symbol = end.status == 0 ? results.pass : results.fail
        lines.append("\(symbol) \(results.heading(run.lane)) \(outcome(of: end)) \(results.faint(end.duration.text))")
        return lines + advice(run)
    }

    private func testTotals(_ run: RunSummary) -> String {
        let counts = run.counts
        guard counts.planned > 0 else { return "\(results.fail) no test ran" }
        let suites = run.tests.reduce(0) { $0 + $1.summary.suiteCount }
        let outside = run.failuresOutsideTests.count
        let symbol = counts.unsuccessful + outside > 0 ? results.fail : results.pass
        let total = "\(grouped(counts.planned, "test")) in \(count(suites, "suite"))"
        let others = outside > 0 ? ", \(grouped(outside, "failure")) outside any test" : ""
        return "\(symbol) \(results.heading(total)): \(results.tally(counts, passes: run.passes))\(others)"
    }

    private func diagnosticTotals(_ run: RunSummary) -> String {
        let errors = run.diagnostics.count { $0.severity == .error }
        let warnings = run.diagnostics.count { $0.severity == .warning }
        guard errors + warnings > 0 else { return "" }
        let parts = [(errors, "error"), (warnings, "warning")].filter { $0.0 > 0 }
        let symbol = errors > 0 ? results.fail : results.warn
        return "\(symbol) \(parts.map { grouped($0.0, $0.1) }.joined(separator: ", "))"
    }

    private func outcome(of end: RunEnd) -> String {
        switch ExitStatus(rawValue: end.status) {
        case .done: "passed in"
        case .timedOut: "timed out after"
        case let status where status.isInterruption: "interrupted after"
        case .failed: "failed after"
        default: "failed with exit status \(end.status) after"
        }
    }

    /// Returns a Boolean value that indicates whether the log of a step contains more than its failure.
    private func hasPrinted(_ step: StepSummary, _ run: RunSummary) -> Bool {
        !step.output.isEmpty || run.tests(of: step.id) != nil || !run.diagnostics.isEmpty
    }

    /// Returns the log file of each failed step, and the command that runs the step again.
    private func advice(_ run: RunSummary) -> [String] {
        var lines: [String] = []
        for index in run.steps.indices where run.steps[index].end?.outcome.isFailure == true {
            let step = run.steps[index]
            if step.end?.outcome == .cancelled { continue }
            let name = TerminalText.truncated(step.name, to: StepTable.maximumNameWidth, ellipsis: results.ellipsis)
            if let log = step.start?.log, hasPrinted(step, run) { lines.append("  full output of \(name): \(log)") }
            if let command = commandForFailedTests(of: step, run) {
                lines.append("  run the failed tests again: \(command)")
            } else if let command = step.repeatCommand {
                lines.append("  run \(name) again: \(command)")
            }
        }
        return lines
    }

    /// Returns the command that runs the failed tests of a step again. Returns `nil` if there are none or too many, or
    /// if the tests cannot be selected.
    private func commandForFailedTests(of step: StepSummary, _ run: RunSummary) -> String? {
        guard let tests = run.tests(of: step.id), tests.isListed, tests.counts.unsuccessful > 0 else { return nil }
        if let command = step.start?.repeatFailedCommand { return command }
        guard let command = step.start?.repeatTestsCommand, tests.counts.unsuccessful <= Self.repeatLimit else {
            return nil
        }
        var words = Array(command.utf8)
        let failed = run.tests { $0.outcome?.isUnsuccessful == true }.filter { $0.step == step.id }.map(\.test.id)
            .sorted()
        for test in failed {
            words += Array(" --filter ".utf8)
            words.appendShellQuoted(TerminalText.sanitized(test.description))
        }
        return String(decoding: words, as: UTF8.self)
    }
}

extension StepSummary {
    /// The command that runs the step again. `nil` if it would only fail again, because it is invalid, selects no test or
    /// names a missing file.
    var repeatCommand: String? {
        if start?.action == "test", case .failed(let status, _) = end?.outcome,
            [.nothingRan, .usage, .fileNotFound].contains(ExitStatus(rawValue: status))
        {
            return nil
        }
        return start?.repeatCommand
    }
}
