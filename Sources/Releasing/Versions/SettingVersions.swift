import ASCII

/// Versions that are the value of a key.
enum SettingVersions {
    /// `MARKETING_VERSION = 1.2.3`
    static func xcode(_ source: VersionSource) -> [VersionPlace] {
        source.lines.flatMap { range in
            LineText(range, of: source.bytes, comment: "//").values(of: "MARKETING_VERSION", ["="])
                .compactMap { source.place($0, .certain) }
        }
    }

    /// The string behind the key `CFBundleShortVersionString`.
    static func plist(_ source: VersionSource) -> [VersionPlace] {
        LineText(source.bytes.indices, of: source.bytes).positions(after: "<key>CFBundleShortVersionString</key>")
            .compactMap { text in
                var text = text
                text.skip(while: \.isSpace)
                guard text.take("<string>") else { return nil }
                return source.place(text.run { $0 != UInt8(ascii: "<") }, .certain)
            }
    }

    /// A file with nothing but the version.
    static func whole(_ source: VersionSource) -> [VersionPlace] {
        guard let start = source.bytes.firstIndex(where: { !$0.isSpace }),
            let end = source.bytes.lastIndex(where: { !$0.isSpace })
        else { return [] }
        return source.place(start..<(end + 1), .certain).map { [$0] } ?? []
    }

    /// `version:` of a file that names this package, the version that an app gets, and the images of the package.
    static func yaml(_ source: VersionSource) -> [VersionPlace] {
        let lines = source.lines.map { LineText($0, of: source.bytes, comment: "#") }
        let isOwn = lines.contains { line in
            var line = line
            guard line.take("name:") else { return false }
            line.skipBlanks()
            return source.names.isAddress(source.text(line.quoted() ?? line.run { !$0.isSpace }))
        }
        return lines.flatMap { line in
            let app = ["MARKETING_VERSION", "CFBundleShortVersionString", "module_version"].flatMap {
                line.values(of: $0, [":"])
            }
            return (app + (isOwn ? top(line) : [])).compactMap { source.place($0, .possible) }
                + SnippetVersions.images(line, source)
        }
    }

    /// The value of a key at the margin.
    private static func top(_ line: LineText) -> [Range<Int>] {
        var line = line
        guard line.take(any: ["version:", "appVersion:"]) != nil else { return [] }
        line.skipBlanks()
        return [line.value()]
    }
}

/// Versions in the instructions of a container's recipe.
enum DockerVersions {
    private static let labels = ["version", "org.opencontainers.image.version", "org.label-schema.version"]

    static func places(_ source: VersionSource) -> [VersionPlace] {
        var places: [VersionPlace] = []
        var instruction = ""
        var goesOn = false
        for range in source.lines {
            var line = LineText(range, of: source.bytes)
            line.skipBlanks()
            if line.take("#") { continue }
            if !goesOn { instruction = source.text(line.run { $0.isLetter }).uppercased() }
            goesOn = source.bytes[range].last { !$0.isSpace } == UInt8(ascii: "\\")
            switch instruction {
            case "ARG", "ENV", "LABEL": places += settings(line, isLabel: instruction == "LABEL", source)
            case "FROM": places += SnippetVersions.images(line, source)
            default: break
            }
        }
        return places
    }

    /// `NAME=value "name"="value"`
    private static func settings(_ line: LineText, isLabel: Bool, _ source: VersionSource) -> [VersionPlace] {
        var line = line
        var places: [VersionPlace] = []
        while !line.isAtEnd {
            line.skipBlanks()
            let key = line.quoted() ?? line.run { $0.isOfName || "-.".utf8.contains($0) }
            guard line.take("=") else {
                line.skip { !$0.isBlank }
                continue
            }
            let value = line.quoted() ?? line.run { !$0.isBlank }
            let name = source.text(key)
            guard isLabel ? labels.contains(name) : source.names.isVersion(name) else { continue }
            if let place = source.place(value, .possible) { places.append(place) }
        }
        return places
    }
}
