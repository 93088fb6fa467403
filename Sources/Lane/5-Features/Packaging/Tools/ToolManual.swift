import Arguments
import Text

/// The manual page of a program that uses Swift Argument Parser, from the description that the program prints.
enum ToolManual {
    /// The option that prints the description as JSON.
    static let option = "experimental-dump-help"

    /// Returns the page, or `nil` if the text is no description.
    static func text(of name: String, version: String, description: [UInt8]) -> String? {
        guard let command = (try? JSONParser.parse(description))?["command"], command["commandName"] != nil else {
            return nil
        }
        return ManualPage.text(
            of: name, version: version, command: page(command, named: name), pages: subpages(of: command, after: name))
    }

    /// Returns the pages of all subcommands, each before those of its own subcommands.
    private static func subpages(of command: JSONNode, after path: String) -> [HelpPage] {
        subcommands(of: command).flatMap { command -> [HelpPage] in
            let name = "\(path) \(command["commandName"]?.string ?? "")"
            return [page(command, named: name)] + subpages(of: command, after: name)
        }
    }

    private static func page(_ command: JSONNode, named name: String) -> HelpPage {
        let arguments = shown(command["arguments"])
        let positionals = arguments.filter(isPositional)
        let subcommands = subcommands(of: command)
        let usage = [name, "[options]"] + positionals.map(usage) + (subcommands.isEmpty ? [] : ["<subcommand>"])
        var blocks: [HelpPage.Block] = [.heading("Synopsis"), .usage(usage.joined(separator: " "))]
        let discussion = paragraphs(command["discussion"]?.string ?? "")
        if !discussion.isEmpty { blocks += [.heading("Description")] + discussion.map(HelpPage.Block.paragraph) }
        func add(_ heading: String, _ rows: [HelpPage.Row]) {
            if !rows.isEmpty { blocks += [.heading(heading), .rows(rows)] }
        }
        add("Arguments", positionals.map(row))
        add("Options", arguments.filter { !isPositional($0) }.map(row))
        add(
            "Subcommands",
            subcommands.map { HelpPage.Row($0["commandName"]?.string ?? "", $0["abstract"]?.string ?? "") })
        let abstract = command["abstract"]?.string ?? name
        return HelpPage(name, abstract.hasSuffix(".") ? String(abstract.dropLast()) : abstract, blocks)
    }

    private static func subcommands(of command: JSONNode) -> [JSONNode] {
        shown(command["subcommands"]).filter { $0["commandName"]?.string != "help" }
    }

    private static func shown(_ nodes: JSONNode?) -> [JSONNode] {
        (nodes?.array ?? []).filter { $0["shouldDisplay"]?.bool ?? true }
    }

    private static func isPositional(_ argument: JSONNode) -> Bool { argument["kind"]?.string == "positional" }

    private static func usage(_ argument: JSONNode) -> String {
        let name = "<\(argument["valueName"]?.string ?? "")>" + (argument["isRepeating"]?.bool == true ? " ..." : "")
        return argument["isOptional"]?.bool == true ? "[\(name)]" : name
    }

    private static func row(_ argument: JSONNode) -> HelpPage.Row {
        let names = (argument["names"]?.array ?? []).map { name in
            (name["kind"]?.string == "long" ? "--" : "-") + (name["name"]?.string ?? "")
        }
        let value = argument["kind"]?.string == "flag" ? "" : "<\(argument["valueName"]?.string ?? "")>"
        let label = [names.joined(separator: ", "), value].filter { !$0.isEmpty }.joined(separator: " ")
        let initial = argument["defaultValue"]?.string.map { "(default: \($0))" } ?? ""
        let meaning = [argument["abstract"]?.string ?? "", initial].filter { !$0.isEmpty }.joined(separator: " ")
        return HelpPage.Row(label, meaning)
    }

    /// Returns the paragraphs of a text, whose lines are joined.
    private static func paragraphs(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).split(whereSeparator: \.isEmpty)
            .map { $0.joined(separator: " ") }
    }
}
