import LaneCommands
import Packaging
import Release
import StepActions
import TestActions
import Versioning

extension ActionTable {
    /// The actions of this program in the order of the documentation.
    static let builtIn = ActionTable([
        RunAction(),
        BuildAction(),
        TestAction(),
        FormatAction(),
        LintAction(),
        DocsAction(),
        APIAction(),
        ServiceAction(),
        BumpAction(),
        ChangelogAction(),
        PackageAction(),
        ChecksumAction(),
        CommitAction(),
        TagAction(),
        PullRequestAction(),
        PublishAction(),
        RequireAction(),
    ])
}
