import Git
import OperatingSystem
import Text

/// The rejections in the output of `git push --porcelain`.
struct PushReport {
    /// The full names of rejected references with git's reasons.
    let rejected: [(name: String, reason: String)]
    /// The explanation of the remote, without its progress.
    let explanation: [String]
    /// The error message of a push that updated no reference.
    let error: String

    init(_ run: CapturedRun) {
        rejected = run.text.lines.compactMap { line in
            let fields = line.split(separator: "\t").map(String.init)
            guard fields.count == 3, fields[0] == "!", let colon = fields[1].firstIndex(of: ":") else { return nil }
            return (String(fields[1][fields[1].index(after: colon)...]), fields[2])
        }
        let progress = ["Enumerating", "Counting", "Compressing", "Resolving", "Total ", "Processing"]
        explanation = run.errorText.lines.filter { $0.hasPrefix("remote:") }
            // Git overwrites its progress with spaces.
            .map { String($0.dropFirst("remote:".count).trimmed) }
            .filter { line in !line.isEmpty && !progress.contains(where: line.hasPrefix) }
        let errors = run.errorText.lines.filter { !$0.isEmpty }
        let messages = errors.filter { $0.hasPrefix("fatal: ") || $0.hasPrefix("remote: ") || $0.hasPrefix("error: ") }
        error = (messages.isEmpty ? errors : messages).first ?? "status \(run.report.status)"
    }

    /// The remote branch that has commits which this repository lacks.
    var branchAhead: String? {
        rejected.first { rejection in
            rejection.name.hasPrefix("refs/heads/")
                && ["fetch first", "non-fast-forward", "needs force"].contains { rejection.reason.contains($0) }
        }.map { shortName($0.name) }
    }

    /// The tag that already exists in the remote repository.
    var existingTag: String? {
        rejected.first { $0.name.hasPrefix("refs/tags/") && $0.reason.contains("already exists") }
            .map { shortName($0.name) }
    }

    /// The reason for the first rejection that does not follow from another one.
    var otherRejection: String? { rejected.first { !$0.reason.contains("atomic push failed") }?.reason }

    /// The reason with the explanation of the remote.
    var reason: String { ([otherRejection ?? error] + explanation).joined(separator: "\n") }

    /// A Boolean value that indicates whether the remote rejected the credentials. A retry would not help.
    private var lacksCredentials: Bool {
        ["Authentication failed", "could not read Username", "could not read Password", "Permission denied", " 403"]
            .contains { error.contains($0) }
    }

    /// Returns the report of a push that would be refused again, and the message of the hook that refused it. Throws any
    /// other failure.
    static func refusal(_ run: CapturedRun, _ git: Git) throws(OperationFailure) -> (report: PushReport, hook: String?)
    {
        let report = PushReport(run)
        let hook = report.rejected.isEmpty ? git.refusal(by: ["pre-push"], of: "push", run) : nil
        guard run.report.stoppedBy == nil, !report.rejected.isEmpty || report.lacksCredentials || hook != nil else {
            throw OperationFailure(of: "git push", run)
        }
        return (report, hook)
    }
}

extension Git {
    /// Fetches a branch of a remote. Returns a Boolean value that indicates whether it contains HEAD.
    func isHead(in branch: String, of remote: String) throws(OperationFailure) -> Bool {
        try run(["fetch", "--quiet", "--no-tags", "--", remote, "refs/heads/\(branch)"])
        return try isAncestor("HEAD", of: "FETCH_HEAD")
    }
}

/// Returns the name of a branch or tag without `refs/heads/` or `refs/tags/`.
func shortName(_ reference: String) -> String {
    String(reference.dropFirst((reference.hasPrefix("refs/tags/") ? "refs/tags/" : "refs/heads/").count))
}
