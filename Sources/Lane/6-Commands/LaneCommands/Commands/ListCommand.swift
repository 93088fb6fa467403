import Arguments
import LaneModel
import OperatingSystem
import Text

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
        if let misplaced = Project.misplacedFile(nil, in: catalog.project.root) {
            world.errors.write(DiagnosticText(style: world.style(for: world.errors)).text(for: misplaced))
        }
        try catalog.requireSound()
        return .done
    }

    private static func text(_ catalog: LaneCatalog, style: TextStyle) -> String {
        let lanes = catalog.files.lanes
        var rows: [(group: String, usage: String, summary: String)] = []
        rows.reserveCapacity(lanes.count)
        for index in lanes.indices where !lanes[index].isPrivate {
            let name = lanes[index].name
            rows.append(
                (
                    group(of: lanes[index], in: catalog) ?? "",
                    lanes[index].parameters.isEmpty ? name : usage(lanes[index]),
                    summary(lanes[index])
                ))
        }
        let width = rows.map { TerminalText.columns($0.usage) }.max() ?? 0
        var text = ""
        text.reserveCapacity(rows.count * (width + 32))
        for group in groups(of: rows.map(\.group)) {
            if !group.isEmpty { text += (text.isEmpty ? "" : "\n") + style.apply(.faint, to: "\(group):") + "\n" }
            for row in rows where row.group == group { text += line(row.usage, row.summary, width, style) }
        }
        if !catalog.project.hasLaneFiles {
            text += "\n"
            text += style.apply(.faint, to: "These lanes are built in; 'lane init' writes them to Lanes/.")
            text += "\n"
        }
        return text
    }

    /// The heading of the built-in lanes beside lanes of the package.
    private static let builtIn = "built in"

    private static func group(of lane: Lane, in catalog: LaneCatalog) -> String? {
        lane.isBuiltIn && catalog.project.hasLaneFiles ? builtIn : lane.group
    }

    /// Returns the headings in the order of their first lanes. Lanes without a heading come first, built-in ones last.
    private static func groups(of all: [String]) -> [String] {
        var seen: Set<String> = ["", builtIn]
        return [""] + all.filter { seen.insert($0).inserted } + (all.contains(builtIn) ? [builtIn] : [])
    }

    private static func summary(_ lane: Lane) -> String {
        let words = (lane.isDefault ? ["default"] : []) + lane.aliases.map(\.name)
        guard !words.isEmpty else { return lane.summary ?? "" }
        let aliases = "(\(words.joined(separator: ", ")))"
        return lane.summary.map { "\($0) \(aliases)" } ?? aliases
    }

    private static func line(_ usage: String, _ summary: String, _ width: Int, _ style: TextStyle) -> String {
        let nameEnd = usage.utf8.firstIndex(of: UInt8(ascii: " ")) ?? usage.endIndex
        var text = style.apply(.bold, to: String(usage[..<nameEnd]))
        if nameEnd < usage.endIndex {
            text += " "
            text += style.apply(.faint, to: String(usage[usage.utf8.index(after: nameEnd)...]))
        }
        if !summary.isEmpty {
            text += String(repeating: " ", count: width - TerminalText.columns(usage) + 2)
            text += summary
        }
        return text + "\n"
    }

    /// Returns the name of a lane with its positional parameters: `release <version>`.
    private static func usage(_ lane: Lane) -> String {
        ([lane.name] + lane.positionals.map { $0.isRequired ? "<\($0.name)>" : "[<\($0.name)>]" })
            .joined(separator: " ")
    }

    private static func jsonText(_ catalog: LaneCatalog) -> String {
        JSONWriter.document { writer in
            writer.member("version", 1)
            writer.array("lanes") { writer in
                for lane in catalog.lanes { write(lane, to: &writer) }
            }
        }
    }

    private static func write(_ lane: Lane, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("name", lane.name)
            writer.member("summary", lane.summary ?? "")
            if !lane.aliases.isEmpty { writer.member("aliases", lane.aliases.map(\.name)) }
            if lane.isDefault { writer.member("default", true) }
            if let group = lane.group { writer.member("group", group) }
            if lane.isBuiltIn { writer.member("built-in", true) }
            writer.array("parameters") { writer in
                for parameter in lane.parameters {
                    writer.object { writer in
                        writer.member("name", parameter.name)
                        writer.member("type", parameter.kind.rawValue)
                        writer.member("required", parameter.isRequired)
                        if let position = parameter.position { writer.member("position", position) }
                        if parameter.isVariadic { writer.member("variadic", true) }
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
