import Archives

/// A file of SHA-256 sums as `sha256sum` writes and reads it: one line for each file, the sum, two blanks, the name.
struct ChecksumFile: Equatable {
    struct Entry: Equatable {
        /// 64 lowercase hexadecimal digits.
        let sum: String
        /// As seen from the folder of the sums.
        let name: String
    }

    /// How the names of files with sums end; neither counts as a file that needs one.
    static let suffix = ".sha256"
    static let commonName = "SHA256SUMS"

    var entries: [Entry]

    init(_ entries: [Entry]) {
        self.entries = entries
    }

    /// `nil` when a line is no sum. Takes what other tools write: `*` before the name, capital digits, CR at line ends.
    init?(reading text: String) {
        entries = []
        for line in text.split(whereSeparator: \.isNewline) {
            guard let entry = Self.entry(line) else { return nil }
            entries.append(entry)
        }
    }

    var text: String { entries.map { Self.line($0) + "\n" }.joined() }

    static func isSums(_ path: String) -> Bool {
        path.hasSuffix(suffix) || path == commonName || path.hasSuffix("/\(commonName)")
    }

    /// A name with a line break or a backslash is escaped, which a backslash before the sum tells.
    private static func line(_ entry: Entry) -> String {
        let name = entry.name.unicodeScalars.map { scalar in
            switch scalar {
            case "\\": "\\\\"
            case "\n": "\\n"
            case "\r": "\\r"
            default: String(scalar)
            }
        }.joined()
        return "\(name == entry.name ? "" : "\\")\(entry.sum)  \(name)"
    }

    private static func entry(_ line: Substring) -> Entry? {
        let isEscaped = line.hasPrefix("\\")
        let rest = isEscaped ? line.dropFirst() : line
        let sum = rest.prefix { $0 != " " }
        let gap = rest.dropFirst(sum.count).prefix(2)
        let name = rest.dropFirst(sum.count + 2)
        guard sum.utf8.count == 64, sum.allSatisfy(\.isHexDigit), gap == "  " || gap == " *", !name.isEmpty else {
            return nil
        }
        return Entry(sum: sum.lowercased(), name: isEscaped ? unescaped(name) : String(name))
    }

    private static func unescaped(_ name: Substring) -> String {
        var result = ""
        var rest = name
        while let character = rest.popFirst() {
            guard character == "\\", let next = rest.popFirst() else {
                result.append(character)
                continue
            }
            result.append(next == "n" ? "\n" : next == "r" ? "\r" : next)
        }
        return result
    }
}
