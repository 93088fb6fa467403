import Actions
import OperatingSystem
import Packaging
import Release
import StepActions
import TestActions
import Versioning

/// The implementations of the built-in actions. Each action has a schema of the same name in `ActionSchema.builtIn`.
enum ActionTable {
    /// Returns the actions by their names.
    ///
    /// - Parameters:
    ///   - test: The action `test` with the settings of the command line.
    ///   - date: A closure that returns the time in seconds since 1970.
    static func builtIn(_ test: TestAction, date: @escaping @Sendable () -> Double) -> [String: any StepAction] {
        let clock = PublishClock { Int64(date()) }
        return [
            "run": RunAction(),
            "service": ServiceAction(),
            "build": BuildAction(),
            "test": test,
            "format": FormatAction(),
            "lint": LintAction(),
            "docs": DocsAction(),
            "api": APIAction(),
            "bump": BumpAction { Int64(date()) },
            "changelog": ChangelogAction { Int64(date()) },
            "package": PackageAction(),
            "checksum": ChecksumAction(),
            "commit": CommitAction(),
            "tag": TagAction(),
            "pull-request": PullRequestAction(clock: clock),
            "publish": PublishAction(clock: clock),
            "require": RequireAction(clock: clock),
        ]
    }
}
