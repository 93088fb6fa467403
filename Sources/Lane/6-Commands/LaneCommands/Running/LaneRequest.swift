import Arguments
import LaneModel
import OperatingSystem
import Runner
import Text

/// A lane of a command line with its words.
struct LaneRequest {
    let lane: Lane
    /// The words after the name of the lane.
    let words: [String]
    let arguments: ParsedArguments

    /// The word between lanes with arguments.
    static let separator = "+"

    /// Parses the words after the name of a lane. Asks the user for missing required values.
    init(_ lane: Lane, _ words: [String], in world: World) throws(CommandFailure) {
        self.lane = lane
        // A lane without words and parameters needs no description of its command line.
        if words.isEmpty, lane.parameters.isEmpty {
            (self.words, arguments) = ([], ParsedArguments())
            return
        }
        let aborts = Self.aborts(lane, words)
        let spec = lane.commandSpec()
        let answers = aborts ? [] : Self.answers(of: lane, spec, words, in: world)
        self.words = answers + words
        do throws(CommandFailure) {
            arguments = try Program.parse(
                aborts ? spec.withoutRequirements() : spec, self.words, after: ["lane"], checking: Lane.clashes
            ).arguments
        } catch {
            throw (spec.passesOptions ? nil : Self.pathOption(in: words, of: lane, spec)) ?? error
        }
    }

    /// Returns the failure for an option of `lane` or of SwiftPM that names a directory and stands after the name of a
    /// lane, or `nil` if there is none.
    private static func pathOption(in words: [String], of lane: Lane, _ spec: CommandSpec) -> CommandFailure? {
        let own = words.prefix { $0 != "--" }
        for (index, word) in own.enumerated() {
            let option = String(word.prefix { $0 != "=" })
            let name = String(option.drop { $0 == "-" })
            let isDirectory = option == "-C" || option == "--\(name)" && LaneKeys.directoryOptions.contains(name)
            guard isDirectory || ["--scratch-path", "--build-path"].contains(option),
                !spec.parameters.contains(where: { $0.name == name })
            else { continue }
            let isAttached = option != word
            let value = isAttached ? String(word.dropFirst(option.count + 1)) : own.dropFirst(index + 1).first
            let path = value.map(ShellWords.quoted) ?? "DIRECTORY"
            let others = words[..<index] + words.dropFirst(index + (isAttached ? 1 : 2))
            let rest = ShellWords.line([lane.name] + others)
            return CommandFailure(
                .usage, "unknown option '\(option)' of '\(lane.name)'",
                hint: isDirectory ? "lane -C \(path) \(rest)" : "SWIFTPM_BUILD_DIR=\(path) lane \(rest)")
        }
        return nil
    }

    /// Returns the lanes of a command line that starts with a lane: `lint test` are two lanes, and so are
    /// `lint + test --failed`.
    ///
    /// Words in the positions of positional values are values. Names without a separator therefore mean several lanes
    /// only if the first lane has no positional parameters.
    static func split(
        _ lane: Lane, _ words: [String], in catalog: LaneCatalog
    ) throws(CommandFailure) -> [(lane: Lane, words: [String])] {
        let own = words.prefix { $0 != "--" }
        let rest = words[own.endIndex...]
        var parts = own.split(separator: separator, omittingEmptySubsequences: false).map(Array.init)
        var lanes: [(lane: Lane, words: [String])] = [(lane, parts.removeFirst())]
        for part in parts {
            guard let name = part.first, !name.hasPrefix("-") else {
                throw CommandFailure(.usage, "expected the name of a lane after '\(separator)'")
            }
            lanes.append((try catalog.lane(name), Array(part.dropFirst())))
        }
        if parts.isEmpty { lanes = try names(lane, lanes[0].words, in: catalog) }
        lanes[lanes.count - 1].words += rest
        if lanes.count > 1, let release = lanes.first(where: { $0.lane.isTransaction })?.lane {
            throw CommandFailure(
                .usage, "'\(release.name)' is a transaction and runs alone", hint: "use a 'lane' step or 'needs' in it")
        }
        return lanes
    }

    /// Splits words that start with names of lanes.
    private static func names(
        _ lane: Lane, _ words: [String], in catalog: LaneCatalog
    ) throws(CommandFailure) -> [(lane: Lane, words: [String])] {
        let names = words.prefix { !$0.hasPrefix("-") }
        if let index = names.indices.first(where: { catalog.isLane(names[$0]) && !lane.takes(names[$0], at: $0) }) {
            throw CommandFailure(
                .usage, "lane '\(lane.name)' takes no argument '\(names[index])' here",
                hint: "use 'lane \(lane.name) \((names[..<index] + [separator, names[index]]).joined(separator: " "))'"
                    + " for both lanes")
        }
        guard lane.positionals.isEmpty, let first = names.first else { return [(lane, words)] }
        guard catalog.isLane(first) else {
            let near = lane.takesPatterns ? nil : nearest(to: first, among: catalog.lanes.map(\.name))
            guard let near else { return [(lane, words)] }
            throw CommandFailure(
                .usage, "lane '\(lane.name)' has no argument '\(first)'", hint: "did you mean the lane '\(near)'?")
        }
        if lane.takesPatterns { throw lane.ambiguity(of: first) }
        var lanes: [(lane: Lane, words: [String])] = [(lane, [])]
        for name in names { lanes.append((try catalog.lane(name), [])) }
        lanes[lanes.count - 1].words = Array(words[names.endIndex...])
        return lanes
    }

    /// Returns the words of the last lane of an unfinished command line, or no words if the unfinished word is the name
    /// of a lane.
    ///
    /// - Parameter words: The words from the first lane on that precede the unfinished word.
    static func last(in words: [String], before unfinished: String, in catalog: LaneCatalog) -> [String] {
        guard !words.contains("--"), let name = words.first, catalog.isLane(name), let lane = try? catalog.lane(name),
            !lane.isTransaction
        else { return words }
        if let mark = words.lastIndex(of: separator) { return Array(words[(mark + 1)...]) }
        let names = words.prefix { !$0.hasPrefix("-") }
        guard lane.positionals.isEmpty, !lane.takesPatterns, names.allSatisfy(catalog.isLane) else { return words }
        let isName = names.count == words.count && !unfinished.hasPrefix("-")
        return isName ? [] : Array(words[(names.count - 1)...])
    }

    /// Throws an error if options for all lanes are not at the end of the command line.
    static func check(_ requests: [LaneRequest]) throws(CommandFailure) {
        for request in requests.dropLast() {
            let given = LaneOptions.all.first { request.arguments.gives($0) }
            if let given {
                throw CommandFailure(
                    .usage, "'--\(given.name)' after '\(request.lane.name)' applies to all lanes",
                    hint: "write it at the end of the command line")
            }
        }
    }

    /// Returns a Boolean value that indicates whether the command line undoes a release, for which it needs no version.
    private static func aborts(_ lane: Lane, _ words: [String]) -> Bool {
        lane.isTransaction && words.prefix { $0 != "--" }.contains("--\(LaneOptions.abort.spec.name)")
    }

    /// Asks the user for the values of required parameters, and returns them as options.
    ///
    /// Returns no options on a CI service, without a terminal, for an invalid command line, and after the end of input.
    /// The parser then reports the missing values.
    private static func answers(
        of lane: Lane, _ spec: CommandSpec, _ words: [String], in world: World
    ) -> [String] {
        guard let readLine = world.terminal.readLine, !world.isCI, lane.parameters.contains(where: \.isRequired),
            let arguments = try? spec.withoutRequirements().parse(words, checking: Lane.clashes).arguments
        else { return [] }
        let prompts = Prompts(write: { world.errors.write($0) }, readLine: readLine)
        var answers: [String] = []
        for parameter in lane.parameters where parameter.isRequired {
            // A dotenv file of the lane may set the variable.
            if let variable = parameter.variable,
                !lane.dotenv.isEmpty || world.environment[variable]?.isEmpty == false
            {
                continue
            }
            guard arguments.words(parameter.name).isEmpty, arguments.flag(parameter.name) == nil else { continue }
            // Every user could read the answer in the command line of the container engine.
            if parameter.isSecret, arguments[LaneOptions.container] != nil { return [] }
            guard let text = prompts.text(for: parameter) else { return [] }
            let isFlag = parameter.isFlag
            answers.append(isFlag ? "--\(text == "true" ? "" : "no-")\(parameter.name)" : "--\(parameter.name)=\(text)")
        }
        return answers
    }
}

extension Lane {
    /// Returns a Boolean value that indicates whether a word may be the value of a positional parameter. A lane without
    /// such parameters takes the names of other lanes.
    fileprivate func takes(_ word: String, at index: Int) -> Bool {
        let positionals = positionals
        guard !positionals.isEmpty else { return true }
        let last = positionals[positionals.count - 1]
        guard index < positionals.count || last.isVariadic else { return false }
        let parameter = index < positionals.count ? positionals[index] : last
        return switch parameter.kind {
        case .enum: parameter.values.contains(word)
        case .int: Int(word) != nil
        case .bool, .string, .version, .duration, .path: true
        }
    }
}

extension ParsedArguments {
    /// Returns a Boolean value that indicates whether the command line contains a value for a parameter.
    func gives(_ parameter: ParameterSpec) -> Bool {
        !words(parameter.name).isEmpty || flag(parameter.name) != nil
    }
}
