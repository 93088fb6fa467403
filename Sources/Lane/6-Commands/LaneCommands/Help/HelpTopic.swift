import Arguments
import LaneModel

/// A topic of `lane help` that is neither a lane nor a command.
struct HelpTopic: Sendable {
    /// The name on the command line.
    let name: String
    let page: HelpPage

    /// All topics in the order of the help.
    ///
    /// - Parameters:
    ///   - builtIn: The documented actions of the program.
    ///   - own: The actions in the package's `Lanes/actions`.
    static func all(builtIn: [ActionSchema] = [], own: [ActionSchema] = []) -> [HelpTopic] {
        [
            HelpTopic(name: "lane-file", page: .laneFile),
            HelpTopic(name: "actions", page: .actions(builtIn: builtIn, own: own)),
            HelpTopic(name: "expressions", page: .expressions),
            HelpTopic(name: "test-patterns", page: .testPatterns),
            HelpTopic(name: "remote-lanes", page: .remoteLanes),
            HelpTopic(name: "ci", page: .ci),
            HelpTopic(name: "environment", page: .environment),
            HelpTopic(name: "exit-statuses", page: .exitStatuses),
        ]
    }
}
