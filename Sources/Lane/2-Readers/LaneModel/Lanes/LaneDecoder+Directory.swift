import Expressions
import Text
import YAML

extension LaneDecoder {
    /// Decodes a working directory.
    mutating func directory(_ member: YAMLMember) -> Template? {
        switch settings.decode(member.value, .path, keySpan: member.nameSpan) {
        case .template(let template)?: return template
        case .value(let value)?: return value.text.map { Template($0, span: member.value.span) }
        case .list, .map, nil: return nil
        }
    }

    /// Decodes the working directory of a step. Reports a directory that the action would ignore.
    mutating func directory(_ member: YAMLMember, of content: Step.Content) -> Template? {
        if case .action(.builtIn(let action), let template) = content {
            guard action.hasDirectory else {
                settings.diagnostics.error(
                    "'directory' has no effect in a '\(action.name)' step", at: member.nameSpan,
                    hint: "only 'run', 'service', 'test' and custom actions have one")
                return nil
            }
            if template.members.contains(where: { $0.name == "directory" }) {
                settings.diagnostics.error(
                    "the step and its '\(action.name)' both have a 'directory'", at: member.nameSpan,
                    hint: "remove one of them")
            }
        }
        return directory(member)
    }

    /// Reports steps that ignore the working directory of the lane. Steps of included files are not reported.
    mutating func checkDirectory() {
        guard lane.directory != nil else { return }
        let own = ownPart
        for step in own.steps + own.then + own.onFailure + own.always { checkDirectory(of: step) }
    }

    private mutating func checkDirectory(of step: Step) {
        switch step.content {
        case .parallel(let steps): for step in steps { checkDirectory(of: step) }
        case .action(.builtIn(let action), _) where !action.hasDirectory:
            settings.diagnostics.error(
                "'\(action.name)' ignores the lane's 'directory'", at: step.span,
                hint: "set 'directory' in the steps that need it")
        case .action, .lane: break
        }
    }
}
