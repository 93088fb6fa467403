package import Actions
package import Expressions
import Git
package import LaneModel
package import OperatingSystem
import Text
import Versioning

/// The `commit` action: commits the changes of the previous steps.
package struct CommitAction: BuiltInStepAction {
    package static let schema = ActionSchema(
        "commit", "Commit the changes of the previous steps", shorthand: "message",
        settings: [
            SettingSchema("message", .string, "The commit message"),
            SettingSchema("files", .list(.path), "The only files to commit"),
        ],
        outputs: [
            ActionOutput("commit", .string, "The full hash of the commit")
        ],
        example: """
            - commit: Release ${{ parameters.version }}
            - commit: { message: "Update the grammar", files: [Sources/Grammar] }
            """)

    package init() {}

    package func summary(of settings: Settings) -> String {
        summary(settings.string("message") ?? "Release …")
    }

    package func forecast(
        of settings: Settings, in context: StepContext, after earlier: [String: Value]
    ) -> StepForecast {
        if settings.string("message") != nil { return StepForecast(summary(of: settings)) }
        let planned = PlannedVersion(Settings(), in: context, after: earlier)
        return StepForecast(planned.map { summary("Release \($0.version)") } ?? summary(of: settings))
    }

    private func summary(_ message: String) -> String { "commit as '\(message)'" }

    package func run(_ settings: Settings, in context: StepContext) throws(OperationFailure) -> StepResult {
        let git = Git(context)
        let staging = ChangeStaging(git)
        if let files = settings.strings("files") { try staging.stage(files) } else { try staging.stageAll() }
        let nothing = StepResult(skipReason: "nothing to commit")
        let knownMessage =
            settings.string("message") ?? WorkingVersion.planned(in: context).map { "Release \($0.version)" }
        if knownMessage == nil, try hasNothingStaged(git) { return nothing }
        let message =
            if let knownMessage { knownMessage } else {
                "Release \(try WorkingVersion.find(Settings(), in: context).version)"
            }
        // The message is UTF-8, which git must not convert. The hash in the output must not be abbreviated.
        let author = try Self.author(git, context)
        let run = try author.attempt(
            ["-c", "i18n.commitEncoding=UTF-8", "-c", "core.abbrev=no", "commit", "--file=-"],
            input: Array(message.utf8), settings: author.releaseDates)
        guard run.report.succeeded else {
            if run.report.stoppedBy == nil, try hasNothingStaged(git) { return nothing }
            throw author.failure(
                of: "git commit", run, making: "commit", hooks: ["pre-commit", "prepare-commit-msg", "commit-msg"])
        }
        let hash = Self.hash(in: run.text)
        let commit = if let hash { hash } else { try git.text(["rev-parse", "HEAD"]) }
        // Later steps may take long.
        try context.transaction?.check(commit: commit)
        return StepResult(outputs: ["commit": .string(commit)])
    }

    /// Returns git with the identity of the user's checkout.
    private static func author(_ git: Git, _ context: StepContext) throws(OperationFailure) -> Git {
        guard let values = context.transaction?.values else { return git }
        let checkout = Git(context, in: context.root)
        let known = values[ReleaseSettings.self]
        let settings = if let known { known } else { try ReleaseSettings.read(checkout) }
        let configuration = try CommitConfiguration.read(settings, of: checkout, for: git)
        values[ReleaseSettings.self] = settings
        values[CommitConfiguration.self] = configuration
        return configuration.applied(to: git)
    }

    private func hasNothingStaged(_ git: Git) throws(OperationFailure) -> Bool {
        try git.attempt(["diff", "--cached", "--quiet"]).report.status == 0
    }

    /// Returns the hash in the output of `git commit`, such as `[main 1f0…] Release 0.2.0`.
    private static func hash(in output: String) -> String? {
        let words = (output.lines.first ?? "").split(separator: " ")
        return words.first { $0.last == "]" }.map { String($0.dropLast()) }.flatMap { word in
            (word.utf8.count == 40 || word.utf8.count == 64) && word.utf8.allSatisfy(\.isHexDigit) ? word : nil
        }
    }
}
