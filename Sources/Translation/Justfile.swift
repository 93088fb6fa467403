import Text

/// The recipes of `just` (https://just.systems/man/en/) as lanes.
///
/// Each line of a recipe becomes a step, because `just` runs each line in a separate shell.
struct Justfile {
    private struct Alias {
        let name: String
        let target: String
        let line: Int
    }

    private var result = Translation()
    private var values = ShellValues()
    private var shell: String?
    private var readsDotEnv = false
    private var environment: [(name: String, value: String)] = []
    private var aliases: [Alias] = []
    /// The settings without an equivalent, which may affect all recipes.
    private var unknownSettings: [TranslatedLane.Gap] = []
    /// The comment and the attributes above the next recipe.
    private var comment: String?
    private var attributes: [String] = []

    static func translation(of text: String) -> Translation {
        var file = Justfile()
        let lines = LogicalLine.all(in: text)
        // Values can be used before their definitions.
        for line in lines where !line.isIndented { file.define(line) }
        var rest = lines[...]
        while let line = rest.popFirst() {
            let body = rest.prefix { $0.isIndented || $0.isBlank }
            if file.parse(line, body: Array(body)) { rest = rest.dropFirst(body.count) }
        }
        file.pairArguments()
        for alias in file.aliases { file.add(alias) }
        for index in file.result.lanes.indices {
            file.result.lanes[index].readsDotEnv = file.readsDotEnv
            file.result.lanes[index].environment = file.environment
            file.result.lanes[index].gaps += file.unknownSettings
        }
        return file.result
    }

    private mutating func add(_ alias: Alias) {
        if let index = result.lanes.firstIndex(where: { $0.name == alias.target }) {
            result.lanes[index].aliases.append(alias.name)
        } else {
            let text = "alias \(alias.name) := \(alias.target)"
            result.gaps.append(.init(line: alias.line, text: text, reason: "an alias of a recipe of another file"))
        }
    }

    /// Adds the parameter names of dependencies to their arguments.
    private mutating func pairArguments() {
        let parameters = Dictionary(result.lanes.map { ($0.name, $0.parameters) }) { first, _ in first }
        for index in result.lanes.indices {
            func paired(_ call: TranslatedLane.Call) -> TranslatedLane.Call? {
                guard let known = parameters[call.lane] else { return nil }
                guard !call.arguments.isEmpty else { return call }
                var call = call
                if let last = known.last, last.isVariadic, call.arguments.count > known.count {
                    let words = call.arguments[(known.count - 1)...].joined(separator: " ")
                    call.arguments = call.arguments.prefix(known.count - 1) + [words]
                }
                call.parameters = Array(known.prefix(call.arguments.count))
                return call.arguments.count <= known.count ? call : nil
            }
            let lane = result.lanes[index]
            result.lanes[index].needs = lane.needs.compactMap(paired)
            result.lanes[index].steps = lane.steps.compactMap { step in
                if case .lane(let call) = step { paired(call).map { .lane($0) } } else { step }
            }
            if result.lanes[index].needs.count + result.lanes[index].steps.count < lane.needs.count + lane.steps.count {
                result.lanes[index].gaps.append(
                    .init(line: lane.line, text: lane.original, reason: "a recipe of another file, or its arguments"))
            }
        }
    }

    private mutating func define(_ line: LogicalLine) {
        var text = line.text
        let isExported = text.hasPrefix("export ")
        if isExported { text = String(text.dropFirst("export ".count)) }
        guard let mark = text.range(of: ":="), !text.hasPrefix("set "), !text.hasPrefix("alias ") else { return }
        let name = text[..<mark.lowerBound].trimmed
        guard name.isIdentifier else { return }
        values.expressions[name] = text[mark.upperBound...].trimmed
        if isExported, let value = values.literal(name) { environment.append((name, value)) }
    }

    /// Parses a line. Returns a Boolean value that indicates whether it is the head of a recipe with this body.
    private mutating func parse(_ line: LogicalLine, body: [LogicalLine]) -> Bool {
        let text = line.text.trimmed
        let words = text.split(separator: " ").map(String.init)
        switch words.first {
        case nil: (comment, attributes) = (nil, [])
        case let word? where word.hasPrefix("#"): comment = String(text.drop { $0 == "#" }).trimmed
        case let word? where word.hasPrefix("["):
            attributes += text.dropFirst().dropLast().split(outsideQuotes: ",").map(\.trimmed)
        case "set": parseSetting(line)
        case "alias":
            let parts = text.dropFirst("alias".count).split(outsideQuotes: "=").map(\.trimmed)
            if parts.count == 2 {
                let name = String(parts[0].dropLast()).trimmed
                aliases.append(Alias(name: name, target: parts[1], line: line.number))
            }
        case "import", "import?", "mod", "mod?":
            result.gaps.append(.init(line: line.number, text: text, reason: "recipes of other files"))
        default:
            if text.range(of: ":=") != nil, values.expressions[words.first { $0 != "export" } ?? ""] != nil {
                return false
            }
            parseRecipe(line, body)
            (comment, attributes) = (nil, [])
            return true
        }
        return false
    }

    private mutating func parseSetting(_ line: LogicalLine) {
        let parts = line.text.dropFirst("set ".count).parts(separatedBy: ":=", maxSplits: 1).map(\.trimmed)
        guard parts.last != "false" else { return }
        switch parts.first {
        case "dotenv-load": readsDotEnv = true
        case "shell":
            let words = (parts.last ?? "").dropFirst().dropLast().split(outsideQuotes: ",")
                .map { String($0.trimmed.dropFirst().dropLast()) }
            let options = words.dropFirst().map {
                $0.hasPrefix("-") && !$0.hasPrefix("--") ? $0.filter { $0 != "c" } : $0
            }
            let command = (words.prefix(1) + options.filter { $0 != "-" }).joined(separator: " ")
            shell = command == "sh -u" || command == "sh" ? nil : command
        // These settings do not affect the commands of recipes.
        case "quiet", "fallback", "allow-duplicate-recipes", "allow-duplicate-variables", "ignore-comments", "unstable",
            "windows-shell", "windows-powershell", "tempdir":
            break
        default: unknownSettings.append(.init(line: line.number, text: line.text, reason: "this setting"))
        }
    }

    private mutating func parseRecipe(_ line: LogicalLine, _ body: [LogicalLine]) {
        let parts = line.text.split(outsideQuotes: ":")
        var words = parts[0].trimmed.split(outsideQuotes: " ").filter { !$0.isEmpty }
        guard parts.count > 1, let head = words.first else {
            return result.gaps.append(.init(line: line.number, text: line.text, reason: "this syntax"))
        }
        words.removeFirst()
        let name = String(head.drop { $0 == "@" })
        var lane = TranslatedLane(name, line: line.number)
        lane.summary = comment
        lane.isPrivate = name.hasPrefix("_")
        parseAttributes(&lane, line)
        parseParameters(words, &lane, line)
        let known = values.with(lane.parameters.map { ($0.original, $0.isVariadic) })
        let last = parseDependencies(parts[1...].joined(separator: ":"), &lane, known)
        let body = body.drop { $0.isBlank }
        if let first = body.first, first.text.trimmed.hasPrefix("#!") {
            parseScript(Array(body), &lane, known)
        } else {
            for line in body { parseCommand(line, &lane, known) }
        }
        lane.steps += last.map { .lane($0) }
        result.lanes.append(lane)
    }

    private func parseAttributes(_ lane: inout TranslatedLane, _ line: LogicalLine) {
        for attribute in attributes {
            // `group('dev')` and `group: 'dev'` are the same.
            let name = attribute.prefix { $0 != "(" && $0 != ":" }
            let argument = String(attribute.dropFirst(name.count + 1).drop { $0 == " " })
            let text = (argument.hasSuffix(")") ? String(argument.dropLast()) : argument).dropFirst().dropLast()
            switch name {
            case "private": lane.isPrivate = true
            case "doc": lane.summary = String(text)
            case "group": lane.group = String(text)
            case "no-exit-message", "positional-arguments": break
            default: lane.gaps.append(.init(line: line.number, text: "[\(attribute)]", reason: "this attribute"))
            }
        }
    }

    private func parseParameters(_ words: [String], _ lane: inout TranslatedLane, _ line: LogicalLine) {
        for word in words {
            let isVariadic = word.hasPrefix("*") || word.hasPrefix("+")
            let parts = word.split(outsideQuotes: "=")
            let name = String(parts[0].drop { "*+$".contains($0) })
            var parameter = TranslatedLane.Parameter(original: name, isVariadic: isVariadic)
            if parts.count > 1 {
                parameter.fallback = values.literal(of: parts[1])
                if parameter.fallback == nil {
                    lane.gaps.append(.init(line: line.number, text: word, reason: "a default that is not a literal"))
                }
            } else if word.hasPrefix("*") {
                parameter.fallback = ""
            }
            lane.parameters.append(parameter)
        }
    }

    /// Parses the dependencies of a recipe, as in `lint (build "release")`. Returns the dependencies after `&&`, which
    /// run last.
    private func parseDependencies(
        _ text: String, _ lane: inout TranslatedLane, _ values: ShellValues
    ) -> [TranslatedLane.Call] {
        var last: [TranslatedLane.Call] = []
        var areLast = false
        let words = text.prefix { $0 != "#" }.split(outsideQuotes: " ").map(\.trimmed).filter { !$0.isEmpty }
        for word in words {
            if word == "&&" {
                areLast = true
            } else if let call = call(word, values) {
                if areLast { last.append(call) } else if !lane.needs.contains(call) { lane.needs.append(call) }
            } else {
                lane.gaps.append(.init(line: lane.line, text: word, reason: "arguments of a dependency"))
            }
        }
        return last
    }

    /// Returns the reference in a word such as `lint` or `(build "release")`, or `nil` if its values are unknown.
    private func call(_ word: String, _ values: ShellValues) -> TranslatedLane.Call? {
        guard word.hasPrefix("(") else { return TranslatedLane.Call(lane: word) }
        let words = word.dropFirst().dropLast().split(outsideQuotes: " ").map(\.trimmed).filter { !$0.isEmpty }
        let arguments = words.dropFirst().compactMap(values.text)
        guard word.hasSuffix(")"), let name = words.first, arguments.count == words.count - 1 else { return nil }
        return TranslatedLane.Call(lane: name, arguments: arguments)
    }

    private func parseCommand(_ line: LogicalLine, _ lane: inout TranslatedLane, _ values: ShellValues) {
        var text = line.text.trimmed
        let prefix = text.prefix { $0 == "@" || $0 == "-" }
        text = String(text.dropFirst(prefix.count)).trimmed
        guard !text.isEmpty, !text.hasPrefix("#") else { return }
        switch values.interpolated(text) {
        case .success(let script):
            if text.hasPrefix("just ") {
                lane.gaps.append(.init(line: line.number, text: text, reason: "a call of 'just'"))
            }
            let step = TranslatedLane.Script(text: script, shell: shell, ignoresErrors: prefix.contains("-"))
            lane.steps.append(.run(step))
        case .failure(let problem):
            lane.gaps.append(.init(line: line.number, text: text, reason: problem.reason))
        }
    }

    private func parseScript(_ body: [LogicalLine], _ lane: inout TranslatedLane, _ values: ShellValues) {
        let indent = body[0].text.prefix { $0 == " " || $0 == "\t" }.count
        let text = body.map { String($0.text.dropFirst(indent)) }.joined(separator: "\n").trimmed
        let isShell = body[0].text.contains("sh")
        switch values.interpolated(text) {
        case .success(let script) where isShell || script == text:
            lane.steps.append(.run(.init(text: script)))
        case .success:
            lane.gaps.append(.init(line: body[0].number, text: body[0].text.trimmed, reason: "values in such a script"))
        case .failure(let problem):
            lane.gaps.append(.init(line: body[0].number, text: body[0].text.trimmed, reason: problem.reason))
        }
    }
}
