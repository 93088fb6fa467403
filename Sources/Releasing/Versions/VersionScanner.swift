/// Finds versions in the forms in which Swift packages write them.
struct VersionScanner {
    /// Names by which others refer to the package: its own, and its checkout's.
    let packageNames: [String]

    /// Whether a file can hold the version at all, by its name.
    static func isCandidate(_ path: String) -> Bool {
        let name = path.split(separator: "/").last ?? ""
        if path.hasPrefix("Tests/") || path.contains("/Tests/") || path.contains("/Fixtures/") { return false }
        if name.hasSuffix(".md") { return !name.uppercased().hasPrefix("CHANGELOG") }
        return name.hasSuffix(".swift") || name.hasSuffix(".podspec") || name == "project.pbxproj"
            || name.hasSuffix("Info.plist")
    }

    func places(in bytes: [UInt8], of file: String) -> [VersionPlace] {
        let name = file.split(separator: "/").last ?? ""
        if name.hasSuffix("Info.plist"), bytes.starts(with: "bplist".utf8) { return [] }
        var places: [VersionPlace] = []
        var previous = ""
        for (number, range) in lineRanges(bytes).enumerated() {
            let line = String(decoding: bytes[range], as: UTF8.self)
            for (text, certainty) in versions(in: line, after: previous, of: String(name)) {
                guard let version = SemanticVersion(text) else { continue }
                let start = range.lowerBound + line.utf8.distance(from: line.startIndex, to: text.startIndex)
                places.append(
                    VersionPlace(
                        file: file, line: number + 1, range: start..<(start + text.utf8.count), version: version,
                        certainty: certainty))
            }
            if !line.allSatisfy(\.isWhitespace) { previous = line }
        }
        return places
    }

    private func versions(in line: String, after previous: String, of name: String) -> [(
        Substring, VersionPlace.Certainty
    )] {
        if name.hasSuffix(".swift") { return swiftVersions(line, isVersionFile: name.hasSuffix("Version.swift")) }
        if name.hasSuffix(".podspec") {
            guard let mark = line.range(of: ".version"),
                line[mark.upperBound...].drop(while: \.isWhitespace).first == "="
            else { return [] }
            return quoted(line[mark.upperBound...]).map { ($0, .certain) }
        }
        if name.hasSuffix("Info.plist") {
            guard previous.contains("<key>CFBundleShortVersionString</key>"), let open = line.range(of: "<string>"),
                let close = line.range(of: "</string>", after: open.upperBound)
            else { return [] }
            return [(line[open.upperBound..<close.lowerBound], .certain)]
        }
        if name == "project.pbxproj" {
            guard let mark = line.range(of: "MARKETING_VERSION = ") else { return [] }
            let value = line[mark.upperBound...].prefix { $0 != ";" }
            return [(value.hasPrefix("\"") ? value.dropFirst().dropLast() : value, .certain)]
        }
        return name.hasSuffix(".md") ? markdownVersions(line) : []
    }

    /// `static let current = "1.2.3"`; in a file that is not named for it, `let version = "1.2.3"` and `version: "1.2.3"`.
    private func swiftVersions(_ line: String, isVersionFile: Bool) -> [(Substring, VersionPlace.Certainty)] {
        let code = line.drop(while: \.isWhitespace)
        guard !code.hasPrefix("//") else { return [] }
        let marks =
            isVersionFile
            ? [" = \""] : ["ersion = \"", "ersion: String = \"", "VERSION = \"", "VERSION: String = \"", "version: \""]
        return marks.compactMap { mark in
            guard let start = line.range(of: mark), !isVersionFile || line.contains("let ") || line.contains("var ")
            else { return nil }
            let text = line[start.upperBound...].prefix { $0 != "\"" }
            return (text, isVersionFile ? .certain : isOwnVersion(code) ? .likely : .possible)
        }
    }

    /// Whether a declaration's name says that the package's own version is meant: `version`, `currentVersion`,
    /// `shapeVersion` in the package Shape, but not `protocolVersion`.
    private func isOwnVersion(_ code: Substring) -> Bool {
        guard let start = code.range(of: "let ") ?? code.range(of: "var ") else { return false }
        let name = code[start.upperBound...].prefix { $0.isLetter || $0.isNumber || $0 == "_" }.lowercased()
        let plain = name.filter { $0 != "_" }
        let owners =
            ["", "current", "package", "library", "app", "tool"]
            + packageNames.map { $0.lowercased().filter { $0.isLetter || $0.isNumber } }
        return owners.contains { plain == $0 + "version" }
    }

    /// Dependency snippets that name this package, and the names of its archives.
    private func markdownVersions(_ line: String) -> [(Substring, VersionPlace.Certainty)] {
        let isOurs = packageNames.contains { name in
            [".git\"", "\"", "/"].contains { line.lowercased().contains("/\(name.lowercased())\($0)") }
        }
        var found: [(Substring, VersionPlace.Certainty)] = []
        if line.contains(".package("), isOurs {
            for mark in ["from: \"", "exact: \"", "\"..."] {
                guard let start = line.range(of: mark) else { continue }
                found.append((line[start.upperBound...].prefix { $0 != "\"" }, .possible))
            }
        }
        for name in packageNames {
            var rest = line.startIndex
            while let mark = line.range(of: "\(name)-", after: rest) {
                rest = mark.upperBound
                let text = line[rest...].prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
                guard line[text.endIndex...].hasPrefix("-linux") || line[text.endIndex...].hasPrefix("-macos") else {
                    continue
                }
                found.append((text, .possible))
            }
        }
        return found
    }

    /// The content of the first pair of quotes, single or double.
    private func quoted(_ text: Substring) -> [Substring] {
        guard let open = text.firstIndex(where: { $0 == "\"" || $0 == "'" }) else { return [] }
        return [text[text.index(after: open)...].prefix { $0 != text[open] }]
    }
}

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
