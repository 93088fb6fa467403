package import Expressions
package import LaneModel
package import LaneRun

import Git
import Processes
import Versioning

/// The `commit` action: commits the changes of the previous steps.
package struct CommitAction: StepAction {
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

    package func run(_ settings: Settings, in context: StepContext) throws(StepFailure) -> StepResult {
        let git = Git(context)
        if let files = settings.strings("files") {
            try git.run(["add", "--all", "--"] + files)
        } else {
            // Build products and packages are not part of a release, even if they are not ignored.
            try git.run(["add", "--all", "--", ".", ":(exclude).build", ":(exclude)dist", ":(exclude).lane"])
        }
        let staged = try git.attempt(["diff", "--cached", "--quiet"])
        if staged.report.status == 0 { return StepResult(skipReason: "nothing to commit") }
        let message: String
        if let given = settings.string("message") {
            message = given
        } else {
            message = "Release \(try WorkingVersion.find(Settings(), in: context).version)"
        }
        // Git must not convert the message, which is UTF-8.
        let run = try git.attempt(
            ["-c", "i18n.commitEncoding=UTF-8", "commit", "--quiet", "--file=-"], input: Array(message.utf8))
        guard run.report.succeeded else {
            throw git.failure(
                of: "git commit", run, making: "commit", hooks: ["pre-commit", "prepare-commit-msg", "commit-msg"])
        }
        return StepResult(outputs: ["commit": .string(try git.text(["rev-parse", "HEAD"]))])
    }
}
