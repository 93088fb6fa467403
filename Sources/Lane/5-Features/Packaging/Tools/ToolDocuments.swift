import Actions
import Archives
import Arguments
import Events
import Expressions
import Git
import LaneModel
import OperatingSystem
import SwiftPackages
import Text

/// The manual pages and completion scripts of executables: the files in `man` and `completions` of the package. For those that
/// are missing, the output of a program that uses Swift Argument Parser.
struct ToolDocuments {
    /// A shell with completion scripts.
    private enum Shell: String, CaseIterable {
        case bash, zsh, fish

        /// Returns the path in the archive of the script for a program.
        func path(for program: String) -> String {
            switch self {
            case .bash: "share/bash-completion/completions/\(program)"
            case .zsh: "share/zsh/site-functions/_\(program)"
            case .fish: "share/fish/vendor_completions.d/\(program).fish"
            }
        }
    }

    let tools: ToolRunner
    let sources: SourceCopy
    let version: String

    /// - Parameter executables: The executables with their paths.
    func entries(of executables: [(name: String, path: String)]) throws(OperationFailure) -> [ArchiveEntry] {
        guard !executables.isEmpty else { return [] }
        var entries: [String: ArchiveEntry] = [:]
        for file in sources.exported {
            guard let path = Self.path(of: file, among: executables.map(\.name)) else { continue }
            entries[path] = try convertingArchiveErrors(
                of: ArchiveContents.entry(path, from: "\(sources.path)/\(file)"))
        }
        for executable in executables {
            let page = "share/man/man1/\(executable.name).1"
            if entries[page] == nil, let description = try output(of: executable, ToolManual.option, []) {
                let text = ToolManual.text(of: executable.name, version: version, description: description)
                entries[page] = text.map { ArchiveEntry(page, .bytes(Array($0.utf8), isExecutable: false)) }
            }
            for shell in Shell.allCases {
                let path = shell.path(for: executable.name)
                guard entries[path] == nil,
                    let script = try output(of: executable, "generate-completion-script", [shell.rawValue])
                else { continue }
                entries[path] = ArchiveEntry(path, .bytes(script, isExecutable: false))
            }
        }
        return Array(entries.values)
    }

    /// Returns the path in the archive for a file of the package, or `nil` if it is no manual page and no completion script.
    static func path(of file: String, among executables: [String]) -> String? {
        let name = lastPathComponent(file)
        if file.hasPrefix("man/"), let section = name.last, ("1"..."9").contains(section), name.dropLast().last == "." {
            return "share/man/man\(section)/\(name)"
        }
        guard file.hasPrefix("completions/") else { return nil }
        for program in executables {
            if name == "_\(program)" { return Shell.zsh.path(for: program) }
            for shell in Shell.allCases where name == "\(program).\(shell.rawValue)" { return shell.path(for: program) }
        }
        return nil
    }

    /// Returns the output of an executable with an option of Swift Argument Parser, or `nil` if the executable doesn't
    /// contain the name of the option or fails.
    private func output(
        of executable: (name: String, path: String), _ option: String, _ arguments: [String]
    ) throws(OperationFailure) -> [UInt8]? {
        guard try convertingFileErrors(of: file(executable.path, contains: option)) else {
            return nil
        }
        // The output must not depend on the directory and the user.
        let command = Command(
            executable.path, ["--\(option)"] + arguments,
            environment: ["PATH": "/nonexistent", "HOME": "/nonexistent", "LC_ALL": "C"], directory: "/")
        let run = try convertingSpawnErrors(
            of: tools.processes.capture(command, limits: RunLimits(timeout: .seconds(10))))
        guard run.report.succeeded, !run.standardOutput.isEmpty else {
            tools.report(.warning, "'\(executable.name) --\(option)' failed, so its output is not in the package")
            return nil
        }
        return run.standardOutput
    }
}

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

/// Values from the files of a package for those who install its programs.
struct ToolDescription {
    /// One line about the programs.
    let summary: String
    /// The SPDX identifier of the license, or `nil` if it is unknown.
    let license: String?

    /// - Parameter directory: The directory of the package.
    init(_ settings: Settings, of name: String, in directory: String) {
        let names = ((try? listDirectory(directory)) ?? []).sorted()
        func text(_ prefixes: [String]) -> String {
            let name = names.first { name in prefixes.contains { name.uppercased().hasPrefix($0) } }
            return name.flatMap { try? readText("\(directory)/\($0)") } ?? ""
        }
        summary = settings.string("description") ?? Self.firstSentence(text(["README"])) ?? name
        license = PackageRecord.license(text(["LICEN", "COPYING"]))
    }

    /// Returns the line that installers show. It starts with a capital letter and neither with the name of the package nor
    /// with an article, ends without a period, and has at most 80 characters: `lintian` and `brew style` reject others.
    static func synopsis(_ summary: String, of name: String) -> String {
        var words = summary.split(separator: " ").map(String.init)
        if words.first?.lowercased() == name.lowercased() { words.removeFirst() }
        if words.first == "is" { words.removeFirst() }
        if let first = words.first, ["a", "an", "the"].contains(first.lowercased()) { words.removeFirst() }
        while words.joined(separator: " ").count > 80 { words.removeLast() }
        var line = words.joined(separator: " ")
        while line.hasSuffix(".") { line.removeLast() }
        return line.isEmpty ? "Command-line tools of \(name)" : line.prefix(1).uppercased() + line.dropFirst()
    }

    /// Returns the first sentence of a document in Markdown, without a period, or `nil` if there is none. Skips headings,
    /// badges and HTML.
    static func firstSentence(_ document: String) -> String? {
        var sentence = ""
        for line in document.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            let isText = line.first.map { !"#=-[!<>|`".contains($0) } ?? false
            guard isText else {
                if sentence.isEmpty { continue }
                break
            }
            // A line of signs underlines a heading.
            sentence += (sentence.isEmpty ? "" : " ") + line
        }
        if let end = sentence.range(of: ". ") { sentence = String(sentence[..<end.lowerBound]) }
        while sentence.hasSuffix(".") { sentence.removeLast() }
        sentence = String(sentence.filter { !"`*_".contains($0) })
        return sentence.isEmpty ? nil : sentence
    }
}
