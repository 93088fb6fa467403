import ASCII
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
        for line in text.lines {
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

    private static func entry(_ line: String) -> Entry? {
        let isEscaped = line.utf8.first == backslash
        let rest = line.utf8.dropFirst(isEscaped ? 1 : 0)
        let sum = rest.prefix(64)
        let gap = rest.dropFirst(64).prefix(2)
        let name = rest.dropFirst(66)
        guard sum.count == 64, sum.allSatisfy(\.isHexDigit), !name.isEmpty,
            gap.elementsEqual("  ".utf8) || gap.elementsEqual(" *".utf8)
        else { return nil }
        return Entry(
            sum: String(Substring(sum)).lowercased(),
            name: isEscaped ? String(decoding: unescaped(name), as: UTF8.self) : String(Substring(name)))
    }

    private static func unescaped(_ name: some Sequence<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        var isEscape = false
        for byte in name {
            if !isEscape, byte == backslash {
                isEscape = true
                continue
            }
            switch (isEscape, byte) {
            case (true, UInt8(ascii: "n")): result.append(UInt8(ascii: "\n"))
            case (true, UInt8(ascii: "r")): result.append(UInt8(ascii: "\r"))
            default: result.append(byte)
            }
            isEscape = false
        }
        return isEscape ? result + [backslash] : result
    }

    private static let backslash = UInt8(ascii: "\\")
}
