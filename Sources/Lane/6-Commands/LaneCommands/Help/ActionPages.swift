import Arguments
import LaneModel

extension HelpPage {
    /// The page of all actions.
    ///
    /// - Parameters:
    ///   - builtIn: The documented actions of the program.
    ///   - own: The actions in the package's `Lanes/actions`.
    static func actions(builtIn: [ActionSchema], own: [ActionSchema]) -> HelpPage {
        var blocks: [Block] = [
            .paragraph(
                "A step of a lane is an action and its settings. 'lane help actions NAME' describes the settings of one action."
            ),
            .heading("Built-in actions"), .rows(builtIn.map(Row.init)),
        ]
        if !own.isEmpty { blocks += [.heading("Actions of this package"), .rows(own.map(Row.init))] }
        blocks += [
            .heading("Custom actions"),
            .paragraph(
                "An executable 'Lanes/actions/NAME' is a custom action. With the argument 'describe', it prints a description such as this:"
            ),
            .code(#"{"summary": "Send a message", "settings": [{"name": "text", "type": "string"}]}"#),
            .paragraph(
                "With the argument 'run', it reads the settings as JSON from standard input. A printed line such as this sets an output of the step:"
            ),
            .code(#"{"output": {"id": "17"}}"#),
        ]
        return HelpPage("Actions", "The operations of the steps of a lane", blocks)
    }

    /// The page of one action.
    init(_ action: ActionSchema) {
        var blocks: [Block] = []
        if !action.example.isEmpty {
            blocks += [.heading("Example"), .yaml("steps:\n" + action.example.indentedLines)]
        }
        if let shorthand = action.shorthand {
            blocks.append(
                .paragraph("A single value or a list after '\(action.name):' sets '\(shorthand)'."))
        }
        if !action.settings.isEmpty { blocks += [.heading("Settings"), .rows(Row.rows(action.settings))] }
        if let outputs = action.outputs, !outputs.isEmpty {
            blocks += [
                .heading("Outputs"),
                .paragraph("Later steps can read them as 'steps.ID.NAME' if the step has an 'id'."),
                .rows(outputs.map { Row($0.name, $0.help + ".") }),
            ]
        }
        self.init(action.name, action.summary, blocks)
    }
}

extension HelpPage.Row {
    fileprivate init(_ action: ActionSchema) {
        self.init(action.name, action.summary + ".")
    }
}

extension String {
    /// The lines, each indented by two spaces.
    fileprivate var indentedLines: String {
        split(separator: "\n", omittingEmptySubsequences: false).map { "  \($0)" }.joined(separator: "\n")
    }
}
