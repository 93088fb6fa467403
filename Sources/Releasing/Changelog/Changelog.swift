/// A changelog in the form of Keep a Changelog 1.1.0: an `Unreleased` section, then one per version, newest first.
package struct Changelog: Sendable, Equatable {
    private var lines: [String]
    private let lineEnd: String

    /// An empty text becomes a changelog with nothing in it.
    package init(_ text: String) {
        let isEmpty = text.allSatisfy(\.isWhitespace)
        lineEnd = text.contains("\r\n") ? "\r\n" : "\n"
        lines = (isEmpty ? Self.beginning : text)
            .split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }.map(String.init)
        while lines.last?.isEmpty == true { lines.removeLast() }
    }

    private static let beginning = """
        # Changelog

        All notable changes to this project are documented in this file. The format is based on
        [Keep a Changelog](https://keepachangelog.com/en/1.1.0/), and this project adheres to
        [Semantic Versioning](https://semver.org/spec/v2.0.0.html).

        ## [Unreleased]
        """

    /// The whole file, with the line ends that it came with.
    package var text: String { lines.joined(separator: lineEnd) + lineEnd }

    /// The versions that have a section, in the order of the text.
    package var versions: [SemanticVersion] {
        lines.compactMap { Self.heading($0).flatMap { SemanticVersion($0) } }
    }

    /// What the section of a version says, without its heading and without blank lines around it; `nil` without a section.
    package func notes(for version: SemanticVersion) -> String? {
        section { SemanticVersion($0) == version && $0 == version.description }
            .map { trimmed(lines[$0.content]).joined(separator: "\n") }
    }

    /// Makes a section for a version out of what is written under `Unreleased`, or out of `entries` when that is empty.
    ///
    /// - Parameters:
    ///   - date: ISO 8601.
    ///   - tag: How the version is tagged, and how the one before it was, for the links at the end.
    ///   - address: The repository's page, when a link is wanted even where there is none yet.
    package mutating func release(
        _ version: SemanticVersion, date: String, entries: [CommitEntry], tag: String, previousTag: String?,
        address: String?
    ) {
        let heading = "## [\(version)] - \(date)"
        if let unreleased = section({ $0.lowercased() == "unreleased" }) {
            let written = trimmed(lines[unreleased.content])
            let content = written.isEmpty ? Self.render(entries) : written
            lines.replaceSubrange(unreleased.content, with: ["", heading, ""] + content + [""])
        } else {
            let first = lines.firstIndex { Self.heading($0) != nil } ?? linkStart
            lines.insert(contentsOf: ["## [Unreleased]", "", heading, ""] + Self.render(entries) + [""], at: first)
        }
        link(version, tag: tag, previousTag: previousTag, address: address)
        while lines.last?.isEmpty == true { lines.removeLast() }
    }

    private static func render(_ entries: [CommitEntry]) -> [String] {
        guard !entries.isEmpty else { return ["No changes for users."] }
        var lines: [String] = []
        for section in CommitEntry.Section.allCases {
            let texts = entries.filter { $0.section == section }.map(\.text)
            guard !texts.isEmpty else { continue }
            lines += (lines.isEmpty ? [] : [""]) + ["### \(section.rawValue)", ""] + texts.map { "- \($0)" }
        }
        return lines
    }

    /// What a line of the form `## [1.2.3] - 2026-11-21`, `## 1.2.3` or `## [Unreleased]` is the heading of.
    private static func heading(_ line: String) -> String? {
        guard line.hasPrefix("## ") else { return nil }
        var name = line.dropFirst(3).drop(while: \.isWhitespace)
        if name.hasPrefix("[") {
            name = name.dropFirst().prefix { $0 != "]" }
        } else {
            name = name.prefix { !$0.isWhitespace }
        }
        return String(name.hasPrefix("v") ? name.dropFirst() : name)
    }

    /// The lines of a section: its heading, and what follows up to the next heading or the links.
    private func section(_ matches: (String) -> Bool) -> (heading: Int, content: Range<Int>)? {
        guard let start = lines.firstIndex(where: { Self.heading($0).map(matches) ?? false }) else { return nil }
        let end = lines[(start + 1)...].firstIndex { $0.hasPrefix("## ") || $0.hasPrefix("# ") }
        return (start, (start + 1)..<min(end ?? lines.count, max(linkStart, start + 1)))
    }

    /// Where the link definitions at the end of the text begin.
    private var linkStart: Int {
        var start = lines.count
        while start > 0, lines[start - 1].isEmpty || Self.link(lines[start - 1]) != nil { start -= 1 }
        while start < lines.count, lines[start].isEmpty { start += 1 }
        return start
    }

    /// `[name]: address`
    private static func link(_ line: String) -> (name: String, address: String)? {
        guard line.hasPrefix("["), let close = line.range(of: "]: ") else { return nil }
        return (String(line.dropFirst()[..<close.lowerBound]), String(line[close.upperBound...]))
    }

    private mutating func link(_ version: SemanticVersion, tag: String, previousTag: String?, address: String?) {
        let index = lines.firstIndex { Self.link($0)?.name.lowercased() == "unreleased" }
        let present = index.flatMap { Self.link(lines[$0])?.address }
        let written = present.flatMap { link in link.range(of: "/compare/").map { String(link[..<$0.lowerBound]) } }
        guard let base = written ?? address else { return }
        let released = previousTag.map { "\(base)/compare/\($0)...\(tag)" } ?? "\(base)/releases/tag/\(tag)"
        let links = ["[Unreleased]: \(base)/compare/\(tag)...HEAD", "[\(version)]: \(released)"]
        if let index {
            lines.replaceSubrange(index...index, with: links)
        } else {
            let start = linkStart
            lines.insert(contentsOf: (start > 0 && !lines[start - 1].isEmpty ? [""] : []) + links, at: start)
        }
    }

    private func trimmed(_ lines: ArraySlice<String>) -> [String] {
        var lines = lines
        while lines.first?.allSatisfy(\.isWhitespace) == true { lines.removeFirst() }
        while lines.last?.allSatisfy(\.isWhitespace) == true { lines.removeLast() }
        return Array(lines)
    }
}
