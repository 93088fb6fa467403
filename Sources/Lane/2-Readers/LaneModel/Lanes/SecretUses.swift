import Expressions
import Text

/// A check of the use of secrets.
///
/// The check reports secrets in arguments of commands, which all users of the machine can read; secrets that a step
/// uses without declaring them; and secrets that are passed to more programs than necessary.
///
/// Shell scripts get values as variables, and executables in `Lanes/actions` get values on standard input. Other
/// actions may pass values as arguments.
struct SecretUses {
    let lane: Lane
    private(set) var diagnostics = Diagnostics()

    mutating func check() {
        for (name, template) in lane.environment { checkLaneVariable(name, template) }
        lane.forEachStep { check($0) }
    }

    /// Reports a secret in a variable of the lane, which is passed to all steps.
    private mutating func checkLaneVariable(_ variable: String, _ template: Template) {
        for expression in template.expressions {
            for name in [expression].names(in: .env).sorted() where lane.secrets.contains(name) {
                diagnostics.warning(
                    "'\(variable)' passes the secret '\(name)' to every step", at: expression.span,
                    hint: "move it to the 'env' of the steps that need it")
            }
        }
    }

    /// Reports secrets in a shell script that the step does not declare.
    private mutating func checkScript(_ node: SettingsTemplate.Node, of step: Step) {
        let text: String
        switch node {
        case .value(.string(let value)): text = value
        case .template(let template): text = template.text(replacing: { _ in " " })
        default: return
        }
        checkUses(of: lane.secrets.filter { ShellWords.mentions($0, in: text) }, in: step)
    }

    /// Reports the secrets among names of variables that the step does not declare.
    private mutating func checkUses(of names: some Sequence<String>, in step: Step) {
        let given = step.secrets.union(step.environment.map(\.name))
        for name in names where lane.secrets.contains(name) && !given.contains(name) {
            diagnostics.error(
                "the step uses the secret '\(name)', which it does not declare", at: step.span,
                hint: "add 'secrets: [\(([name] + step.secrets.sorted()).joined(separator: ", "))]' to the step")
        }
    }

    /// Reports declared secrets of actions that need no declaration, because they read secrets without a child process.
    private mutating func checkAction(_ action: BuiltInAction, of step: Step) {
        guard [.publish, .pullRequest, .require].contains(action), let name = step.secrets.min() else { return }
        diagnostics.warning(
            "'secrets' also passes '\(name)' to git and its hooks", at: step.span,
            hint: "remove it: '\(action.name)' reads the secret directly")
    }

    private mutating func check(_ step: Step) {
        guard case .action(.builtIn(let action), let settings) = step.content else { return }
        checkAction(action, of: step)
        for member in settings.members {
            if settings.action?.setting(member.name)?.type.isScript == true {
                checkScript(member.node, of: step)
                if case .template = member.node { continue }
            }
            if action == .service, member.name == "variables", case .list(let names)? = member.node.constant {
                checkUses(of: names.compactMap(\.text), in: step)
            }
            for expression in member.node.expressions { check(expression) }
        }
    }

    private mutating func check(_ expression: Expression) {
        for (name, span) in expression.names(in: .env) where lane.secrets.contains(name) {
            diagnostics.error(
                "'\(name)' is a secret, and all users of the machine can read the arguments of a command", at: span,
                hint: "add it to the step's 'secrets', and read the variable in the program or shell script")
        }
    }
}
