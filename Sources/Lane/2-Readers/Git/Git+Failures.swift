package import OperatingSystem
import Text

extension Git {
    /// Returns the failure of a command that git refuses because of the owner of the repository, or `nil` if the message
    /// is another one. This is common in containers, whose checkout often belongs to a user of the host.
    package static func distrust(in message: String) -> OperationFailure? {
        guard let first = message.lines.first(where: { $0.hasPrefix("fatal: ") }),
            ["dubious ownership", "unsafe repository"].contains(where: { first.contains($0) })
        else { return nil }
        // git before 2.38 appends "is owned by someone else" to the path.
        let path = first.split(separator: "'").dropFirst().first?.parts(separatedBy: " is owned by ").first ?? "*"
        return .refused([
            "git does not trust '\(path)' because it belongs to another user\n"
                + "hint: git config --global --add safe.directory '\(path)'"
        ])
    }

    /// Returns the failure of a command that creates a commit or a tag. The message names a hook or the signature if it
    /// is the cause.
    package func failure(of command: String, _ run: CapturedRun, making object: String, hooks: [String] = [])
        -> OperationFailure
    {
        let plain = OperationFailure(of: command, run)
        guard run.report.stoppedBy == nil else { return plain }
        let said = run.errorText.lines.filter { !$0.isEmpty }.joined(separator: "\n")
        if concernsSigning(said) {
            return OperationFailure("the \(object) could not be signed: \(said)\nhint: git config user.signingKey")
        }
        return refusal(by: hooks, of: object, run).map { OperationFailure($0) } ?? plain
    }

    /// Returns the message of a hook that refused a command, or `nil` if there is none.
    package func refusal(by hooks: [String], of object: String, _ run: CapturedRun) -> String? {
        let said = run.errorText.lines.filter { !$0.isEmpty }.joined(separator: "\n")
        let present = hooks.filter(hasHook)
        guard run.report.stoppedBy == nil, !present.isEmpty, !said.contains("fatal: ") else { return nil }
        let names = list(present.map { "'\($0)'" })
        return "a hook of the repository refused the \(object) (\(names)): "
            + (said.isEmpty ? "status \(run.report.status)" : said)
    }

    private func concernsSigning(_ text: String) -> Bool {
        if text.contains("failed to sign") || text.contains("unable to sign") { return true }
        guard text.contains("failed to write commit object") else { return false }
        return (try? self.text(["config", "--get", "--type=bool", "commit.gpgSign"])) == "true"
    }

    private func hasHook(_ name: String) -> Bool {
        guard let path = try? text(["rev-parse", "--git-path", "hooks/\(name)"]) else { return false }
        return fileExists(absolutePath(path, from: directory))
    }
}
