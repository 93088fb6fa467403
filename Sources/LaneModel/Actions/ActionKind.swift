/// The word that says what a step does.
package enum ActionKind: Sendable, Hashable {
    case builtIn(BuiltInAction)
    /// An executable in `Lanes/actions`.
    case custom(String)

    /// As lane files write it.
    package var word: String {
        switch self {
        case .builtIn(let action): action.rawValue
        case .custom(let name): name
        }
    }
}

/// Actions that come with `lane`; `lane` and `parallel` steps are gone once a plan is made.
package enum BuiltInAction: String, Sendable, CaseIterable {
    case run, build, test, coverage, format, lint, docs, bump, changelog, package, checksum, commit, tag, publish,
        require
}
