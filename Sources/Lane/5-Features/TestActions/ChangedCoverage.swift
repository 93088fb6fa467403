import Actions
import ChangeImpact
import Events
import Git
import LaneModel
import OperatingSystem
import TestEngine
import Text
import ToolOutput

/// The coverage of the lines that differ from a base, in the settings of a `test` step.
struct ChangedCoverage {
    private let lines: ChangedLines
    /// The description of the base.
    let base: String
    let threshold: Int

    init(_ lines: ChangedLines, since base: String, threshold: Int) {
        self.lines = lines
        self.base = base
        self.threshold = threshold
    }

    /// Finds the changed lines before the tests run. Returns `nil` if no setting requires their coverage.
    init?(_ settings: Settings, in context: StepContext) throws(OperationFailure) {
        let threshold = settings.integer(TestSetting.changedThreshold)
        let given = settings.string(TestSetting.changedBase)
        guard threshold != nil || given != nil else { return nil }
        let git = Git(context)
        if case .none(let reason) = ChangeBase(given: given, environment: context.environment) {
            context.report(.note, "the coverage of the changed lines is not measured: \(reason)")
            return nil
        }
        let base: (commit: String, name: String)
        do throws(Undecided) {
            base = try ChangeBaseCommit(git: git, environment: context.environment).find(given)
        } catch {
            throw error.failure
                ?? OperationFailure(
                    status: ExitStatus.usage.rawValue, "no base for the changed lines: \(error.reason)")
        }
        self.init(
            try Self.lines(of: git, since: base.commit), since: "\(base.commit.prefix(9)) of '\(base.name)'",
            threshold: threshold ?? 0)
    }

    /// Returns the lines in git's directory that differ from a commit, including all lines of untracked files.
    static func lines(of git: Git, since commit: String) throws(OperationFailure) -> ChangedLines {
        let diff = try git.run([
            "diff", "--unified=0", "--inter-hunk-context=0", "--find-renames", "--no-color", "--no-ext-diff",
            "--no-textconv", "--src-prefix=a/", "--dst-prefix=b/", "--relative", "--ignore-submodules", commit, "--",
        ])
        var lines = ChangedLines(diff: diff.standardOutput)
        let untracked = try git.run(["ls-files", "--others", "--exclude-standard", "-z"])
        for path in untracked.standardOutput.split(separator: 0) {
            lines.add(newFile: String(decoding: path, as: UTF8.self))
        }
        return lines
    }

    /// Returns the part of a report that contains only the changed lines.
    func report(in report: CoverageReport) -> CoverageReport { report.restricted(to: lines) }

    /// Changes a verdict to a failure if the coverage of the changed lines is below the threshold. Returns the table of
    /// the changed lines.
    func apply(to verdict: inout TestVerdict) -> String? {
        guard let report = verdict.coverage.map(report(in:)) else { return nil }
        guard report.lines > 0 else { return "no line with code differs from \(base)" }
        // A failed test takes precedence, but another threshold does not.
        if let reason = report.shortfall(below: Double(threshold), of: "changed lines"),
            verdict.counts.unsuccessful == 0, verdict.status == .done || verdict.status == .failed
        {
            verdict.status = .failed
            verdict.reason = ([verdict.reason, reason].compactMap(\.self) + report.uncoveredRanges).joined(
                separator: "\n")
        }
        return (["line coverage of the lines that differ from \(base)"] + report.tableWithUncovered)
            .joined(separator: "\n")
    }
}
