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

/// A built-in action, identified by its name. The program has the table of all built-in actions.
///
/// `lane` and `parallel` are not built-in actions. A plan contains their steps instead.
package struct BuiltInAction: Sendable, Hashable {
    let name: String

    /// A Boolean value that indicates whether the action works in the directory of its step.
    var hasDirectory: Bool { [.run, .service, .test].contains(self) }

    // The actions to which other code refers.
    package static let run = BuiltInAction(name: "run")
    package static let service = BuiltInAction(name: "service")
    package static let test = BuiltInAction(name: "test")
    package static let bump = BuiltInAction(name: "bump")
    package static let packaging = BuiltInAction(name: "package")
    package static let publish = BuiltInAction(name: "publish")
    static let pullRequest = BuiltInAction(name: "pull-request")
    static let require = BuiltInAction(name: "require")
}
