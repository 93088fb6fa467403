import Text

/// Versions in Swift code: constants for the package's version, the version of a command, and requirements of this
/// package.
enum SwiftVersions {
    static func occurrences(_ source: VersionSource) -> [VersionOccurrence] {
        let strings = SwiftStrings.all(in: source.bytes[...])
        let stem = source.name.dropLast(".swift".count)
        let isVersionFile = source.names.isVersion(stem)
        return strings.compactMap { string in
            if let name = string.declared {
                let isOwn = source.names.isVersion(name)
                // In a file named after the version, the constant normally has another name.
                let isValue = isVersionFile && ["current", "string", "value", "number", "text"].contains(name)
                guard isOwn || isValue else { return nil }
                return source.occurrence(string.range, isVersionFile ? .certain : .likely)
            }
            guard string.label == "version", string.calls.last?.name == "CommandConfiguration" else { return nil }
            return source.occurrence(string.range, .expected)
        } + requirements(strings, source)
    }

    /// Returns the versions in calls of `.package(` for this package.
    static func requirements(_ strings: [SwiftString], _ source: VersionSource) -> [VersionOccurrence] {
        strings.filter { string in
            guard string.calls.last?.name == "package" else { return false }
            let text = source.text(string.range)
            // In a registry, the package of the scope `example` is `example.shape`.
            return string.label == "url" && source.names.isAddress(text)
                || string.label == "id" && source.names.isPackage(text.split(separator: ".").last ?? "")
        }
        .flatMap { url in
            let inside = strings.filter { string in url.calls.last.map(string.calls.contains) ?? false }
            return requirement(inside, source)
        }
    }

    /// Returns the versions in `from:` and `exact:` arguments, in calls of these names, and in half-open ranges.
    private static func requirement(_ strings: [SwiftString], _ source: VersionSource) -> [VersionOccurrence] {
        if let end = strings.firstIndex(where: { $0.operation != nil }) {
            guard end > 0, strings[end].operation == "..<" else { return [] }
            return range(from: strings[end - 1], to: strings[end], source)
        }
        return strings.compactMap { string in
            let isExact = string.label == nil && string.calls.last?.name == "exact"
            guard ["from", "exact"].contains(string.label) || isExact else { return nil }
            return source.occurrence(string.range, .possible)
        }
    }

    /// Returns both bounds. They change together, which keeps the width of the range.
    private static func range(from first: SwiftString, to last: SwiftString, _ source: VersionSource)
        -> [VersionOccurrence]
    {
        guard let start = source.occurrence(first.range, .possible) else { return [] }
        let bumps: [VersionBump] = [.patch, .minor, .major]
        let ends = bumps.compactMap { source.occurrence(last.range, .possible, .upperBound($0)) }
        return ends.first { $0.names(start.version) }.map { [start, $0] } ?? []
    }
}
