import Text
import YAML

extension LaneDecoder {
    /// Warns of a line that starts a command, although YAML joins it to the line before: in a `>` block, or in a string
    /// without quotes.
    ///
    /// A long command can be folded on purpose. So this finds only lines that cannot continue it.
    mutating func checkFolding(of command: YAMLNode) {
        guard let style = command.scalar?.style, style == .folded || style == .plain, let text = command.span?.text
        else { return }
        var lines = text.parts(separatedBy: "\n")[...]
        // The first line of a block is its header, such as `>-`.
        if style == .folded { lines = lines.dropFirst() }
        let margin = lines.first { !$0.trimmed.isEmpty }?.prefix { $0 == " " }.count
        var joined: [String] = []
        for source in lines {
            let line = String(source.trimmed)
            // YAML keeps the ends of empty lines and, in a block, of lines that are indented more.
            guard !line.isEmpty, style == .plain || source.prefix(while: { $0 == " " }).count == margin else {
                joined = []
                continue
            }
            if Self.isCommand(line, after: joined) {
                return warning(
                    "'\(line)' is a part of the command before it, because YAML joins the lines", at: command.span,
                    hint: "write '|' and the lines below it")
            }
            joined.append(line)
        }
    }

    /// Returns a Boolean value that indicates whether a line is certainly a command of its own: after a comment,
    /// `set -e` or `cd DIRECTORY`, or if it starts with the same program.
    private static func isCommand(_ line: String, after joined: [String]) -> Bool {
        guard let first = joined.first, let last = joined.last else { return false }
        if last.hasPrefix("#") { return true }
        let isOpen = ["\\", "&", "|", ";", "{", "(", " do", " then", " in"].contains(where: " \(last)".hasSuffix)
        let quotes = joined.joined().utf8.count { $0 == UInt8(ascii: "'") || $0 == UInt8(ascii: "\"") }
        guard !isOpen, quotes.isMultiple(of: 2), line.utf8.first?.isLetter == true else { return false }
        let words = first.split(separator: " ")
        let isComplete = ["set -e", "set -eu"].contains(first) || (words.first == "cd" && words.count == 2)
        return (isComplete && joined.count == 1) || line.split(separator: " ").first == words.first
    }
}
