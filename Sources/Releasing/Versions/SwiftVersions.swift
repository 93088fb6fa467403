import ASCII

/// Versions in Swift code: constants that are named for the package's version, the version of its command, and what
/// other packages require of it.
enum SwiftVersions {
    static func places(_ source: VersionSource) -> [VersionPlace] {
        let strings = SwiftStrings.all(in: source.bytes[...])
        let stem = source.name.dropLast(".swift".count)
        let isVersionFile = source.names.isVersion(stem)
        return strings.compactMap { string in
            if let name = string.declared {
                let isOwn = source.names.isVersion(name)
                // In a file that is named for the version, the constant has another name as a rule.
                let isValue = isVersionFile && ["current", "string", "value", "number", "text"].contains(name)
                guard isOwn || isValue else { return nil }
                return source.place(string.range, isVersionFile ? .certain : .likely)
            }
            guard string.label == "version", string.calls.last?.name == "CommandConfiguration" else { return nil }
            return source.place(string.range, .possible)
        } + requirements(strings, source)
    }

    /// The versions in calls of `.package(` for this package.
    static func requirements(_ strings: [SwiftString], _ source: VersionSource) -> [VersionPlace] {
        strings.filter {
            $0.label == "url" && $0.calls.last?.name == "package" && source.names.isAddress(source.text($0.range))
        }
        .flatMap { url in
            let inside = strings.filter { string in url.calls.last.map(string.calls.contains) ?? false }
            return requirement(inside, source)
        }
    }

    /// `from:` and `exact:` with a version, the same in calls of their own, and a half-open range.
    private static func requirement(_ strings: [SwiftString], _ source: VersionSource) -> [VersionPlace] {
        if let end = strings.firstIndex(where: { $0.operation != nil }) {
            guard end > 0, strings[end].operation == "..<" else { return [] }
            return range(from: strings[end - 1], to: strings[end], source)
        }
        return strings.compactMap { string in
            let isExact = string.label == nil && string.calls.last?.name == "exact"
            guard ["from", "exact"].contains(string.label) || isExact else { return nil }
            return source.place(string.range, .possible)
        }
    }

    /// Both ends move, the last one by as much as keeps the range as wide.
    private static func range(from first: SwiftString, to last: SwiftString, _ source: VersionSource) -> [VersionPlace]
    {
        guard let start = source.place(first.range, .possible) else { return [] }
        let bumps: [VersionBump] = [.patch, .minor, .major]
        let ends = bumps.compactMap { source.place(last.range, .possible, .upperBound($0)) }
        return ends.first { $0.names(start.version) }.map { [start, $0] } ?? []
    }
}
