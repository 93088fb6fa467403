import Actions
import Packaging
import Release
import StepActions
import TestActions
import Versioning

/// The implementations of the built-in actions. Each action has a schema of the same name in `ActionSchema.builtIn`.
enum ActionTable {
    /// The actions by their names.
    static let builtIn: [String: any StepAction] = [
        "run": RunAction(),
        "service": ServiceAction(),
        "build": BuildAction(),
        "test": TestAction(),
        "format": FormatAction(),
        "lint": LintAction(),
        "docs": DocsAction(),
        "api": APIAction(),
        "bump": BumpAction(),
        "changelog": ChangelogAction(),
        "package": PackageAction(),
        "checksum": ChecksumAction(),
        "commit": CommitAction(),
        "tag": TagAction(),
        "pull-request": PullRequestAction(),
        "publish": PublishAction(),
        "require": RequireAction(),
    ]
}
