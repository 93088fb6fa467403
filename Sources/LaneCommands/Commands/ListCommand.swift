import Arguments
import Diagnostics
import JSON
import LaneModel

/// `lane list`, and `lane` alone.
enum ListCommand: Subcommand {
    static let name = "list"

    private static let json = Key<Bool>.flag("json", help: "Print the lanes with their parameters as JSON.")

    static let spec = CommandSpec(
        name, abstract: "List the lanes of the package around the current folder.", parameters: [json.spec])

    static func run(_ arguments: ParsedArguments, in world: World) throws(CommandFailure) -> ExitStatus {
        let catalog = try LaneCatalog.load(in: world)
        world.output.write(
            arguments[json] ? jsonText(catalog) : text(catalog, style: world.style(for: world.output)))
        try catalog.requireSound(for: world)
        return .done
    }

    private static func text(_ catalog: LaneCatalog, style: TextStyle) -> String {
        let rows = catalog.lanes.map { (usage: usage($0), summary: $0.summary ?? "") }
        let width = rows.map(\.usage.count).max() ?? 0
        var lines = rows.map { row in
            let words = row.usage.split(separator: " ", maxSplits: 1)
            let name = style.apply(.bold, to: String(words.first ?? ""))
            let rest = words.count > 1 ? " " + style.apply(.faint, to: String(words[1])) : ""
            let padding = String(repeating: " ", count: width - row.usage.count)
            return row.summary.isEmpty ? name + rest : "\(name)\(rest)\(padding)  \(row.summary)"
        }
        if !catalog.project.hasLaneFiles {
            lines.append("")
            lines.append(style.apply(.faint, to: "These lanes are built in; 'lane init' writes them to Lanes/."))
        }
        return lines.map { $0 + "\n" }.joined()
    }

    /// The lane with its positional parameters: `release <version>`.
    private static func usage(_ lane: Lane) -> String {
        let positionals = lane.parameters.filter { $0.position != nil }.sorted {
            ($0.position ?? 0) < ($1.position ?? 0)
        }
        return ([lane.name] + positionals.map { $0.isRequired ? "<\($0.name)>" : "[<\($0.name)>]" })
            .joined(separator: " ")
    }

    private static func jsonText(_ catalog: LaneCatalog) -> String {
        var writer = JSONWriter(.indented)
        writer.object { writer in
            writer.member("version", 1)
            writer.array("lanes") { writer in
                for lane in catalog.lanes { write(lane, to: &writer) }
            }
        }
        return writer.text + "\n"
    }

    private static func write(_ lane: Lane, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("name", lane.name)
            writer.member("summary", lane.summary ?? "")
            writer.array("parameters") { writer in
                for parameter in lane.parameters {
                    writer.object { writer in
                        writer.member("name", parameter.name)
                        writer.member("type", parameter.kind.rawValue)
                        writer.member("required", parameter.isRequired)
                        if let position = parameter.position { writer.member("position", position) }
                        if !parameter.values.isEmpty { writer.member("values", parameter.values) }
                        if let help = parameter.help { writer.member("help", help) }
                    }
                }
            }
            writer.member("needs", lane.needs.map(\.lane))
            writer.member("transaction", lane.isTransaction)
        }
    }
}
