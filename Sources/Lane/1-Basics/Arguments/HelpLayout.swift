extension CommandSpec {
    /// Returns the help text in the layout of swift-argument-parser.
    ///
    /// - Parameters:
    ///   - path: The names of the parent commands.
    ///   - width: The width of the text in columns.
    package func help(after path: [String] = [], width: Int = 80) -> String {
        HelpPage(self, after: path).text(width: width)
    }
}

extension ParameterSpec {
    /// The help sentence, followed by values and default such as `(values: a, b; default: a)`.
    package var explanation: String {
        var facts: [String] = []
        if !allowedValues.isEmpty { facts.append("values: " + allowedValues.joined(separator: ", ")) }
        if let defaultText { facts.append("default: \(defaultText)") }
        return facts.isEmpty ? help : "\(help) (\(facts.joined(separator: "; ")))"
    }
}

/// A layout of two columns: labels are indented by 2, explanations by 26 and wrapped at the width.
struct HelpLayout {
    private static let column = 26
    private let width: Int

    /// - Parameter width: The width of the text in columns.
    init(width: Int) {
        self.width = width
    }

    /// Returns the lines of a label and its explanation. The explanation starts on a line below a long label.
    func row(_ label: String, _ explanation: String) -> String {
        let lines = wrap(explanation)
        let margin = String(repeating: " ", count: Self.column)
        let head = "  " + label
        guard let first = lines.first else { return head + "\n" }
        let padding = Self.column - head.count
        let start = padding > 0 ? head + String(repeating: " ", count: padding) + first : head + "\n" + margin + first
        return ([start] + lines.dropFirst().map { margin + $0 }).map { $0 + "\n" }.joined()
    }

    /// Returns the text with its lines wrapped, except lines that start with a space, such as examples and tables.
    func prose(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.hasPrefix(" ") ? String(line) : wrap(String(line), at: width).joined(separator: "\n")
        }.joined(separator: "\n")
    }

    private func wrap(_ text: String) -> [String] { wrap(text, at: width - Self.column) }

    private func wrap(_ text: String, at width: Int) -> [String] {
        let room = max(20, width)
        var lines: [String] = []
        var current = ""
        for word in text.split(separator: " ") {
            if !current.isEmpty, current.count + 1 + word.count > room {
                lines.append(current)
                current = ""
            }
            current += current.isEmpty ? String(word) : " " + word
        }
        if !current.isEmpty { lines.append(current) }
        return lines
    }
}
