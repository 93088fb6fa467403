import Text
import YAML

/// The lanes of a Fastfile (https://docs.fastlane.tools/advanced/Fastfile/).
///
/// A Fastfile is a Ruby program. Only statements that call an action with literals are translated.
struct Fastfile {
    private enum Block: Equatable {
        case lane, before, after, failure, group
        /// A block of Ruby in a lane, which has no equivalent.
        case other
    }

    /// The directory of the file, which is the working directory of scripts.
    let directory: String
    private var result = Translation()
    private var blocks: [Block] = []
    private var summary: String?
    private var current: TranslatedLane?
    /// The steps of `before_all`, `after_all` and `error`, with their gaps.
    private var hooks: [Block: TranslatedLane] = [:]
    private var names: Set<String> = []

    static func translation(of text: String, in directory: String) -> Translation {
        var file = Fastfile(directory: directory)
        let statements = RubyStatement.all(in: text)
        file.names = Set(statements.compactMap(laneName))
        for statement in statements { file.parse(statement) }
        file.addHooks()
        return file.result
    }

    private static func laneName(_ statement: LogicalLine) -> String? {
        let words = statement.text.split { $0 == " " || $0 == "(" || $0 == ")" }
        guard words.count > 1, ["lane", "private_lane", "override_lane"].contains(words[0]), words[1].hasPrefix(":")
        else {
            return nil
        }
        return String(words[1].dropFirst())
    }

    private mutating func parse(_ statement: LogicalLine) {
        let text = statement.text
        let opens = RubyStatement.opensBlock(text)
        let isInside = blocks.contains { [.lane, .before, .after, .failure].contains($0) }
        if text == "end" || text.hasPrefix("end ") {
            if let ended = blocks.popLast() { end(ended) }
        } else if !isInside, let name = Self.laneName(statement), opens {
            var lane = TranslatedLane(name, line: statement.number)
            lane.summary = summary
            lane.isPrivate = text.hasPrefix("private_lane")
            (current, summary) = (lane, nil)
            blocks.append(.lane)
        } else if !isInside, opens, let hook = Self.hook(text) {
            current = TranslatedLane("", line: statement.number)
            blocks.append(hook)
        } else if !isInside {
            parseOutside(statement, opens)
        } else {
            parseInside(statement, opens)
        }
    }

    private static func hook(_ text: String) -> Block? {
        switch text.prefix(while: { $0.isLetter || $0 == "_" }) {
        case "before_all": .before
        case "after_all": .after
        case "error": .failure
        default: nil
        }
    }

    private mutating func end(_ block: Block) {
        guard block != .other, block != .group, let lane = current else { return }
        if block == .lane { result.lanes.append(lane) } else { hooks[block] = lane }
        current = nil
    }

    private mutating func parseOutside(_ statement: LogicalLine, _ opens: Bool) {
        let text = statement.text
        if text.hasPrefix("desc ") {
            summary = summary ?? RubyCall.literal(text.dropFirst("desc ".count).trimmed)
        } else if text.hasPrefix("platform ") {
            blocks.append(.group)
        } else {
            if opens { blocks.append(.other) }
            let harmless = ["default_platform", "fastlane_version", "opt_out_usage", "skip_docs", "update_fastlane"]
            guard !harmless.contains(where: text.hasPrefix) else { return }
            result.gaps.append(.init(line: statement.number, text: text, reason: "Ruby outside lanes"))
        }
    }

    private mutating func parseInside(_ statement: LogicalLine, _ opens: Bool) {
        let isNested = blocks.last == .other
        if opens { blocks.append(.other) }
        guard var lane = current else { return }
        defer { current = lane }
        for name in RubyCall.options(in: statement.text) where !lane.parameters.contains(where: { $0.original == name })
        {
            lane.parameters.append(.init(original: name, fallback: ""))
        }
        func gap(_ reason: String) {
            lane.gaps.append(.init(line: statement.number, text: statement.text, reason: reason))
        }
        guard !opens, !isNested, let call = RubyCall(statement.text) else {
            return gap(opens || isNested ? "a block of Ruby" : "Ruby that is not the call of an action")
        }
        if names.contains(call.name), call.values.isEmpty, call.texts.isEmpty {
            lane.steps.append(.lane(.init(lane: call.name)))
            return
        }
        guard let steps = FastlaneActions.steps(for: call, in: directory) else {
            let reason =
                names.contains(call.name) ? "values for a lane" : "the action '\(call.name)', or these settings of it"
            return gap(reason)
        }
        lane.steps += steps
    }

    private mutating func addHooks() {
        for index in result.lanes.indices where !result.lanes[index].isPrivate {
            if let before = hooks[.before] {
                result.lanes[index].steps.insert(contentsOf: before.steps, at: 0)
                result.lanes[index].gaps += before.gaps
            }
            if let after = hooks[.after] {
                result.lanes[index].steps += after.steps
                result.lanes[index].gaps += after.gaps
            }
            if let failure = hooks[.failure] {
                result.lanes[index].onFailure += failure.steps
                result.lanes[index].gaps += failure.gaps
            }
        }
    }
}
