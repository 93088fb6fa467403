import Arguments
import Diagnostics
import Files
import JSON
import LaneModel

/// The command `lane list`, which is the default.
enum ListCommand: Subcommand {
    static let name = "list"

    private static let json = Key<Bool>.flag("json", help: "Print the lanes with their parameters as JSON.")

    static let spec = CommandSpec(
        name, abstract: "List the lanes of the package in the current directory or above.", parameters: [json.spec])

    static func run(_ arguments: ParsedArguments, in world: World) throws(CommandFailure) -> ExitStatus {
        let catalog = try LaneCatalog.load(in: world)
        world.output.write(
            arguments[json] ? jsonText(catalog) : text(catalog, style: world.style(for: world.output)))
        try catalog.requireSound()
        return .done
    }

    private static func text(_ catalog: LaneCatalog, style: TextStyle) -> String {
        let lanes = catalog.files.lanes
        let rows = lanes.indices.filter { !lanes[$0].isPrivate }.map { index in
            let name = lanes[index].name
            return (lanes[index].parameters.isEmpty ? name : usage(lanes[index]), lanes[index].summary ?? "")
        }
        let width = rows.map { TerminalText.columns($0.0) }.max() ?? 0
        var text = ""
        text.reserveCapacity(rows.count * (width + 32))
        for (usage, summary) in rows {
            let nameEnd = usage.utf8.firstIndex(of: UInt8(ascii: " ")) ?? usage.endIndex
            text += style.apply(.bold, to: String(usage[..<nameEnd]))
            if nameEnd < usage.endIndex {
                text += " "
                text += style.apply(.faint, to: String(usage[usage.utf8.index(after: nameEnd)...]))
            }
            if !summary.isEmpty {
                text += String(repeating: " ", count: width - TerminalText.columns(usage) + 2)
                text += summary
            }
            text += "\n"
        }
        if !catalog.project.hasLaneFiles {
            text += "\n"
            text += style.apply(.faint, to: "These lanes are built in; 'lane init' writes them to Lanes/.")
            text += "\n"
        }
        return text
    }

    /// Returns the name of a lane with its positional parameters: `release <version>`.
    private static func usage(_ lane: Lane) -> String {
        ([lane.name] + lane.positionals.map { $0.isRequired ? "<\($0.name)>" : "[<\($0.name)>]" })
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
                        if let value = parameter.defaultValue { writer.member("default", value) }
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
