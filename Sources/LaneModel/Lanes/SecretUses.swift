import Diagnostics

/// Finds secrets that would become words of a command line, where everybody on the machine can read them; secrets that a
/// step uses and does not get; and secrets that are given to more programs than need them.
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
        for (name, template) in lane.environment { checkLaneVariable(name, template) }
        for step in lane.steps + lane.then + lane.onFailure + lane.always { check(step) }
    }

    /// Every step has the variables of the lane, so none may be made from a secret.
    private mutating func checkLaneVariable(_ variable: String, _ template: Template) {
        var found: [(name: String, span: Span?)] = []
        template.forEachExpression { expression in
            for name in expression.names(in: .env).sorted() where lane.secrets.contains(name) {
                found.append((name, expression.span))
            }
        }
        for (name, span) in found {
            diagnostics.add(
                Diagnostic(
                    .warning, "'\(variable)' gives the secret '\(name)' to every step", at: span,
                    hint: "put it into the 'env' of the steps that need it"))
        }
    }

    /// A text for the shell must not look for a secret that its step does not get.
    private mutating func checkScript(_ node: SettingsTemplate.Node, of step: Step) {
        let text: String
        switch node {
        case .value(.string(let value)): text = value
        case .template(let template): text = template.literalText
        default: return
        }
        let given = step.secrets.union(step.environment.map(\.name))
        for name in lane.secrets where !given.contains(name) && ShellWords.mentions(name, in: text) {
            diagnostics.error(
                "the step uses the secret '\(name)' and does not get it", at: step.span,
                hint: "add 'secrets: [\(([name] + step.secrets.sorted()).joined(separator: ", "))]' to the step")
        }
    }

    /// These actions take what they need by themselves; the programs that they start need none of it.
    private mutating func checkAction(_ action: BuiltInAction, of step: Step) {
        guard action == .publish || action == .require, let name = step.secrets.min() else { return }
        diagnostics.add(
            Diagnostic(
                .warning, "'secrets' gives '\(name)' to git and its hooks as well", at: step.span,
                hint: "leave it out: '\(action.rawValue)' takes what it needs by itself"))
    }

    private mutating func check(_ step: Step) {
        switch step.content {
        case .lane: break
        case .parallel(let steps): for step in steps { check(step) }
        case .action(.custom, _): break
        case .action(.builtIn(let action), let settings):
            checkAction(action, of: step)
            for member in settings.members {
                if settings.action?.setting(member.name)?.type.isScript == true {
                    checkScript(member.node, of: step)
                    if case .template = member.node { continue }
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
                hint: "name it in the step's 'secrets', and let the program or a text for the shell read the variable")
        }
    }
}
