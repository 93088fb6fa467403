import Diagnostics

/// Finds secrets that would become words of a command line, where everybody on the machine can read them.
///
/// In a text for the shell values come as variables, and an executable in `Lanes/actions` gets them on its standard input;
/// whatever else an action is told may end up among a program's arguments.
struct SecretUses {
    let lane: Lane
    private(set) var diagnostics = Diagnostics()

    init(in lane: Lane) {
        self.lane = lane
    }

    mutating func check() {
        for step in lane.steps + lane.then + lane.onFailure + lane.always { check(step) }
    }

    private mutating func check(_ step: Step) {
        switch step.content {
        case .lane: break
        case .parallel(let steps): for step in steps { check(step) }
        case .action(.custom, _): break
        case .action(.builtIn, let settings):
            for member in settings.members {
                if case .template = member.node, settings.action?.setting(member.name)?.type.isScript == true {
                    continue
                }
                member.node.forEachExpression { check($0) }
            }
        }
    }

    private mutating func check(_ expression: Expression) {
        expression.root.forEach { node in
            guard case .element(let base, let key) = node.tree, case .context(.env) = base.tree,
                case .literal(.string(let name)) = key.tree, lane.secrets.contains(name)
            else { return }
            diagnostics.error(
                "'\(name)' is a secret, and a command's arguments can be read by everybody on the machine",
                at: node.span,
                hint: "let the program read the variable itself: a text for the shell has it as \"$\(name)\"")
        }
    }
}
