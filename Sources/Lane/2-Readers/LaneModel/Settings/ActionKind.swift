/// The action of a step: a built-in action, or an executable of the package.
package enum ActionKind: Sendable, Hashable {
    case builtIn(BuiltInAction)
    /// An executable in `Lanes/actions`, of the package or of an import.
    case custom(String)

    /// The name of the action in lane files.
    package var name: String {
        switch self {
        case .builtIn(let action): action.name
        case .custom(let name): name
        }
    }
}

/// A built-in action, identified by its name in the table `ActionSchema.builtIn`.
///
/// `lane` and `parallel` are not built-in actions. A plan contains their steps instead.
package struct BuiltInAction: Sendable, Hashable {
    let name: String

    init(_ schema: ActionSchema) {
        name = schema.name
    }

    /// A Boolean value that indicates whether the action works in the directory of its step.
    var hasDirectory: Bool { [.run, .service, .test].contains(self) }

    /// A Boolean value that indicates whether the action only builds and tests, so that others do not rely on it.
    package var isCheck: Bool { ActionSchema.checks.contains { $0.name == name } }

    // The actions to which other code refers.
    package static let run = BuiltInAction(.run)
    package static let service = BuiltInAction(.service)
    package static let test = BuiltInAction(.test)
    package static let bump = BuiltInAction(.bump)
    package static let packaging = BuiltInAction(.package)
    package static let publish = BuiltInAction(.publish)
    static let pullRequest = BuiltInAction(.pullRequest)
    static let require = BuiltInAction(.require)
}
