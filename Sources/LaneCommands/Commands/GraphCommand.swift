import Arguments
import Diagnostics
import Files
import LaneModel

/// `lane graph`
enum GraphCommand: Subcommand {
    static let name = "graph"

    private static let lane = Key<String?>.positional(
        "lane", help: "Draw the steps of this lane; all lanes when left out.",
        completion: .dynamic(LaneCatalog.topicName))
    private static let format = Key<String>.option(
        "format", value: "format", default: "mermaid", help: "The language of the picture.",
        allowed: ["mermaid", "dot"])

    static let spec = CommandSpec(
        name, abstract: "Draw how lanes and steps depend on each other.",
        discussion: "For a picture: lane graph --format dot | dot -Tsvg > lanes.svg",
        parameters: [lane.spec, format.spec])

    static func run(_ arguments: ParsedArguments, in world: World) throws(CommandFailure) -> ExitStatus {
        let catalog = try LaneCatalog.load(in: world)
        try catalog.requireSound()
        let graph: PlanGraph
        if let name = arguments[lane] {
            let lane = try catalog.lane(name)
            do {
                graph = PlanGraph(try Planner(catalog.files).plan(lane: lane.name, arguments: Self.examples(for: lane)))
            } catch {
                throw CommandFailure(error)
            }
        } else {
            graph = PlanGraph(catalog.files)
        }
        world.output.write(arguments[format] == "dot" ? graph.dot : graph.mermaid)
        return .done
    }

    /// A value for each parameter that must have one; a graph is the same for all of them.
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
