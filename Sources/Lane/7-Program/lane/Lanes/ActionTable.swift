import Actions
import LaneModel
import Packaging
import Release
import StepActions
import TestActions
import Versioning

/// The list of the built-in actions.
enum ActionTable {
    /// The actions in the order of the documentation.
    private static let all: [any BuiltInStepAction] = [
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
    ]

    /// The actions by their names.
    static let actions: [String: any StepAction] = Dictionary(
        uniqueKeysWithValues: all.map { (type(of: $0).schema.name, $0) })

    /// The schemas of the actions.
    static let schemas = all.map { type(of: $0).schema }

    /// The schemas of the actions, and of the action that runs another lane.
    static let documented = schemas + [.lane]

    /// The names of the actions.
    static let names = Set(actions.keys)
}
