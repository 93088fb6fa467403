import Text

/// Versions in documentation: requirements of the package, badges, archives and images.
enum SnippetVersions {
    static func occurrences(_ source: VersionSource) -> [VersionOccurrence] {
        let text = LineText(source.bytes.indices, of: source.bytes)
        let calls = text.positions(after: ".package(").flatMap { call in
            let code = source.bytes[(call.index - ".package(".utf8.count)...].prefix(2000)
            return SwiftVersions.requirements(SwiftStrings.ofCall(in: code), source)
        }
        return source.lines.reduce(into: calls) { versions, range in
            let line = LineText(range, of: source.bytes)
            versions += RubyVersions.requirements(line, source)
            versions += badges(line, source)
            versions += archives(line, source)
            versions += downloads(line, source)
            versions += images(line, source)
        }
    }

    /// Returns the versions in `…/badge/version-1.2.3-blue`, where hyphens within the version are doubled.
    private static func badges(_ line: LineText, _ source: VersionSource) -> [VersionOccurrence] {
        line.positions(after: "badge/").compactMap { badge in
            var badge = badge
            let all = badge.run { !$0.isSpace && !")\"?>]".utf8.contains($0) }
            let hyphen = UInt8(ascii: "-")
            let marks = all.filter { index in
                source.bytes[index] == hyphen && source.bytes[index - 1] != hyphen
                    && (index + 1 == all.upperBound || source.bytes[index + 1] != hyphen)
            }
            guard marks.count >= 2 else { return nil }
            let label = source.text(all.lowerBound..<marks[0])
            let isOwn =
                source.names.isVersion(label) || source.names.isPackage(label)
                || ["release", "latest", "tag", "pod", "cocoapods"].contains(label.lowercased())
            return isOwn ? source.occurrence((marks[0] + 1)..<marks[marks.count - 1], .possible, .badge) : nil
        }
    }

    /// Returns the versions in `shape-1.2.3-linux-x86_64.tar.gz`.
    private static func archives(_ line: LineText, _ source: VersionSource) -> [VersionOccurrence] {
        let hyphen = UInt8(ascii: "-")
        return line.range.compactMap { index in
            guard source.bytes[index] == hyphen, index > line.range.lowerBound, index + 1 < line.end,
                source.bytes[index + 1].isDigit || source.bytes[index + 1] == UInt8(ascii: "v")
            else { return nil }
            guard source.names.isPackage(source.text(line.word(before: index))) else { return nil }
            var rest = LineText((index + 1)..<line.end, of: source.bytes)
            let run = rest.run { isVersionByte($0) }
            let marks = ["-linux", "-macos", "-windows", ".tar", ".zip", ".xcframework", ".artifactbundle"]
            let end = run.first { index in marks.contains { source.bytes[index...].starts(with: $0.utf8) } }
            return end.flatMap { source.occurrence((index + 1)..<$0, .possible) }
        }
    }

    /// Returns the versions in `…/shape/releases/download/v1.2.3/…` and `…/shape/archive/refs/tags/1.2.3.tar.gz`.
    private static func downloads(_ line: LineText, _ source: VersionSource) -> [VersionOccurrence] {
        ["/releases/download/", "/archive/refs/tags/"].flatMap { mark in
            line.positions(after: mark).compactMap { rest in
                var rest = rest
                let owner = line.word(before: rest.index - mark.utf8.count)
                guard source.names.isAddress(source.text(owner)) else { return nil }
                let run = rest.run { isVersionByte($0) || $0.isIdentifierContinuation }
                let stop = run.first { index in
                    [".tar.gz", ".zip"].contains { source.bytes[index...].starts(with: $0.utf8) }
                }
                return source.tagOccurrence(run.lowerBound..<(stop ?? run.upperBound))
            }
        }
    }

    /// Returns the versions in `example/shape:1.2.3` and `shape@v1.2.3`.
    static func images(_ line: LineText, _ source: VersionSource) -> [VersionOccurrence] {
        (line.positions(after: ":") + line.positions(after: "@")).compactMap { rest in
            var rest = rest
            let isImage = source.bytes[rest.index - 1] == UInt8(ascii: ":")
            let name = line.word(before: rest.index - 1)
            let hasOwner = name.lowerBound > line.index && source.bytes[name.lowerBound - 1] == UInt8(ascii: "/")
            guard hasOwner || !isImage, source.names.isPackage(source.text(name)) else { return nil }
            let run = rest.run { isVersionByte($0) }
            return isImage ? source.occurrence(run, .possible) : source.tagOccurrence(run)
        }
    }
}
