import Text

/// The beginning of a note about a breaking change: `BREAKING CHANGE:`, `* Breaking changes:`, `### BREAKING CHANGES`.
struct BreakingMark {
    /// The text after the colon, or `nil` if the line is only a heading.
    let text: Substring?
    /// A Boolean value that indicates whether the line is a mark in any position: in uppercase, bold, or a heading.
    /// Other lines may be the continuation of a sentence.
    let isLoud: Bool

    init?(_ line: Substring) {
        let start = line.dropping { $0.isSpace || "*_`[".utf8.contains($0) || $0 >= 0x80 }
        let isEmphasized = line.dropping(bytes: \.isSpace).utf8.first.map { "*_`#".utf8.contains($0) } ?? false
        var rest = start.dropping { $0 == UInt8(ascii: "#") || $0.isSpace || $0 >= 0x80 || $0 == UInt8(ascii: "*") }
        let word = rest.prefix(ofBytes: \.isLetter)
        guard word.lowercased() == "breaking" else { return nil }
        rest = rest[word.endIndex...]
        let change = rest.dropping { $0.isBlank || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
        let noun = change.prefix(ofBytes: \.isLetter)
        let hasNoun = ["change", "changes"].contains(noun.lowercased())
        if hasNoun { rest = change[noun.endIndex...] }
        let isUppercase = word == word.uppercased() && (!hasNoun || noun.uppercased().hasPrefix(noun.prefix(6)))
        if rest.utf8.first == UInt8(ascii: "("), let close = rest.utf8.firstIndex(of: UInt8(ascii: ")")) {
            rest = rest[close...].dropFirst()
        }
        rest = rest.dropping { "*_`]!".utf8.contains($0) || $0.isBlank }
        isLoud = isUppercase || isEmphasized
        if let colon = [":", "："].first(where: rest.hasPrefix) {
            let text = rest.dropFirst(colon.count)
            self.text = (isEmphasized ? text.dropping { "*_`".utf8.contains($0) } : text).dropping(bytes: \.isSpace)
        } else if hasNoun, isUppercase, rest.hasPrefix("#") || rest.hasPrefix("- ") || rest.hasPrefix("– ") {
            text = rest.hasPrefix("#") ? rest : rest.dropFirst(2)
        } else {
            guard hasNoun, isLoud, rest.utf8.allSatisfy(\.isSpace) else { return nil }
            text = nil
        }
    }
}
