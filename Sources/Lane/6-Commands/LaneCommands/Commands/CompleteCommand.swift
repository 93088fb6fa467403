import Arguments
import LaneModel
import OperatingSystem
import RemoteLanes
import Text

/// The command `lane --complete <words>` of completion scripts.
enum CompleteCommand {
    /// The name of the command, which is a hidden option.
    static let word = "--complete"

    static func run(_ words: [String], in world: World) -> ExitStatus {
        var world = world
        // The preceding words may contain a directory. If it does not exist, there are no completions.
        if let path = Program.directory(in: words.dropLast().map({ home($0, in: world) })) {
            do { try world.enter(path) } catch { return .done }
        }
        let catalog = try? LaneCatalog.load(remote: .cached, in: world)
        let lanes = (catalog?.lanes ?? []).flatMap { (lane: Lane) -> [CommandSpec] in
            ([lane.name] + lane.aliases.map(\.name)).map { lane.commandSpec(as: $0) }
        }
        let spec = world.program.spec(lanes: lanes)
        var unfinished = (spec: spec, words: words.isEmpty ? [""] : words)
        if let catalog, let word = words.last,
            let preceding = (try? spec.parse(Array(words.dropLast())))?.rest, !preceding.isEmpty
        {
            let last = LaneRequest.last(in: preceding, before: word, in: catalog)
            unfinished.words = last + [word]
            // Only lanes follow a lane.
            if last.isEmpty { unfinished.spec = CommandSpec(spec.name, abstract: spec.abstract, subcommands: lanes) }
        }
        let reply = unfinished.spec.completions(for: unfinished.words) { topic in
            switch topic {
            case HelpCommand.topicName:
                HelpCommand.subjects(
                    spec, builtIn: world.program.actions.schemas, own: catalog?.customActions ?? []
                ).map { .init($0.name, help: $0.summary) }
            case LaneCatalog.topicName: (catalog?.lanes ?? []).map { .init($0.name, help: $0.summary ?? "") }
            default: []
            }
        }
        world.output.write(reply.text)
        return .done
    }

    /// Expands `~/` at the start of a word, because shells do not expand it for completions.
    private static func home(_ word: String, in world: World) -> String {
        guard word.hasPrefix("~/"), let home = world.environment["HOME"] else { return word }
        return home + word.dropFirst()
    }
}
