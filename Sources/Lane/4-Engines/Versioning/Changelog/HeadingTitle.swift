import Text

/// The title of a heading, with the version in it and the parts that change with the version.
struct HeadingTitle: Sendable, Equatable {
    let text: String
    /// The text before the version, with its mark or the name of the package: `[v`, `Version `, `2026-11-21 - `.
    private let before: Substring
    /// The version as written: `1.2.3`, `1.2`, `x.y.z`. Empty for a title without a version.
    private let name: Substring
    /// The text after the version: `] - 2026-11-21`.
    private let after: Substring
    let version: SemanticVersion?
    /// A Boolean value that indicates whether the title contains only the major and minor number.
    let isPartial: Bool
    private let isSnapshot: Bool
    /// The words before the version in lowercase, except for words such as `Version`.
    let subject: [String]

    init(_ text: String) {
        self.text = text
        let found = Self.findVersion(in: Array(text.utf8))
        let utf8 = text.utf8
        let start = utf8.index(utf8.startIndex, offsetBy: found?.range.lowerBound ?? utf8.count)
        let end = utf8.index(utf8.startIndex, offsetBy: found?.range.upperBound ?? utf8.count)
        (before, name, after) = (text[..<start], text[start..<end], text[end...])
        // Unless the title has a date, `1.2.3-dev` is not the name of a release.
        isSnapshot =
            found?.version.map { $0.prerelease.count == 1 && Self.snapshots.contains($0.prerelease[0].lowercased()) }
            ?? false
            && !CalendarDates.replaced(in: after, with: "").found
        version = isSnapshot ? found?.version?.bumped(.release) : found?.version
        isPartial = found?.isPartial ?? false
        subject = Self.words(CalendarDates.replaced(in: Self.withoutTags(before)[...], with: "").text).filter {
            !Self.neutral.contains($0)
        }
    }

    /// Words around a version that do not describe it.
    private static let neutral: Set = ["v", "ver", "version", "release", "released", "notes", "tag", "changelog", "on"]

    /// Words that refer to a version in headings of other sections: `Migrating from 1.0.0`.
    private static let references: Set = [
        "above", "added", "after", "before", "below", "changed", "deprecated", "fixed", "from", "migrating",
        "migration", "removed", "requires", "since", "supports", "than", "to", "until", "upgrade", "upgrading", "with",
    ]

    /// A Boolean value that indicates whether the heading is one of a version, of this package or of another subject.
    var namesVersion: Bool {
        guard version != nil, subject.count <= 4, !subject.contains(where: Self.references.contains) else {
            return false
        }
        if before.contains("](") || before.contains("://") { return false }
        // `2.5 times faster` is not a version.
        guard isPartial else { return true }
        let next = tail.utf8.first { !$0.isBlank }
        return next?.isLetter != true || Self.words(tail).allSatisfy(Self.neutral.contains) || marker != nil
    }

    /// The words of the title in lowercase, without its link.
    var words: [String] {
        let isLink = text.hasPrefix("[")
        return Self.words(isLink ? text.dropFirst().before("]") : text[...])
    }

    /// The words after the version.
    var wordsAfter: [String] {
        Self.words(CalendarDates.replaced(in: tail[...], with: "").text).filter { !Self.neutral.contains($0) }
    }

    /// The text in the brackets of the version or of a title without version, or `nil` if there are none.
    var label: String? {
        guard !name.isEmpty else { return text.hasPrefix("[") ? String(text.dropFirst().before("]")) : nil }
        guard let open = before.utf8.lastIndex(of: UInt8(ascii: "[")), !before[..<open].hasSuffix("\\"),
            let close = after.utf8.firstIndex(of: UInt8(ascii: "]"))
        else { return nil }
        return String(text[text.utf8.index(after: open)..<close])
    }

    /// The text after the version without the address of its link.
    private var tail: String {
        guard let link = address else { return String(after) }
        return String(after[..<link.startIndex]) + after[link.endIndex...]
    }

    /// The address of the version's link.
    private var address: Substring? {
        guard let start = after.range(of: "](")?.upperBound else { return nil }
        return after[start...].before(")")
    }
}

// MARK: Prepared titles

extension HeadingTitle {
    /// Phrases in place of a date.
    private static let markers: Set = [
        "unreleased", "not released", "not yet released", "not released yet", "to be released", "to be determined",
        "to be announced", "tbd", "tba", "tbc", "in development", "development", "under development", "dev", "wip",
        "work in progress", "in progress", "pending", "planned", "upcoming", "next", "draft", "soon", "coming soon",
        "date", "release date", "unknown",
    ]

    /// Prerelease identifiers of versions in development.
    private static let snapshots: Set = ["dev", "snapshot", "unreleased", "wip", "next"]

    /// The placeholder of the date: `unreleased`, `TBD`, `YYYY-MM-DD`.
    private var marker: Substring? {
        guard !name.isEmpty else { return nil }
        var rest = after
        if let address { rest = after[address.endIndex...] }
        // `Release notes` may precede the date.
        while true {
            rest = rest.dropping(bytes: { !Self.isMarkerByte($0) })
            let word = rest.prefix(ofBytes: Self.isMarkerByte)
            guard Self.neutral.contains(word.lowercased()) else { break }
            rest = rest[word.endIndex...]
        }
        guard let last = rest.utf8.lastIndex(where: Self.isMarkerByte) else { return nil }
        rest = rest[...last]
        let words = rest.utf8.split(whereSeparator: { !Self.isMarkerByte($0) }).map {
            String(Substring($0)).lowercased()
        }
        let isDate =
            words.count == 3 && words.allSatisfy(Self.isDatePart) && words.contains { !$0.utf8.allSatisfy(\.isDigit) }
        return isDate || Self.markers.contains(words.joined(separator: " ")) ? rest : nil
    }

    private static func isMarkerByte(_ byte: UInt8) -> Bool { byte.isAlphanumeric || byte == UInt8(ascii: "?") }

    private static func isDatePart(_ word: String) -> Bool {
        word.utf8.allSatisfy { $0.isDigit || "ymdx?".utf8.contains($0) }
    }

    /// A Boolean value that indicates whether the title is prepared for a version that is not released.
    var isPrepared: Bool {
        if isSnapshot || marker != nil { return true }
        return version == nil && !name.isEmpty && !name.utf8.contains(where: \.isDigit)
    }

    /// Returns the title with a version, and with a date in place of the placeholder.
    func prepared(for version: SemanticVersion, date: String) -> String {
        guard let marker else { return before + version.description + after }
        return before + version.description + after[..<marker.startIndex] + date + after[marker.endIndex...]
    }
}

// MARK: The next title

extension HeadingTitle {
    /// Returns the title of a new version in the same style, or with a date in the style of Keep a Changelog instead of
    /// text about the old version.
    func next(_ version: SemanticVersion, date: String, tag: String, previousTag: String?) -> (
        text: String, isLink: Bool
    ) {
        var inner = after
        var outer = after[after.endIndex...]
        var link = ""
        if label != nil {
            inner = after.before("]")
            outer = after[inner.endIndex...].dropFirst()
        }
        if let address {
            outer = after[address.endIndex...].dropFirst()
            link = updated(address, version, tag: tag, previousTag: previousTag).map { "(\($0))" } ?? ""
        } else if outer.hasPrefix("[") {
            link = "[" + VersionText.replacing(name, with: version.description, in: outer.dropFirst().before("]")) + "]"
            outer = outer.dropFirst().dropping { $0 != UInt8(ascii: "]") }.dropFirst()
        }
        let head = CalendarDates.replaced(in: before, with: date)
        let parts = [inner, outer].map { CalendarDates.replaced(in: $0, with: date) }
        let kept = [inner, outer].map { part in
            Self.words(CalendarDates.replaced(in: part, with: "").text).allSatisfy(Self.neutral.contains)
        }
        let texts = zip(parts, kept).map { $1 ? $0.text : Self.markup(atEndOf: $0.text) }
        let isShort = isPartial && version.patch == .zero && !version.isPrerelease
        let number = isShort ? "\(version.major).\(version.minor)" : version.description
        let hasDate = head.found || zip(parts, kept).contains { $0.found && $1 }
        let addsDate = kept.contains(false) && !hasDate
        return (
            VersionText.replacing(name, with: number, in: head.text[...]) + number + texts[0]
                + (label == nil ? "" : "]") + link + texts[1]
                + (addsDate ? " - \(date)" : ""),
            label != nil && link.isEmpty
        )
    }

    /// Returns the URL for a new version, or `nil` if `address` contains no version.
    private func updated(
        _ address: Substring, _ version: SemanticVersion, tag: String, previousTag: String?
    ) -> String? {
        if let compare = address.range(of: "/compare/"), address.range(of: "...", after: compare.upperBound) != nil {
            return previousTag.map { "\(address[..<compare.upperBound])\($0)...\(tag)" }
        }
        return address.range(of: String(name)) == nil
            ? nil : VersionText.replacing(name, with: version.description, in: address)
    }

    /// Returns the marks of bold text and the like at the end of a text.
    private static func markup(atEndOf text: String) -> String {
        String(
            text.utf8.reversed().prefix { "*_`~# ".utf8.contains($0) }.reversed().map { Character(Unicode.Scalar($0)) })
    }
}

// MARK: Parsing

extension HeadingTitle {
    private static func words(_ text: some StringProtocol) -> [String] {
        text.utf8.split { !$0.isAlphanumeric }.map { String(decoding: $0, as: UTF8.self).lowercased() }
    }

    /// Returns the range of the first version or placeholder, such as `x.y.z`, without its prefix.
    private static func findVersion(in bytes: [UInt8]) -> (
        range: Range<Int>, version: SemanticVersion?, isPartial: Bool
    )? {
        var index = 0
        while index < bytes.count {
            if let end = endOfTag(at: index, in: bytes) {
                index = end
                continue
            }
            let start = index
            while index < bytes.count, isVersionByte(bytes[index]) || bytes[index] == UInt8(ascii: "?") { index += 1 }
            var end = index
            while end > start, "-.+".utf8.contains(bytes[end - 1]) { end -= 1 }
            let token = String(decoding: bytes[start..<end], as: UTF8.self)
            if let tag = ReleaseTag(token), token.utf8.contains(UInt8(ascii: ".")) {
                return ((start + tag.prefix.utf8.count)..<end, tag.version, tag.isPartial)
            }
            let mark = token.lowercased().hasPrefix("v") ? 1 : 0
            if isPlaceholder(token.dropFirst(mark)) { return ((start + mark)..<end, nil, false) }
            index = max(index, start + 1)
        }
        return nil
    }

    private static func withoutTags(_ text: Substring) -> String {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if let end = endOfTag(at: index, in: bytes) {
                index = end
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Returns the index after an HTML tag, such as an anchor `<a name="1.0.0">`.
    private static func endOfTag(at start: Int, in bytes: [UInt8]) -> Int? {
        let rest = bytes[start...]
        guard rest.first == UInt8(ascii: "<"), let next = rest.dropFirst().first,
            next.isLetter || next == UInt8(ascii: "/")
        else { return nil }
        return rest.firstIndex(of: UInt8(ascii: ">")).map { $0 + 1 }
    }

    /// Returns a Boolean value that indicates whether a text stands for a version: `x.y.z`, `?.?.?`, `1.2.x`.
    private static func isPlaceholder(_ text: Substring) -> Bool {
        let parts = text.lowercased().utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let isOpen = parts.contains { $0.count == 1 && $0.allSatisfy("xyzn?".utf8.contains) }
        return parts.count == 3 && isOpen
            && parts.allSatisfy {
                $0.allSatisfy(\.isDigit) && !$0.isEmpty || $0.count == 1 && $0.allSatisfy("xyzn?".utf8.contains)
            }
    }
}

/// Versions in texts such as addresses.
enum VersionText {
    /// Returns the ranges at which a whole version occurs: `1.0.0` does not occur in `11.0.0` and `1.0.0-rc.1`.
    static func ranges(of version: some StringProtocol, in text: Substring) -> [Range<Substring.Index>] {
        var ranges: [Range<Substring.Index>] = []
        var start = text.startIndex
        while let found = text.range(of: String(version), after: start) {
            let before = text[..<found.lowerBound].utf8.suffix(2)
            let after = text[found.upperBound...].utf8.prefix(2)
            let dot = UInt8(ascii: ".")
            let continuesBefore = before.last?.isDigit == true || before.last == dot && before.first?.isDigit == true
            let continuesAfter =
                after.first?.isDigit == true
                || after.count == 2 && "-+.".utf8.contains(after.first ?? 0) && after.last?.isAlphanumeric == true
            if !continuesBefore, !continuesAfter { ranges.append(found) }
            start = found.upperBound
        }
        return ranges
    }

    static func replacing(_ old: some StringProtocol, with new: String, in text: Substring) -> String {
        var result = ""
        var start = text.startIndex
        for range in ranges(of: old, in: text) {
            result += text[start..<range.lowerBound] + new
            start = range.upperBound
        }
        return result + text[start...]
    }
}

/// The dates in a text, such as `2026-11-21` and `2026/11/21`.
package enum CalendarDates {
    /// Returns the text with another date in place of each date.
    package static func replaced(in text: Substring, with date: String) -> (text: String, found: Bool) {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var index = 0
        var found = false
        while index < bytes.count {
            let rest = bytes[index...].prefix(10)
            let sign = rest.dropFirst(4).first ?? 0
            let isDate =
                rest.count == 10 && "-/.".utf8.contains(sign)
                && zip("0000-00-00".utf8, rest).allSatisfy { $0 == UInt8(ascii: "-") ? $1 == sign : $1.isDigit }
            if isDate, index == 0 || !bytes[index - 1].isAlphanumeric {
                result += date.utf8.map { $0 == UInt8(ascii: "-") ? sign : $0 }
                (index, found) = (index + 10, true)
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return (String(decoding: result, as: UTF8.self), found)
    }
}
