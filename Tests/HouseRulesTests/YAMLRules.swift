import TestSupport

/// The rules of yamllint for single lines, for machines without yamllint.
struct YAMLRules {
    /// The maximum number of characters of a line.
    let longestLine: Int

    /// The directories and files that `ci/lint` passes to yamllint.
    static func places(inScript script: String) -> [String] {
        let line = script.split(separator: "\n").first { $0.contains("/yamllint\"") }
        return (line ?? "").split(separator: " ").drop { !$0.hasPrefix("--strict") }.dropFirst().map(String.init)
    }

    /// Reads the limit from the configuration of yamllint. Returns `nil` if it is missing.
    init?(configuration: String) {
        let mark = "line-length: {max: "
        guard let line = configuration.split(separator: "\n").first(where: { $0.contains(mark) }),
            let start = line.firstRange(of: mark)?.upperBound,
            let limit = Int(line[start...].prefix { $0.isNumber })
        else { return nil }
        longestLine = limit
    }

    /// Returns `line: problem` for each line that yamllint rejects.
    func faults(in text: String) -> [String] {
        // Splits by scalars, because a carriage return and a line feed are one `Character`.
        let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { Substring($0) }
        var faults: [String] = []
        for (index, line) in lines.enumerated() {
            for fault in self.faults(in: line) { faults.append("\(index + 1): \(fault)") }
            // At most two empty lines may be consecutive.
            if index >= 2, lines[(index - 2)...index].allSatisfy(\.isEmpty) {
                faults.append("\(index + 1): too many empty lines")
            }
        }
        if lines.first?.isEmpty == true { faults.append("1: an empty line at the beginning") }
        if lines.last?.isEmpty != true { faults.append("\(lines.count): no line feed at the end") }
        if lines.suffix(2).allSatisfy(\.isEmpty) { faults.append("\(lines.count - 1): an empty line at the end") }
        return faults
    }

    private func faults(in line: Substring) -> [String] {
        var faults: [String] = []
        let length = line.unicodeScalars.count
        if length > longestLine, !Self.isUnbreakable(line) { faults.append("\(length) characters") }
        if line.last == " " || line.last == "\t" { faults.append("blanks at the end") }
        if line.last == "\r" { faults.append("a carriage return") }
        let content = line.drop { $0 == " " }
        if content.first == "\t" { faults.append("a tab before the text") }
        if content.first == "#", let next = content.dropFirst().first, next != " ", next != "#", next != "!" {
            faults.append("no space behind '#'")
        }
        return faults
    }

    /// Returns a Boolean value that indicates whether the line is one long word, perhaps after `#` or `-`, which is allowed.
    private static func isUnbreakable(_ line: Substring) -> Bool {
        var content = line.drop { $0 == " " }
        if content.hasPrefix("- ") {
            content = content.dropFirst(2)
        } else if content.hasPrefix("# ") {
            content = content.drop { $0 == "#" }.dropFirst()
        }
        return !content.contains(" ")
    }
}
