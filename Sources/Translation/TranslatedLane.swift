import YAML

/// A lane that is equivalent to a recipe, target or lane of another tool.
///
/// If a part has no equivalent, the lane calls the other tool, because an incomplete translation could do damage. The
/// lane file contains the part and the reason as a comment.
package struct TranslatedLane: Sendable {
    /// A part of the other tool's file that has no equivalent.
    package struct Gap: Sendable, Equatable {
        /// The line number, starting at 1.
        package let line: Int
        package let text: String
        package let reason: String
    }

    struct Parameter: Sendable, Equatable {
        /// The name in the other tool.
        let original: String
        /// The default value, or `nil` if a value is required.
        var fallback: String?
        /// A Boolean value that indicates whether the parameter accepts several words, separated by spaces.
        var isVariadic = false

        /// The name in the lane.
        var name: String { Self.name(of: original) }
        var expression: String { Self.expression(of: original) }

        /// Returns a valid name for a parameter of a lane.
        static func name(of original: String) -> String {
            original.lowercased().map { $0 == "_" ? "-" : String($0) }.joined()
        }

        static func expression(of original: String) -> String { "${{ parameters.\(name(of: original)) }}" }
    }

    /// A shell command of a step.
    struct Script: Sendable {
        var text: String
        /// The shell, or `nil` for the default.
        var shell: String?
        /// The working directory, relative to the root, or `nil` for the root.
        var directory: String?
        var ignoresErrors = false
    }

    /// A reference to a lane with parameter values.
    struct Call: Sendable, Equatable {
        var lane: String
        /// The values by position.
        var arguments: [String] = []
        /// The parameters for the values.
        var parameters: [Parameter] = []

        /// The keys of a step that runs the lane.
        fileprivate var members: [(name: String, value: YAMLNode)] {
            let values = zip(parameters, arguments).map { (name: $0.name, value: YAMLNode.text($1)) }
            return [("lane", .text(lane))] + (values.isEmpty ? [] : [("parameters", .map(values))])
        }

        fileprivate var node: YAMLNode { arguments.isEmpty ? .text(lane) : .map(members) }
    }

    enum Step: Sendable {
        case run(Script)
        case action(String, settings: [(name: String, value: YAMLNode)])
        case lane(Call)
    }

    package internal(set) var name: String
    /// The first line of the recipe in the other tool's file, starting at 1.
    let line: Int
    var summary: String?
    var isPrivate = false
    var aliases: [String] = []
    var group: String?
    var parameters: [Parameter] = []
    var needs: [Call] = []
    var environment: [(name: String, value: String)] = []
    var readsDotEnv = false
    var steps: [Step] = []
    var onFailure: [Step] = []
    var always: [Step] = []
    package internal(set) var gaps: [Gap] = []
    /// The name in the other tool.
    let original: String

    init(_ name: String, line: Int) {
        self.name = name
        original = name
        self.line = line
    }

    mutating func rename(_ names: [String: String]) {
        name = names[name] ?? name
        func renamed(_ call: Call) -> Call {
            var call = call
            call.lane = names[call.lane] ?? call.lane
            return call
        }
        needs = needs.map(renamed)
        for steps in [\TranslatedLane.steps, \.onFailure, \.always] {
            self[keyPath: steps] = self[keyPath: steps].map { step in
                if case .lane(let call) = step { .lane(renamed(call)) } else { step }
            }
        }
    }

    /// Returns the text of the lane file.
    ///
    /// - Parameters:
    ///   - tool: The tool whose file is translated.
    ///   - path: The path of the tool's file, for the comment at the top.
    package func text(from tool: ForeignTool, path: String) -> String {
        var text = "# Translated from line \(line) of \(path).\n"
        if !gaps.isEmpty {
            text += "# This lane calls '\(tool.rawValue)', because it has no equivalent for:\n"
            for gap in gaps { text += Self.comment(gap) }
        }
        return text + YAMLWriter.text(of: node(from: tool))
    }

    /// Returns a comment with a part of the other tool's file and the reason.
    package static func comment(_ gap: Gap) -> String {
        let lines = gap.text.split(separator: "\n", omittingEmptySubsequences: false)
        return "#   line \(gap.line): \(gap.reason)\n" + lines.map { "#     \($0)\n" }.joined()
    }

    private func node(from tool: ForeignTool) -> YAMLNode {
        var members: [(name: String, value: YAMLNode)] = []
        if let summary { members.append(("summary", .text(summary))) }
        if let group { members.append(("group", .text(group))) }
        if !aliases.isEmpty { members.append(("aliases", .list(aliases.map { .text($0) }))) }
        if isPrivate { members.append(("private", .bool(true))) }
        if !parameters.isEmpty {
            let nodes = parameters.enumerated().map { index, parameter in
                let value: (String, YAMLNode) =
                    parameter.fallback.map { ("default", .text($0)) } ?? ("required", .bool(true))
                return (
                    name: parameter.name,
                    value: YAMLNode.map([("type", .text("string")), ("position", .integer(index + 1)), value])
                )
            }
            members.append(("parameters", .map(nodes)))
        }
        if readsDotEnv {
            members.append(("dotenv", .list([.map([("path", .text(".env")), ("optional", .bool(true))])])))
        }
        let words = parameters.filter(\.isVariadic).map { (name: $0.original, value: $0.expression) }
        if !(environment + words).isEmpty {
            members.append(("env", .map((environment + words).map { ($0.name, .text($0.value)) })))
        }
        guard gaps.isEmpty else {
            let command = Step.run(Script(text: tool.command(original, parameters: parameters)))
            return .map(members + [("steps", .list([Self.node(command)]))])
        }
        if !needs.isEmpty { members.append(("needs", .list(needs.map(\.node)))) }
        for (key, steps) in [("steps", steps), ("on-failure", onFailure), ("always", always)]
        where !steps.isEmpty || key == "steps" {
            members.append((key, .list(steps.map(Self.node))))
        }
        return .map(members)
    }

    private static func node(_ step: Step) -> YAMLNode {
        switch step {
        case .run(let script):
            let command = YAMLNode.text(script.text)
            let run = script.shell.map { YAMLNode.map([("shell", .text($0)), ("command", command)]) } ?? command
            let directory = script.directory.map { [(name: "directory", value: YAMLNode.text($0))] } ?? []
            return .map([("run", run)] + directory + (script.ignoresErrors ? [("continue-on-error", .bool(true))] : []))
        case .action(let name, let settings): return .map([(name, .map(settings))])
        case .lane(let call): return .map(call.members)
        }
    }
}
