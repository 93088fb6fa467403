import Text

/// The targets of a makefile (https://www.gnu.org/software/make/manual/) as lanes.
///
/// Only targets that are not files become lanes. Each line of a recipe becomes a step, because `make` runs each line in
/// a separate shell.
struct Makefile {
    private var result = Translation()
    private var variables = MakeVariables()
    private var phony: Set<String> = []
    private var targets: [(lane: TranslatedLane, prerequisites: [String], recipe: [LogicalLine])] = []
    private var comment: String?
    /// The depth of nested conditions and definitions.
    private var depth = 0
    /// The line `.ONESHELL`, after which all lines of a recipe run in one shell.
    private var oneShell: LogicalLine?
    private var isInDefinition = false
    /// A Boolean value that indicates whether a line that starts with a tab belongs to the recipe of a rule.
    private var isInRule = false

    static func translation(of text: String) -> Translation {
        var file = Makefile()
        for line in LogicalLine.all(in: text) { file.parse(line) }
        file.finish()
        return file.result
    }

    private mutating func parse(_ line: LogicalLine) {
        if isInDefinition {
            isInDefinition = line.text.trimmed != "endef"
            return
        }
        if line.text.hasPrefix("\t"), isInRule {
            if !line.isBlank, !targets.isEmpty { targets[targets.count - 1].recipe.append(line) }
            return
        }
        let text = line.text.trimmed
        let words = text.split { $0 == " " || $0 == "\t" }.map(String.init)
        switch words.first {
        case nil: comment = nil
        case let word? where word.hasPrefix("#"): comment = String(text.drop { $0 == "#" }).trimmed
        case "ifeq", "ifneq", "ifdef", "ifndef":
            depth += 1
            gap(line, "a condition")
        case "endif": depth = max(0, depth - 1)
        case "define":
            isInDefinition = true
            gap(line, "a definition of several lines")
        case "else", "unexport", "vpath": break
        case "include", "-include", "sinclude":
            variables.isComplete = false
            gap(line, "targets and variables of other files")
        default:
            isInRule = !variables.define(text, isConditional: depth > 0)
            if isInRule { parseRule(line, isConditional: depth > 0) } else { comment = nil }
        }
    }

    private mutating func gap(_ line: LogicalLine, _ reason: String) {
        result.gaps.append(.init(line: line.number, text: line.text, reason: reason))
    }

    private mutating func parseRule(_ line: LogicalLine, isConditional: Bool) {
        defer { comment = nil }
        let halves = line.text.parts(separatedBy: "##", maxSplits: 1).map(String.init)
        let rule = (halves.first ?? "").prefix { $0 != "#" }.split(separator: ";", maxSplits: 1).map(String.init)
        guard let head = rule.first, let colon = head.utf8.firstIndex(of: UInt8(ascii: ":")) else {
            return gap(line, "this syntax")
        }
        let names = words(head[..<colon])
        let prerequisites = words(head[colon...].drop { $0 == ":" }).filter { $0 != "|" }
        if names == [".ONESHELL"] { oneShell = line }
        if names == [".PHONY"] { return phony.formUnion(prerequisites) }
        for name in names where !name.hasPrefix(".") {
            var lane = TranslatedLane(name, line: line.number)
            lane.summary = halves.count > 1 && !halves[1].isEmpty ? halves[1].trimmed : comment
            if isConditional {
                lane.gaps.append(.init(line: line.number, text: line.text, reason: "a rule in a condition"))
            }
            // Rules without a recipe add prerequisites.
            let recipe = rule.count > 1 ? [LogicalLine(number: line.number, text: rule[1])] : []
            targets.append((lane, prerequisites, recipe))
        }
    }

    private func words(_ text: some StringProtocol) -> [String] {
        let expanded = variables.expanded(String(text), target: "", prerequisites: [])
        return ((try? expanded.get()) ?? String(text)).split { $0 == " " || $0 == "\t" || $0 == "\n" || $0 == "\\" }
            .map(String.init)
    }

    private mutating func finish() {
        // A target without a recipe and prerequisites, such as FORCE, only causes other targets to run each time.
        let merged = mergedTargets().filter { !$0.recipe.isEmpty || !$0.prerequisites.isEmpty }
        let lanes = Set(merged.map(\.lane.name).filter { phony.contains($0) || isName($0) })
        for (given, prerequisites, recipe) in merged {
            guard lanes.contains(given.name) else {
                result.gaps.append(
                    .init(line: given.line, text: given.name, reason: "a target that is a file or a pattern"))
                continue
            }
            var lane = given
            for prerequisite in prerequisites {
                if lanes.contains(prerequisite) {
                    lane.needs.append(.init(lane: prerequisite))
                } else if targets.first(where: { $0.lane.name == prerequisite })?.recipe.isEmpty != true {
                    lane.gaps.append(
                        .init(line: lane.line, text: prerequisite, reason: "a prerequisite that is a file"))
                }
            }
            if let oneShell {
                lane.gaps.append(.init(line: oneShell.number, text: oneShell.text, reason: "one shell for all lines"))
            }
            lane.environment = variables.environment
            for line in recipe { parseCommand(line, &lane, prerequisites) }
            result.lanes.append(lane)
        }
    }

    /// Returns the targets, each with the prerequisites of all its rules.
    private func mergedTargets() -> [(lane: TranslatedLane, prerequisites: [String], recipe: [LogicalLine])] {
        var merged: [(lane: TranslatedLane, prerequisites: [String], recipe: [LogicalLine])] = []
        for target in targets {
            guard let index = merged.firstIndex(where: { $0.lane.name == target.lane.name }) else {
                merged.append(target)
                continue
            }
            merged[index].prerequisites += target.prerequisites
            merged[index].recipe += target.recipe
            merged[index].lane.summary = merged[index].lane.summary ?? target.lane.summary
        }
        return merged
    }

    private func isName(_ name: String) -> Bool { !name.contains { "/.%$()*".contains($0) } }

    private func parseCommand(_ line: LogicalLine, _ lane: inout TranslatedLane, _ prerequisites: [String]) {
        let text = line.text.trimmed
        let prefix = text.prefix { "@-+".contains($0) }
        // Each line of a command starts with the tab of its rule.
        let command = text.dropFirst(prefix.count).trimmed.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.hasPrefix("\t") ? $0.dropFirst() : $0 }.joined(separator: "\n")
        guard !command.isEmpty, !command.hasPrefix("#") else { return }
        let words = command.split(separator: " ").map(String.init)
        if ["$(MAKE)", "${MAKE}", "make"].contains(words[0]), words.count == 2, isName(words[1]) {
            return lane.steps.append(.lane(.init(lane: words[1])))
        }
        switch variables.expanded(command, target: lane.name, prerequisites: prerequisites) {
        case .success(let script):
            let step = TranslatedLane.Script(
                text: script, shell: variables.shell, ignoresErrors: prefix.contains("-"))
            lane.steps.append(.run(step))
        case .failure(let problem):
            lane.gaps.append(.init(line: line.number, text: text, reason: problem.reason))
        }
    }
}
