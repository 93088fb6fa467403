import Text

/// The placeholders of `git log` that stand for references: `%D`, `%d` and `%(describe)`.
///
/// A release is packaged before its tag exists in the repository.
enum ReferencePlaceholders {
    /// Returns a format with a tag in place of these placeholders.
    static func expanded(_ format: [UInt8], tag: String) -> [UInt8] {
        let tag = tag.utf8.flatMap { $0 == UInt8(ascii: "%") ? [$0, $0] : [$0] }
        var result: [UInt8] = []
        var rest = format[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                result.append(byte)
                continue
            }
            if rest.starts(with: "(describe".utf8), let end = rest.firstIndex(of: UInt8(ascii: ")")) {
                result += tag
                rest = rest[(end + 1)...]
                continue
            }
            switch rest.popFirst() {
            case UInt8(ascii: "D")?: result += Array("tag: ".utf8) + tag
            case UInt8(ascii: "d")?: result += Array(" (tag: ".utf8) + tag + [UInt8(ascii: ")")]
            case let next?: result += [byte, next]
            case nil: result.append(byte)
            }
        }
        return result
    }
}
