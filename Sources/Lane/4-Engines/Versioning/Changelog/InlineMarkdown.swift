import Text

/// The parts of a line of Markdown that GitHub reads as code, mentions and HTML.
struct InlineMarkdown {
    let bytes: [UInt8]

    init(_ text: String) { bytes = Array(text.utf8) }

    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// Returns the end of the code span that starts at an index, or `nil` if none starts there.
    func codeEnd(at start: Int) -> Int? {
        let count = bytes[start...].prefix { $0 == UInt8(ascii: "`") }.count
        var index = start + count
        while count > 0, index < bytes.count {
            let run = bytes[index...].prefix { $0 == UInt8(ascii: "`") }.count
            if run == count { return index + run }
            index += max(run, 1)
        }
        return nil
    }

    /// Returns the end of a name with `@` that GitHub may read as a mention: `@MainActor`, `@available(macOS 14, *)`.
    func mentionEnd(at start: Int) -> Int? {
        guard bytes[start] == UInt8(ascii: "@"), start == 0 || !bytes[start - 1].isIdentifierContinuation,
            start + 1 < bytes.count, bytes[start + 1].isIdentifierContinuation
        else { return nil }
        let end =
            start + 1 + bytes[(start + 1)...].prefix { $0.isIdentifierContinuation || "-/".utf8.contains($0) }.count
        return close(at: end, "(", ")") ?? end
    }

    /// Returns the end of text in angle brackets that may be HTML: `<stdin>`, `<T, U<V>>`, `</p>`.
    func tagEnd(at start: Int) -> Int? {
        guard isTag(at: start) else { return nil }
        return close(at: start, "<", ">")
    }

    func isTag(at start: Int) -> Bool {
        guard start + 1 < bytes.count, bytes[start] == UInt8(ascii: "<") else { return false }
        return bytes[start + 1].isLetter || "/!?".utf8.contains(bytes[start + 1])
    }

    /// Returns the end of balanced brackets that open at an index.
    private func close(at start: Int, _ open: Unicode.Scalar, _ close: Unicode.Scalar) -> Int? {
        guard start < bytes.count, bytes[start] == UInt8(ascii: open) else { return nil }
        var depth = 0
        for index in start..<bytes.count {
            if bytes[index] == UInt8(ascii: "`") { return nil }
            if bytes[index] == UInt8(ascii: open) { depth += 1 }
            // `->` closes nothing.
            let isArrow = close == ">" && index > start && bytes[index - 1] == UInt8(ascii: "-")
            if bytes[index] == UInt8(ascii: close), !isArrow { depth -= 1 }
            if depth == 0 { return index + 1 }
        }
        return nil
    }
}

extension InlineMarkdown {
    /// Returns Markdown that shows a text as it is: names in code spans, other signs escaped. Code spans and links in the
    /// text stay.
    static func escaped(_ text: String) -> String {
        let line = InlineMarkdown(text)
        var result = line.escapedStart
        var index = result.isEmpty ? 0 : result.utf8.count - 1
        while index < line.bytes.count {
            if let end = line.codeEnd(at: index) {
                result += line.text(index..<end)
                index = end
            } else if let end = line.nameEnd(at: index) {
                // Next to another code span, a code span would be part of it.
                let isApart =
                    !result.hasSuffix("`") && (end == line.bytes.count || line.bytes[end] != UInt8(ascii: "`"))
                result += isApart ? "`\(line.text(index..<end))`" : line.entities(index..<end)
                index = end
            } else {
                let end = index + max(line.bytes[index...].prefix { $0.isAlphanumeric || $0 >= 0x80 }.count, 1)
                result += (line.needsEscape(at: index) ? "\\" : "") + line.text(index..<end)
                index = end
            }
        }
        return result
    }

    /// The start of the text with the escaped sign of a block, such as `# ` or `1. `, or an empty string.
    private var escapedStart: String {
        let digits = bytes.prefix(9).prefix(while: \.isDigit).count
        let marks = bytes.prefix { $0 == UInt8(ascii: "#") }.count
        func isFollowedByBlank(_ index: Int) -> Bool { index + 1 >= bytes.count || bytes[index + 1].isBlank }
        guard let first = bytes.first else { return "" }
        if digits > 0, digits < bytes.count, ".)".utf8.contains(bytes[digits]), isFollowedByBlank(digits) {
            return text(0..<digits) + "\\" + text(digits..<(digits + 1))
        }
        let isTask = ["[ ] ", "[x] ", "[X] "].contains { bytes.starts(with: $0.utf8) }
        let isHeading = (1...6).contains(marks) && isFollowedByBlank(marks - 1)
        let isItem = "-+*".utf8.contains(first) && isFollowedByBlank(0)
        return isTask || isHeading || isItem || first == UInt8(ascii: ">") ? "\\" + text(0..<1) : ""
    }

    private func entities(_ range: Range<Int>) -> String {
        text(range).replacing("@", with: "&#64;").replacing("<", with: "&lt;").replacing("_", with: "\\_")
    }

    /// Returns the end of a name that Markdown would change: `@MainActor`, `Array<Element>`, `<stdin>`, `__proto__`.
    private func nameEnd(at start: Int) -> Int? {
        if let end = mentionEnd(at: start) { return end }
        let isStart = start == 0 || !(bytes[start - 1].isIdentifierContinuation || bytes[start - 1] >= 0x80)
        guard isStart else { return nil }
        let end = start + bytes[start...].prefix { $0.isIdentifierContinuation || $0 == UInt8(ascii: ".") }.count
        if end < bytes.count, let close = tagEnd(at: end) {
            return text(end..<close).contains("://") ? nil : close
        }
        let name = bytes[start..<end].prefix(while: \.isIdentifierContinuation)
        let isMarkup = name.first == UInt8(ascii: "_") || name.last == UInt8(ascii: "_")
        return isMarkup && name.contains(where: \.isAlphanumeric) ? name.endIndex : nil
    }

    private func needsEscape(at index: Int) -> Bool {
        let before = index > 0 ? bytes[index - 1] : UInt8(ascii: " ")
        let after = index + 1 < bytes.count ? bytes[index + 1] : UInt8(ascii: " ")
        switch bytes[index] {
        case UInt8(ascii: "`"), UInt8(ascii: "\\"): return true
        case UInt8(ascii: "*"): return !before.isBlank || !after.isBlank
        case UInt8(ascii: "<"):
            return isTag(at: index) && !(tagEnd(at: index).map { text(index..<$0).contains("://") } ?? false)
        case UInt8(ascii: "~"): return after == UInt8(ascii: "~") || before == UInt8(ascii: "~")
        case UInt8(ascii: "&"):
            let end = bytes[(index + 1)...].firstIndex { !$0.isAlphanumeric && $0 != UInt8(ascii: "#") } ?? bytes.count
            return end < bytes.count && end > index + 1 && bytes[end] == UInt8(ascii: ";")
        default: return false
        }
    }
}
