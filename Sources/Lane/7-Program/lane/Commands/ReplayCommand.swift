import Arguments
import Events
import Text

/// The command `lane replay`.
enum ReplayCommand: Subcommand {
    static let name = "replay"

    private static let file = Key<String?>.positional(
        "file", help: "The file that '--events' wrote; '-' is standard input.", completion: .file)
    private static let speed = Key<String?>.option(
        "speed", value: "factor", help: "Replay with the pauses of the run, divided by this factor.")

    static let spec = CommandSpec(
        name, abstract: "Print a run again from its events, or write its reports.",
        discussion: """
            The exit status is 0 if the file contains the whole run, even if the run failed.
            """,
        parameters: [file.spec, speed.spec] + LaneOptions.screen + LaneOptions.reports)

    static func run(_ arguments: ParsedArguments, in world: World) throws(CommandFailure) -> ExitStatus {
        guard let file = arguments[file] else {
            throw CommandFailure(.usage, "the file is missing", hint: "'lane NAME --events FILE' writes one")
        }
        let factor = arguments[speed].map { Double($0) }
        guard factor.map({ (0.001...1000).contains($0 ?? 0) }) ?? true else {
            throw CommandFailure(
                .usage, "expected a number from 0.001 to 1000 for '--speed', found '\(arguments[speed] ?? "")'")
        }
        try RunReports.requireApart(from: [file], arguments, in: world)
        let root = (try? Project.root(around: world.directory)) ?? world.directory
        let events = try RecordedEvents.read(file: file, in: world)
        let status = try RunReplay(events: events, speed: factor ?? nil).run(arguments, root: root, in: world)
        if case .runEnded? = events.last?.kind { return status }
        return .refused
    }
}
