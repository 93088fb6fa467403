package import Text

/// The addresses of the files of a tag on the web.
package struct TagPages: Sendable, Equatable {
    /// The address of the repository, such as `https://github.com/owner/name`.
    let repository: String
    let tag: String
    /// The path of the changelog in the repository.
    let file: String

    package init(repository: String, tag: String, file: String) {
        (self.repository, self.tag, self.file) = (repository, tag, file)
    }

    /// Returns the address of a link in the changelog, or `nil` if it is no relative path.
    func address(_ link: String, isImage: Bool) -> String? {
        let colon = link.utf8.firstIndex(of: UInt8(ascii: ":"))
        let isAbsolute =
            colon.map { end in link[..<end].utf8.allSatisfy { $0.isAlphanumeric || "+-.".utf8.contains($0) } } ?? false
        guard !isAbsolute, !link.isEmpty, !link.hasPrefix("//") else { return nil }
        let path = link[...].prefix(ofBytes: { $0 != UInt8(ascii: "#") && $0 != UInt8(ascii: "?") })
        var parts = path.hasPrefix("/") || path.isEmpty ? [] : file.utf8.split(separator: UInt8(ascii: "/")).dropLast()
        for part in (path.isEmpty ? file[...] : path).utf8.split(separator: UInt8(ascii: "/")) {
            switch String(Substring(part)) {
            case ".": break
            case "..": parts = parts.dropLast()
            default: parts.append(part)
            }
        }
        let encoded = URLPath.encoded(tag, allowing: "-._~/")
        let whole = parts.map { String(Substring($0)) }.joined(separator: "/")
        return "\(repository)/\(isImage ? "raw" : "blob")/\(encoded)/\(whole)\(link[path.endIndex...])"
    }
}

extension Changelog {
    /// Returns the notes of a version as the text of its release on GitHub, or `nil` if it has no section. Relative links
    /// point at the tag, link definitions are included, and headings without notes are omitted. Names of attributes are
    /// no mentions.
    package func releaseText(for version: SemanticVersion, _ pages: TagPages) throws(ChangelogProblem) -> String? {
        try checkedNotes(for: version).map { notes in
            let own = ChangelogLine.lines(of: notes)
            var texts = Self.withoutEmptyHeadings(own).map {
                $0.block == .text ? ReleaseTextLine($0.text, pages).text : $0.text
            }
            var labels = Set(
                own.filter { $0.block == .text && $0.link == nil }.flatMap { ReleaseTextLine.labels(in: $0.text) })
            labels.subtract(own.compactMap { $0.link.map { ReleaseTextLine.label($0.name) } })
            var definitions: [String] = []
            for line in lines {
                guard let link = line.link, labels.remove(ReleaseTextLine.label(link.name)) != nil else { continue }
                definitions.append(ReleaseTextLine(line.text, pages).text)
            }
            if !definitions.isEmpty { texts += [""] + definitions }
            return texts.joined(separator: "\n")
        }
    }

    /// Returns the lines without headings that no note follows.
    private static func withoutEmptyHeadings(_ lines: [ChangelogLine]) -> [ChangelogLine] {
        var kept: [ChangelogLine] = []
        // The level of the next heading, or 0 at the end.
        var next: Int? = 0
        for line in lines.reversed() {
            let level = line.block == .text ? line.headingLevel : nil
            if let level, let following = next, following <= level { continue }
            if let level { next = level } else if !line.isBlank { next = nil }
            // Blank lines below an omitted heading are omitted, too.
            if line.isBlank, line.block == .text, kept.last?.isBlank ?? true { continue }
            kept.append(line)
        }
        while kept.last?.isBlank == true { kept.removeLast() }
        return kept.reversed()
    }
}

extension ChangelogLine {
    fileprivate var headingLevel: Int? {
        let marks = text.utf8.prefix { $0 == UInt8(ascii: "#") }.count
        return (1...6).contains(marks) && text.utf8.dropFirst(marks).first?.isBlank ?? true ? marks : nil
    }
}

/// A line of the text of a release.
private struct ReleaseTextLine {
    private let line: InlineMarkdown
    private let pages: TagPages
    private(set) var text = ""

    init(_ source: String, _ pages: TagPages) {
        line = InlineMarkdown(source)
        self.pages = pages
        var index = 0
        if let target = Self.target(ofDefinition: source) {
            index = write(from: 0, link: target, isImage: false)
        }
        var opensImage = false
        var creditEnd: Int?
        while index < line.bytes.count {
            let start = index
            if line.bytes[index] == UInt8(ascii: "\\") {
                index = min(index + 2, line.bytes.count)
            } else if let end = line.codeEnd(at: index) {
                index = end
            } else if let end = line.mentionEnd(at: index) {
                let isCredit = isCredit(index..<end, after: creditEnd)
                if isCredit { creditEnd = end } else { text += "`\(line.text(index..<end))`" }
                index = end
                if !isCredit { continue }
            } else if line.isTag(at: index), !isMarkup(at: index) {
                text += "\\<"
                index += 1
                continue
            } else if let target = linkTarget(at: index) {
                index = write(from: index, link: target, isImage: opensImage || line.bytes[index] == UInt8(ascii: "s"))
                opensImage = false
                continue
            } else {
                if line.bytes[index] == UInt8(ascii: "[") {
                    opensImage = index > 0 && line.bytes[index - 1] == UInt8(ascii: "!")
                }
                index += 1
            }
            text += line.text(start..<index)
        }
    }

    /// Writes a link, and returns its end.
    private mutating func write(from start: Int, link: Range<Int>, isImage: Bool) -> Int {
        let address = line.text(link)
        text += line.text(start..<link.lowerBound) + (pages.address(address, isImage: isImage) ?? address)
        return link.upperBound
    }

    /// Returns the range of the address after `](`, `src="` or `href="`.
    private func linkTarget(at index: Int) -> Range<Int>? {
        for (opening, end) in [("](<", ">"), ("](", ") "), ("src=\"", "\""), ("href=\"", "\"")] {
            guard line.bytes[index...].starts(with: opening.utf8) else { continue }
            let start = index + opening.utf8.count
            let rest = line.bytes[start...].prefix { !end.utf8.contains($0) }
            return rest.endIndex < line.bytes.count ? start..<rest.endIndex : nil
        }
        return nil
    }

    private static func target(ofDefinition source: String) -> Range<Int>? {
        guard let target = ChangelogLine(text: source, end: "").link?.target, !source.hasPrefix("[^") else {
            return nil
        }
        let rest = target[...].dropping(bytes: { $0.isBlank || $0 == UInt8(ascii: "<") })
        let address = rest.prefix(ofBytes: { !$0.isBlank && $0 != UInt8(ascii: ">") })
        let start = source.utf8.count - rest.utf8.count
        return start..<(start + address.utf8.count)
    }

    // MARK: Mentions

    /// The words before the name of a person.
    private static let credits: Set = ["by", "thanks", "thank", "from", "via", "cc", "credit", "credits"]

    /// Attributes of Swift that may be in brackets.
    private static let attributes: Set = [
        "MainActor", "Sendable", "Published", "State", "Binding", "Environment", "Observable", "Test", "Suite", "Model",
        "available", "escaping", "autoclosure", "objc", "objcMembers", "discardableResult", "inlinable", "inline",
        "frozen", "main", "testable", "unchecked", "preconcurrency", "retroactive", "unknown", "resultBuilder",
        "propertyWrapper",
        "globalActor", "dynamicMemberLookup", "dynamicCallable", "usableFromInline", "convention", "nonobjc", "warn",
        "concurrent", "isolated", "IBAction", "IBOutlet", "NSApplicationMain", "UIApplicationMain", "nonisolated",
    ]

    /// Returns a Boolean value that indicates whether a name with `@` is that of a person: after `by`, `thanks to` and the
    /// like, in brackets, or after another one.
    private func isCredit(_ range: Range<Int>, after credit: Int?) -> Bool {
        let name = line.text((range.lowerBound + 1)..<range.upperBound)
        if Self.attributes.contains(name) || name.contains("(") || name.contains("_") { return false }
        let before = line.text(0..<range.lowerBound)
        if let credit, ["and", "&", ",", ", and"].contains(Self.trimmed(line.text(credit..<range.lowerBound))) {
            return true
        }
        if before.hasSuffix("[") { return true }
        if before.hasSuffix("(") || before.hasSuffix(", ") && before.contains("(") {
            return [")", ","].contains { line.text(range.upperBound..<line.bytes.count).hasPrefix($0) }
        }
        let words = before.utf8.split { !$0.isAlphanumeric }
        guard let last = words.last, before.utf8.last?.isBlank == true else { return false }
        let word = String(Substring(last)).lowercased()
        guard word == "to" else { return Self.credits.contains(word) }
        let earlier = words.dropLast().last.map { String(Substring($0)).lowercased() }
        return ["thanks", "thank", "credit", "credits"].contains(earlier ?? "")
    }

    private static func trimmed(_ text: String) -> String {
        text.utf8.split(whereSeparator: \.isSpace).map { String(Substring($0)) }.joined(separator: " ")
    }

    /// The elements of HTML that GitHub shows.
    private static let elements: Set = [
        "a", "abbr", "b", "blockquote", "br", "code", "dd", "del", "details", "div", "dl", "dt", "em", "h1", "h2", "h3",
        "h4", "h5", "h6", "hr", "i", "img", "ins", "kbd", "li", "ol", "p", "picture", "pre", "q", "s", "samp", "source",
        "span", "strike", "strong", "sub", "summary", "sup", "table", "tbody", "td", "th", "thead", "tr", "tt", "ul",
        "var", "video",
    ]

    /// Returns a Boolean value that indicates whether HTML or an address starts at an index, and not `<Element>`.
    private func isMarkup(at index: Int) -> Bool {
        if line.bytes[index + 1] == UInt8(ascii: "!") { return true }
        let end = line.tagEnd(at: index) ?? index
        return Self.elements.contains(elementName(at: index)) || line.text(index..<end).contains("://")
            || line.text(index..<end).contains("@")
    }

    private func elementName(at index: Int) -> String {
        let rest = line.bytes[(index + 1)...].drop { $0 == UInt8(ascii: "/") }
        return String(decoding: rest.prefix(while: \.isAlphanumeric), as: UTF8.self)
    }

    // MARK: References

    /// Returns the label of a definition in the form in which labels are compared.
    static func label(_ name: String) -> String { trimmed(name.lowercased()) }

    /// Returns the labels of all texts in square brackets.
    static func labels(in text: String) -> [String] {
        let bytes = InlineMarkdown(text)
        var labels: [String] = []
        var index = 0
        while index < bytes.bytes.count {
            if let end = bytes.codeEnd(at: index) {
                index = end
                continue
            }
            if bytes.bytes[index] == UInt8(ascii: "[") {
                let rest = bytes.bytes[(index + 1)...].prefix { $0 != UInt8(ascii: "]") && $0 != UInt8(ascii: "[") }
                if rest.endIndex < bytes.bytes.count, bytes.bytes[rest.endIndex] == UInt8(ascii: "]") {
                    labels.append(label(bytes.text(rest.startIndex..<rest.endIndex)))
                }
            }
            index += 1
        }
        return labels
    }
}
