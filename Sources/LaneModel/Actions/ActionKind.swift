/// The action of a step: a built-in one, or an executable of the package.
package enum ActionKind: Sendable, Hashable {
    case builtIn(BuiltInAction)
    /// An executable in `Lanes/actions`.
    case custom(String)

    /// The name of the action in lane files.
    package var word: String {
        switch self {
        case .builtIn(let action): action.rawValue
        case .custom(let name): name
        }
    }
}

/// The actions that come with `lane`.
///
/// `lane` and `parallel` are not among them: a plan contains the steps that they stand for.
package enum BuiltInAction: String, Sendable, CaseIterable {
    case run, build, test, coverage, format, lint, docs, bump, changelog, package, checksum, commit, tag, publish,
        require
}
