import Text

/// A scanner for versions in the file formats of Swift packages.
struct VersionScanner {
    let names: PackageNames

    /// A kind of file, with the function that finds its versions.
    private struct Kind: Sendable {
        let fits: @Sendable (_ path: String, _ name: Substring) -> Bool
        let occurrences: @Sendable (VersionSource) -> [VersionOccurrence]
    }

    private static let kinds = [
        Kind(fits: { $1.hasSuffix(".swift") }, occurrences: SwiftVersions.occurrences),
        Kind(fits: { $1.hasSuffix(".md") || $1.hasSuffix(".markdown") }, occurrences: SnippetVersions.occurrences),
        Kind(fits: { $1.hasSuffix(".podspec") }, occurrences: RubyVersions.podspec),
        Kind(fits: { $1 == "Podfile" || $1 == "Cartfile" }, occurrences: RubyVersions.requirements),
        Kind(fits: { $1.hasSuffix(".json") }, occurrences: JSONVersions.occurrences),
        Kind(fits: { $1.hasSuffix(".yml") || $1.hasSuffix(".yaml") }, occurrences: SettingVersions.yaml),
        Kind(fits: { $1 == "CITATION.cff" }, occurrences: SettingVersions.citation),
        Kind(fits: { $1.hasSuffix("Info.plist") }, occurrences: SettingVersions.plist),
        Kind(fits: { $1 == "project.pbxproj" || $1.hasSuffix(".xcconfig") }, occurrences: SettingVersions.xcode),
        Kind(fits: { isDockerfile($1) }, occurrences: DockerVersions.occurrences),
        Kind(fits: { path, _ in isVersionFile(path) }, occurrences: SettingVersions.whole),
    ]

    /// Returns a Boolean value that indicates whether a file contains only the version.
    static func isVersionFile(_ path: String) -> Bool {
        ["version", "version.txt", ".version"].contains(path.lowercased())
    }

    private static func isDockerfile(_ name: Substring) -> Bool {
        ["Dockerfile", "Containerfile"].contains { name == $0 || name.hasPrefix("\($0).") }
            || name.hasSuffix(".dockerfile")
    }

    /// Returns a Boolean value that indicates whether a file may contain the version. Tests and changelogs contain
    /// older versions and those of other packages.
    static func isCandidate(_ path: String) -> Bool {
        let name = path.split(separator: "/").last ?? ""
        guard !path.hasPrefix("Tests/"), !path.contains("/Tests/"), !path.contains("Fixtures/") else { return false }
        let isHistory = ["CHANGE", "HISTORY", "NEWS", "RELEASE"].contains(where: name.uppercased().hasPrefix)
        return !isHistory && kinds.contains { $0.fits(path, name) }
    }

    func occurrences(in bytes: [UInt8], of path: String) -> [VersionOccurrence] {
        let source = VersionSource(path: path, bytes: bytes, names: names)
        return Self.kinds.first { $0.fits(path, source.name) }?.occurrences(source) ?? []
    }
}
