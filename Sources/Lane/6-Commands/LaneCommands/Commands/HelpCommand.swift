import Arguments
import LaneModel
import OperatingSystem
import Text

/// The command `lane help`: the help of a lane, a subcommand, an action or a topic.
enum HelpCommand: Subcommand {
    static let name = "help"

    /// The name of the dynamic completion for `lane help`.
    static let topicName = "commands"

    /// The topic before the name of an action.
    private static let actions = "actions"

    private static let topic = Key<String?>.positional(
        "topic", help: "The lane, subcommand, action or topic.", completion: .dynamic(topicName))
    private static let action = Key<String?>.positional("action", help: "With 'actions': the action.")
    private static let format = Key<HelpFormat>.option(
        "format", value: "format", default: .text, help: "The format; 'man' is the manual page of lane.",
        allowed: HelpFormat.allCases.map(\.rawValue))

    static let spec = CommandSpec(
        name, abstract: "Print the help of a lane, a subcommand, an action or a topic.",
        discussion: """
            A lane takes precedence over an action with the same name; 'lane help actions NAME' is always the action.

            TOPICS:
            \(topicList)
            """,
        parameters: [topic.spec, action.spec, format.spec])

    /// The lines of all topics for help.
    static var topicList: String {
        HelpTopic.all().map { "  " + TerminalText.padded($0.name, to: 24) + $0.page.summary }.joined(separator: "\n")
    }

    /// Returns the names that can follow `lane help`, for completions.
    static func subjects(
        _ program: CommandSpec, builtIn: [ActionSchema], own: [ActionSchema]
    ) -> [(name: String, summary: String)] {
        let commands = program.subcommands.map { (name: $0.name, summary: $0.abstract) }
        let others =
            HelpTopic.all(own: own).map { (name: $0.name, summary: $0.page.summary) }
            + (builtIn + own).map { (name: $0.name, summary: $0.summary) }
        return commands + others.filter { other in !commands.contains { $0.name == other.name } }
    }

    static func run(_ arguments: ParsedArguments, in world: World) throws(CommandFailure) -> ExitStatus {
        guard let name = arguments[topic] else { return try overview(arguments[format], in: world) }
        let catalog = try? LaneCatalog.load(in: world)
        let own = catalog?.customActions ?? []
        let builtIn = world.program.actions.documented
        let schemas = builtIn + own
        if let action = arguments[action] {
            guard name == actions else {
                throw CommandFailure(
                    .usage, "unexpected word '\(action)' after '\(name)'",
                    hint: "use 'lane help \(actions) NAME' for an action")
            }
            guard let schema = schemas.first(where: { $0.name == action }) else {
                throw missing("action", action, among: schemas.map(\.name), list: "lane help \(actions)")
            }
            return try write(HelpPage(schema), arguments[format], in: world)
        }
        let topics = HelpTopic.all(builtIn: builtIn, own: own)
        let schema = schemas.first { $0.name == name }
        let lanes = (catalog?.lanes ?? []).map(\.name) + (catalog == nil ? BuiltInLanes.names : [])
        if lanes.contains(name), arguments[format] == .text {
            let status = try Program.printHelp([name], in: world)
            let other = topics.contains { $0.name == name } ? name : schema.map { "\(actions) \($0.name)" }
            if let other { world.output.write("\nSEE ALSO:\n  lane help \(other)\n") }
            return status
        }
        if let topic = topics.first(where: { $0.name == name }) {
            let status = try write(topic.page, arguments[format], in: world)
            // The Markdown document contains all actions, because it has no other pages.
            if name == actions, arguments[format] == .markdown {
                for schema in schemas { world.output.write("\n" + HelpPage(schema).markdown(level: 2)) }
            }
            return status
        }
        if let schema { return try write(HelpPage(schema), arguments[format], in: world) }
        if let command = world.program.subcommands.first(where: { $0.name == name }) {
            guard arguments[format] != .text else { return try Program.printHelp([name], in: world) }
            return try write(HelpPage(command.spec, after: ["lane"]), arguments[format], in: world)
        }
        if (LaneKeys.lane + LaneKeys.step).contains(where: { $0.name == name }) {
            throw CommandFailure(
                .fileNotFound, "there is no help page '\(name)'",
                hint: "it is a key of lane files; see 'lane help lane-file'")
        }
        let names = lanes + topics.map(\.name) + schemas.map(\.name) + world.program.subcommands.map { $0.name }
        throw missing("lane, subcommand, action or topic", name, among: names, list: "lane help")
    }

    private static func missing(_ noun: String, _ name: String, among names: [String], list: String) -> CommandFailure {
        CommandFailure(
            .fileNotFound, "there is no \(noun) '\(name)'",
            hint: suggestion(for: name, among: names) ?? "use '\(list)' to list them")
    }

    /// Prints the help of the program: as text, all commands as Markdown, or everything as a manual page.
    private static func overview(_ format: HelpFormat, in world: World) throws(CommandFailure) -> ExitStatus {
        let specs = [Lane.generalSpec] + world.program.subcommands.map { $0.spec }
        let commands = specs.map { HelpPage($0, after: ["lane"]) }
        switch format {
        case .text: return try Program.printHelp([], in: world)
        case .markdown:
            let pages = [HelpPage(world.program.spec())] + commands
            world.output.write(pages.map { $0.markdown() }.joined(separator: "\n"))
        case .man:
            let schemas = world.program.actions.documented
            world.output.write(
                ManualPage.text(
                    of: "lane", version: LaneVersion.current, command: HelpPage(world.program.spec()),
                    pages: commands + HelpTopic.all(builtIn: schemas).map(\.page) + schemas.map { HelpPage($0) }))
        }
        return .done
    }

    private static func write(
        _ page: HelpPage, _ format: HelpFormat, in world: World
    ) throws(CommandFailure) -> ExitStatus {
        switch format {
        case .text: world.output.write(page.text(width: world.width(of: world.output)))
        case .markdown: world.output.write(page.markdown())
        case .man: throw CommandFailure(.usage, "there is one manual page", hint: "use 'lane help --format man'")
        }
        return .done
    }
}

/// The formats of help.
enum HelpFormat: String, CaseIterable, ArgumentValue {
    case text, markdown, man

    init?(argument: String) { self.init(rawValue: argument) }

    static var expectation: String { list(allCases.map(\.rawValue)) }
}
