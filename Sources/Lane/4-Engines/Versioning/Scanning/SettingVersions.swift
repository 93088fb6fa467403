import Text

/// Versions that are values of keys.
enum SettingVersions {
    /// Returns the versions in `MARKETING_VERSION = 1.2.3`.
    static func xcode(_ source: VersionSource) -> [VersionOccurrence] {
        source.lines.flatMap { range in
            LineText(range, of: source.bytes, comment: "//").values(of: "MARKETING_VERSION", ["="])
                .compactMap { source.appOccurrence($0) }
        }
    }

    /// Returns the string after the key `CFBundleShortVersionString`.
    static func plist(_ source: VersionSource) -> [VersionOccurrence] {
        LineText(source.bytes.indices, of: source.bytes).positions(after: "<key>CFBundleShortVersionString</key>")
            .compactMap { text in
                var text = text
                text.skip(while: \.isSpace)
                guard text.take("<string>") else { return nil }
                return source.appOccurrence(text.run { $0 != UInt8(ascii: "<") })
            }
    }

    /// Returns the version in a file that contains only a version.
    static func whole(_ source: VersionSource) -> [VersionOccurrence] {
        let text = source.bytes[source.start...]
        guard let start = text.firstIndex(where: { !$0.isSpace }), let end = text.lastIndex(where: { !$0.isSpace })
        else { return [] }
        return source.occurrence(start..<(end + 1), .certain).map { [$0] } ?? []
    }

    /// Returns the versions in YAML: `version:` in a file that names this package, `appVersion:`, and tags of the
    /// package's images.
    static func yaml(_ source: VersionSource) -> [VersionOccurrence] {
        let lines = source.lines.map { LineText($0, of: source.bytes, comment: "#") }
        let isOwn = lines.contains { line in
            var line = line
            guard line.take("name:") else { return false }
            line.skipBlanks()
            return source.names.isAddress(source.text(line.quoted() ?? line.run { !$0.isSpace }))
        }
        return lines.flatMap { line in
            let app = ["MARKETING_VERSION", "CFBundleShortVersionString"].flatMap { line.values(of: $0, [":"]) }
            var occurrences = app.compactMap { source.appOccurrence($0, .expected) }
            let values = line.values(of: "module_version", [":"]) + (isOwn ? top(line) : [])
            occurrences += values.compactMap { source.occurrence($0, .expected) }
            return occurrences + SnippetVersions.images(line, source)
        }
    }

    /// Returns the version of the package in `CITATION.cff`. Versions of other works have an indentation.
    static func citation(_ source: VersionSource) -> [VersionOccurrence] {
        source.lines.flatMap { top(LineText($0, of: source.bytes, comment: "#")) }
            .compactMap { source.occurrence($0, .expected) }
    }

    /// Returns the values of keys without indentation.
    private static func top(_ line: LineText) -> [Range<Int>] {
        var line = line
        guard line.take(any: ["version:", "appVersion:"]) != nil else { return [] }
        line.skipBlanks()
        return [line.value()]
    }
}

/// Versions in the instructions of a Dockerfile.
enum DockerVersions {
    private static let labels = ["version", "org.opencontainers.image.version", "org.label-schema.version"]

    static func occurrences(_ source: VersionSource) -> [VersionOccurrence] {
        var occurrences: [VersionOccurrence] = []
        var instruction = ""
        var isContinued = false
        for range in source.lines {
            var line = LineText(range, of: source.bytes)
            line.skipBlanks()
            if line.take("#") { continue }
            if !isContinued { instruction = source.text(line.run { $0.isLetter }).uppercased() }
            isContinued = source.bytes[range].last { !$0.isSpace } == UInt8(ascii: "\\")
            switch instruction {
            case "ARG", "ENV", "LABEL": occurrences += settings(line, isLabel: instruction == "LABEL", source)
            case "FROM": occurrences += SnippetVersions.images(line, source)
            default: break
            }
        }
        return occurrences
    }

    /// Returns the values in `NAME=value "name"="value"`.
    private static func settings(_ line: LineText, isLabel: Bool, _ source: VersionSource) -> [VersionOccurrence] {
        var line = line
        var occurrences: [VersionOccurrence] = []
        while !line.isAtEnd {
            line.skipBlanks()
            let key = line.quoted() ?? line.run { $0.isIdentifierContinuation || "-.".utf8.contains($0) }
            guard line.take("=") else {
                line.skip { !$0.isBlank }
                continue
            }
            let value = line.quoted() ?? line.run { !$0.isBlank }
            let name = source.text(key)
            guard isLabel ? labels.contains(name) : source.names.isVersion(name) else { continue }
            if let occurrence = source.occurrence(value, .possible) { occurrences.append(occurrence) }
        }
        return occurrences
    }
}
