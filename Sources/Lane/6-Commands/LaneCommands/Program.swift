package import Actions
import Arguments
import LaneModel
import OperatingSystem
package import Text

/// The program, from command line to exit status.
package struct Program: Sendable {
    /// The built-in actions.
    let actions: ActionTable
    /// The commands that are not lanes, in the order of the help.
    let subcommands: [any Subcommand.Type]
    let releases: any ReleaseSource

    /// Creates a program.
    ///
    /// - Parameter subcommands: The commands of other modules, which the help lists after those that read lanes and runs.
    package init(actions: ActionTable, subcommands: [any Subcommand.Type], releases: any ReleaseSource) {
        self.actions = actions
        self.subcommands =
            [
                ListCommand.self, CheckCommand.self, InitCommand.self, HistoryCommand.self, CondenseCommand.self,
                MergeCommand.self, SchemaCommand.self,
            ] + subcommands + [
                CICommand.self, UpdateCommand.self, DoctorCommand.self, CompletionsCommand.self, VersionCommand.self,
                HelpCommand.self,
            ]
        self.releases = releases
    }

    private static let version = Key<Bool>.flag("version", help: "Print the version.")
    private static let directory = Key<String?>.option(
        "directory", short: "C", value: "path", help: "Work in this directory instead of the current one.",
        completion: .directory)

    /// The part of the description with the options before a command. It is small, because it is created at every
    /// start.
    private static var options: CommandSpec {
        CommandSpec(
            "lane", abstract: "", parameters: [version.spec, directory.spec],
            subcommands: [CommandSpec(ListCommand.name, abstract: "")], subcommandName: commandWord)
    }

    private static let commandWord = "lane or subcommand"

    /// Returns the description with the lanes of a package as commands.
    func spec(lanes: [CommandSpec] = []) -> CommandSpec {
        CommandSpec(
            "lane", abstract: "Build, test, bump, package and release Swift packages with declarative lane files.",
            discussion: """
                Without a command, runs the lane with 'default: true', or lists the lanes of the package in the current \
                directory or above. Every lane is a command.
                Several lanes run one after another: 'lane lint test', or 'lane lint + test --failed' if they have arguments.

                TOPICS OF 'lane help':
                \(HelpCommand.topicList)

                EXIT STATUSES:
                \(Self.statuses)
                """,
            parameters: [Self.version.spec, Self.directory.spec],
            subcommands: lanes + subcommands.map { $0.spec }, subcommandName: Self.commandWord)
    }

    private static var statuses: String {
        ExitStatus.documented.map { entry in
            "  " + TerminalText.padded(String(entry.status.rawValue), to: 5) + entry.meaning
        }.joined(separator: "\n")
    }

    /// Runs the command or the lanes in the arguments of `world`, and reports the failure if they cannot run.
    package static func run(in world: World) -> ExitStatus {
        do throws(CommandFailure) {
            return try dispatch(world)
        } catch {
            return world.report(error)
        }
    }

    /// Prints the help of the program, or of the command or lane in `words`.
    static func printHelp(_ words: [String], in world: World) throws(CommandFailure) -> ExitStatus {
        var world = world
        world.arguments = words + ["--help"]
        return try dispatch(world)
    }

    /// Throws an error if too many `lane` processes have started each other. Each process adds a mark to the
    /// environment.
    private static func requireDepth(of world: World) throws(CommandFailure) {
        let depth = world.environment[ChildMark.child]?.split(separator: "/").count ?? 0
        guard depth > deepest else { return }
        throw CommandFailure(
            .refused,
            "lanes have started each other \(depth) levels deep: \(world.arguments.first.map { "'\($0)'" } ?? "lane")",
            hint: "a lane must not start itself; use a 'lane' step to run another lane")
    }

    /// The maximum depth at which a lane may start another `lane` process.
    private static let deepest = 16

    private static func dispatch(_ world: World) throws(CommandFailure) -> ExitStatus {
        try requireDepth(of: world)
        if world.arguments.first == CompleteCommand.word {
            return CompleteCommand.run(Array(world.arguments.dropFirst()), in: world)
        }
        // Most command lines start with the name of a lane, so no options precede it.
        if let name = world.arguments.first, !name.hasPrefix("-") {
            return try run(name, Array(world.arguments.dropFirst()), in: world)
        }
        if options.requestsHelp(world.arguments) {
            world.output.write(world.program.spec().help(width: world.width(of: world.output)))
            return .done
        }
        try requireNoCommand(asOption: world.arguments.first, in: world)
        let (arguments, rest): (ParsedArguments, [String])
        do {
            (arguments, rest) = try parse(options, world.arguments, after: [])
        } catch {
            throw withoutLane(world) ?? error
        }
        if arguments[version] {
            world.output.writeLine(LaneVersion.full)
            return .done
        }
        var world = world
        if let path = arguments[directory] { try world.enter(path) }
        guard let name = rest.first else { return try runDefault(in: world) }
        return try run(name, Array(rest.dropFirst()), in: world)
    }

    /// Runs the default lane. Lists the lanes if there is none.
    private static func runDefault(in world: World) throws(CommandFailure) -> ExitStatus {
        try run((try LaneCatalog.load(in: world)).files.defaultLane?.name ?? ListCommand.name, [], in: world)
    }

    /// Returns the error for an option of lanes without the name of a lane, or `nil` for other words.
    private static func withoutLane(_ world: World) -> CommandFailure? {
        guard let word = world.arguments.first else { return nil }
        if ["-l", "-T", "--lanes", "--tasks", "--summary"].contains(word) {
            return CommandFailure(.usage, "unknown option '\(word)'", hint: "use 'lane \(ListCommand.name)'")
        }
        let catalog = try? LaneCatalog.load(in: world)
        let named = world.arguments.firstIndex { catalog?.isLane($0) ?? false }
        let name = named.map { world.arguments[$0] } ?? catalog?.files.defaultLane?.name
        let option = String(word.prefix { $0 != "=" })
        let known = LaneOptions.all.contains { "--\($0.name)" == option || $0.short.map { "-\($0)" } == option }
        guard name != nil || known else { return nil }
        var words = world.arguments
        if let named { words.remove(at: named) }
        let bare = String(option.drop { $0 == "-" })
        let own = name.flatMap { catalog?.files[$0] }?.commandSpec().parameters ?? []
        func has(_ name: String) -> Bool { own.contains { $0.name == name || $0.short.map(String.init) == name } }
        if !known, !has(bare), !(bare.hasPrefix("no-") && has(String(bare.dropFirst(3)))) {
            if bare == "d" || LaneKeys.directoryOptions.contains(bare) {
                return CommandFailure(
                    .usage, "unknown option '\(word)'", hint: "use '-C' for another directory: 'lane -C DIRECTORY NAME'"
                )
            }
            // An option that the lane does not have either needs no other place. A flag takes no value.
            guard option == word, (named ?? words.count) == 1, let same = LaneKeys.foreignOptions[bare],
                own.contains(where: { $0.name == same && $0.isFlag })
            else { return nil }
            words[0] = "--\(same)"
        }
        return CommandFailure(
            .usage, "unknown option '\(word)'",
            hint: "options of a lane follow its name: \(inQuotes("lane \(name ?? "NAME") \(ShellWords.line(words))"))")
    }

    /// Throws an error for the name of a command with two hyphens, such as `--test`.
    private static func requireNoCommand(asOption word: String?, in world: World) throws(CommandFailure) {
        guard let word, word.hasPrefix("--"), word != "--\(version.spec.name)" else { return }
        let name = String(word.dropFirst(2))
        let isCommand = world.program.subcommands.contains { $0.name == name }
        guard isCommand || BuiltInLanes.names.contains(name) else { return }
        throw CommandFailure(.usage, "unknown option '\(word)'", hint: "did you mean 'lane \(name)'?")
    }

    /// Returns the directory in the options before a command, if any.
    static func directory(in words: some Collection<String>) -> String? {
        guard words.first?.hasPrefix("-") == true else { return nil }
        return (try? options.parse(Array(words)))?.arguments[directory]
    }

    /// Runs a command or a lane.
    private static func run(
        _ name: String, _ words: [String], in world: World
    ) throws(CommandFailure) -> ExitStatus {
        if let command = world.program.subcommands.first(where: { $0.name == name }) {
            return try run(command, words, in: world)
        }
        return try LaneInvocation(name, explainsOnly: LaneInvocation.requestsHelp(words), in: world).run(
            words, in: world)
    }

    private static func run(
        _ command: any Subcommand.Type, _ words: [String], in world: World
    ) throws(CommandFailure) -> ExitStatus {
        let spec = command.spec
        if spec.requestsHelp(words) {
            world.output.write(spec.help(after: ["lane"], width: world.width(of: world.output)))
            return .done
        }
        do {
            return try command.run(try parse(spec, words, after: ["lane"]).arguments, in: world)
        } catch {
            guard error.status == .usage else { throw error }
            throw shadowedLane(command.name, in: world) ?? error
        }
    }

    /// Returns the error for a lane file that has the name of a command, or `nil` if there is none.
    private static func shadowedLane(_ name: String, in world: World) -> CommandFailure? {
        guard let root = try? Project.root(around: world.directory) else { return nil }
        let file = ["yml", "yaml"].map { "Lanes/\(name).\($0)" }.first { fileExists("\(root)/\($0)") }
        return file.map {
            CommandFailure(.refused, "'\(name)' is a command, so '\($0)' is no lane", hint: "rename the file")
        }
    }

    static func parse(
        _ spec: CommandSpec, _ words: [String], after path: [String],
        checking: (ParsedArguments) -> [String] = { _ in [] }
    ) throws(CommandFailure) -> (arguments: ParsedArguments, rest: [String]) {
        do {
            return try spec.parse(words, after: path, checking: checking)
        } catch {
            throw CommandFailure(error)
        }
    }
}
