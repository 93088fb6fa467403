import ASCII

/// Finds versions in the forms in which Swift packages write them.
struct VersionScanner {
    /// Names by which others refer to the package: its own, and its checkout's.
    let packageNames: [String]

    /// Whether a file can hold the version at all, by its name.
    static func isCandidate(_ path: String) -> Bool {
        let name = path.split(separator: "/").last ?? ""
        if path.hasPrefix("Tests/") || path.contains("/Tests/") || path.contains("/Fixtures/") { return false }
        if name.hasSuffix(".md") { return !name.uppercased().hasPrefix("CHANGELOG") }
        let ends = [".swift", ".podspec", ".podspec.json", "Info.plist"]
        return name == "project.pbxproj" || ends.contains(where: name.hasSuffix)
    }

    func places(in bytes: [UInt8], of file: String) -> [VersionPlace] {
        let name = file.split(separator: "/").last ?? ""
        if name.hasSuffix("Info.plist"), bytes.starts(with: "bplist".utf8) { return [] }
        var places: [VersionPlace] = []
        var previous = ""
        for (number, range) in lineRanges(bytes).enumerated() {
            let line = text(of: bytes[range])
            for (text, certainty) in versions(in: line, after: previous, of: String(name)) {
                guard let version = SemanticVersion(text) else { continue }
                let start = range.lowerBound + line.utf8.distance(from: line.startIndex, to: text.startIndex)
                places.append(
                    VersionPlace(
                        file: file, line: number + 1, range: start..<(start + text.utf8.count), version: version,
                        certainty: certainty))
            }
            if !line.utf8.allSatisfy(\.isSpace) { previous = line }
        }
        return places
    }

    /// A line in which every byte keeps its place: what is not UTF-8 would be longer once repaired.
    private func text(of line: ArraySlice<UInt8>) -> String {
        String(validating: line, as: UTF8.self)
            ?? String(decoding: line.map { $0 < 0x80 ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
    }

    private func versions(in line: String, after previous: String, of name: String) -> [(
        Substring, VersionPlace.Certainty
    )] {
        if name.hasSuffix(".swift") { return swiftVersions(line, isVersionFile: name.hasSuffix("Version.swift")) }
        if name.hasSuffix(".podspec") { return podspecVersions(line) }
        if name.hasSuffix(".podspec.json") { return podspecValues(line) }
        if name.hasSuffix("Info.plist") {
            guard previous.range(of: "<key>CFBundleShortVersionString</key>") != nil,
                let open = line.range(of: "<string>"),
                let close = line.range(of: "</string>", after: open.upperBound)
            else { return [] }
            return [(line[open.upperBound..<close.lowerBound], .certain)]
        }
        if name == "project.pbxproj" {
            guard let mark = line.range(of: "MARKETING_VERSION = ") else { return [] }
            let value = line[mark.upperBound...].before(";")
            let isQuoted = value.utf8.first == UInt8(ascii: "\"")
            return [(isQuoted ? Substring(value.utf8.dropFirst().dropLast()) : value, .certain)]
        }
        return name.hasSuffix(".md") ? markdownVersions(line) : []
    }

    /// `s.version = "1.2.3"`
    private func podspecVersions(_ line: String) -> [(Substring, VersionPlace.Certainty)] {
        guard let mark = line.range(of: ".version"),
            line[mark.upperBound...].dropping(bytes: \.isSpace).utf8.first == UInt8(ascii: "=")
        else { return [] }
        return quoted(line[mark.upperBound...]).map { ($0, .certain) }
    }

    /// `"version": "1.2.3"`, and the tag, which may have a `v`.
    private func podspecValues(_ line: String) -> [(Substring, VersionPlace.Certainty)] {
        let marks: [(String, VersionPlace.Certainty)] = [("\"version\"", .certain), ("\"tag\"", .possible)]
        return marks.flatMap { mark, certainty in
            guard let key = line.range(of: mark) else { return [(Substring, VersionPlace.Certainty)]() }
            let value = line[key.upperBound...].dropping(bytes: \.isSpace)
            guard value.utf8.first == UInt8(ascii: ":") else { return [] }
            return quoted(value).map { ($0.utf8.first == UInt8(ascii: "v") ? $0.dropFirst() : $0, certainty) }
        }
    }

    /// `static let current = "1.2.3"`; in a file that is not named for it, `let version = "1.2.3"` and `version: "1.2.3"`.
    private func swiftVersions(_ line: String, isVersionFile: Bool) -> [(Substring, VersionPlace.Certainty)] {
        let code = line[...].dropping(bytes: \.isSpace)
        guard !code.utf8.starts(with: "//".utf8) else { return [] }
        let marks =
            isVersionFile
            ? [" = \""] : ["ersion = \"", "ersion: String = \"", "VERSION = \"", "VERSION: String = \"", "version: \""]
        return marks.compactMap { mark in
            guard let start = line.range(of: mark),
                !isVersionFile || line.range(of: "let ") != nil || line.range(of: "var ") != nil
            else { return nil }
            let text = line[start.upperBound...].before("\"")
            return (text, isVersionFile ? .certain : isOwnVersion(code) ? .likely : .possible)
        }
    }

    /// Whether a declaration's name says that the package's own version is meant: `version`, `currentVersion`,
    /// `shapeVersion` in the package Shape, but not `protocolVersion`.
    private func isOwnVersion(_ code: Substring) -> Bool {
        guard let start = code.range(of: "let ") ?? code.range(of: "var ") else { return false }
        let plain = Self.plain(code[start.upperBound...].prefix(ofBytes: isOfIdentifier))
        let owners =
            ["", "current", "package", "library", "app", "tool"]
            + packageNames.map { Self.plain($0[...]) }
        return owners.contains { plain == $0 + "version" }
    }

    /// In lowercase, without what parts words.
    private static func plain(_ name: Substring) -> String {
        let letters = name.utf8.filter { isOfIdentifier($0) && $0 != UInt8(ascii: "_") }
        return String(decoding: letters, as: UTF8.self).lowercased()
    }

    /// Dependency snippets that name this package, and the names of its archives.
    private func markdownVersions(_ line: String) -> [(Substring, VersionPlace.Certainty)] {
        let isOurs = packageNames.contains { name in
            [".git\"", "\"", "/"].contains { line.lowercased().range(of: "/\(name.lowercased())\($0)") != nil }
        }
        var found: [(Substring, VersionPlace.Certainty)] = []
        if line.range(of: ".package(") != nil, isOurs {
            for mark in ["from: \"", "exact: \"", "\"..."] {
                guard let start = line.range(of: mark) else { continue }
                found.append((line[start.upperBound...].before("\""), .possible))
            }
        }
        for name in packageNames {
            var rest = line.startIndex
            while let mark = line.range(of: "\(name)-", after: rest) {
                rest = mark.upperBound
                let text = line[rest...].prefix(ofBytes: { $0.isDigit || $0 == UInt8(ascii: ".") })
                let tail = line[text.endIndex...].utf8
                guard tail.starts(with: "-linux".utf8) || tail.starts(with: "-macos".utf8) else {
                    continue
                }
                found.append((text, .possible))
            }
        }
        return found
    }

    /// The content of the first pair of quotes, single or double.
    private func quoted(_ text: Substring) -> [Substring] {
        let rest = text.utf8.drop { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "'") }
        guard let mark = rest.first else { return [] }
        return [Substring(rest.dropFirst().prefix { $0 != mark })]
    }
}

/// Whether an identifier of Swift may hold it; whatever is not ASCII counts as a letter.
private func isOfIdentifier(_ byte: UInt8) -> Bool { byte.isOfName || byte >= 0x80 }

/// The byte ranges of a text's lines, without their ends.
func lineRanges(_ bytes: [UInt8]) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var start = 0
    for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") {
        ranges.append(start..<index)
        start = index + 1
    }
    return start < bytes.count ? ranges + [start..<bytes.count] : ranges
}
