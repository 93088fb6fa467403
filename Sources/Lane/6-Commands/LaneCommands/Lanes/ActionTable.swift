package import Actions
import LaneModel

/// The built-in actions of the program.
package struct ActionTable: Sendable {
    private let all: [any BuiltInStepAction]

    /// Creates a table of actions in the order of the documentation.
    package init(_ all: [any BuiltInStepAction]) {
        self.all = all
    }

    /// The actions by their names.
    var byName: [String: any StepAction] {
        Dictionary(uniqueKeysWithValues: all.map { (type(of: $0).schema.name, $0) })
    }

    /// The schemas of the actions.
    var schemas: [ActionSchema] { all.map { type(of: $0).schema } }

    /// The schemas of the actions, and of the action that runs another lane.
    var documented: [ActionSchema] { schemas + [.lane] }

    /// The names of the actions.
    var names: Set<String> { Set(all.map { type(of: $0).schema.name }) }
}
