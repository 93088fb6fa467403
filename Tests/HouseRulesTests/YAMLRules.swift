import TestSupport

/// The rules of yamllint about single lines, for machines without the linter.
struct YAMLRules {
    /// Characters of a line.
    let longestLine: Int

    /// The directories and files that `ci/lint` passes to yamllint.
    static func places(inScript script: String) -> [String] {
        let line = script.split(separator: "\n").first { $0.contains("/yamllint\"") }
        return (line ?? "").split(separator: " ").drop { !$0.hasPrefix("--strict") }.dropFirst().map(String.init)
    }

    /// Reads the limit from yamllint's configuration; `nil` when it is not there.
    init?(configuration: String) {
        let mark = "line-length: {max: "
        guard let line = configuration.split(separator: "\n").first(where: { $0.contains(mark) }),
            let start = line.firstRange(of: mark)?.upperBound,
            let limit = Int(line[start...].prefix { $0.isNumber })
        else { return nil }
        longestLine = limit
    }

    /// `line: what is wrong`, for each line that yamllint would refuse.
    func faults(in text: String) -> [String] {
        // By scalars: a return and a line feed are one `Character`.
        let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { Substring($0) }
        var faults: [String] = []
        for (index, line) in lines.enumerated() {
            for fault in self.faults(in: line) { faults.append("\(index + 1): \(fault)") }
            // Two empty lines may follow each other, three may not.
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

    /// One long word, perhaps behind `#` or `-`, is let through.
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
