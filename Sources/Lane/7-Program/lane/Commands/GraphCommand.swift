import Arguments
import LaneModel
import OperatingSystem
import Text

/// The command `lane graph`.
enum GraphCommand: Subcommand {
    static let name = "graph"

    private static let lane = Key<String?>.positional(
        "lane", help: "The lane whose steps are drawn; all lanes by default.",
        completion: .dynamic(LaneCatalog.topicName))
    private static let format = Key<String>.option(
        "format", value: "format", default: "mermaid", help: "The language of the graph.",
        allowed: ["mermaid", "dot"])

    static let spec = CommandSpec(
        name, abstract: "Draw how lanes and steps depend on each other.",
        discussion: "To draw an image: lane graph --format dot | dot -Tsvg > lanes.svg",
        parameters: [lane.spec, format.spec])

    static func run(_ arguments: ParsedArguments, in world: World) throws(CommandFailure) -> ExitStatus {
        // Built-in lanes that no lane of the package uses would only stand beside the graph.
        let requested = arguments[lane].map { Set([$0]) } ?? []
        let catalog = try LaneCatalog.load(
            requested: Project.find(from: world.directory).hasLaneFiles ? requested : nil, in: world)
        try catalog.requireSound()
        let graph: PlanGraph
        if let name = arguments[lane] {
            let lane = try catalog.lane(name)
            do {
                // The graph does not depend on the outputs of commands.
                let sources = PlanSources(files: { catalog.project.files($0) })
                let planner = Planner(catalog.files, sources: sources)
                graph = PlanGraph(try planner.plan(lane: lane.name, arguments: Self.examples(for: lane)))
            } catch {
                throw CommandFailure(error)
            }
        } else {
            graph = PlanGraph(catalog.files)
        }
        world.output.write(arguments[format] == "dot" ? graph.dot : graph.mermaid)
        return .done
    }

    /// Returns a value for each required parameter. The graph does not depend on them.
    private static func examples(for lane: Lane) -> [String: String] {
        var texts: [String: String] = [:]
        for parameter in lane.parameters where parameter.isRequired {
            switch parameter.kind {
            case .string, .path: texts[parameter.name] = parameter.name
            case .bool: texts[parameter.name] = "true"
            case .int: texts[parameter.name] = "1"
            case .version: texts[parameter.name] = "1.0.0"
            case .duration: texts[parameter.name] = "1s"
            case .enum: texts[parameter.name] = parameter.values.first
            }
        }
        return texts
    }
}
