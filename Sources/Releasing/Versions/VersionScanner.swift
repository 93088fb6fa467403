import ASCII
import Files

/// Finds versions in the forms in which the files of Swift packages write them.
struct VersionScanner {
    let names: PackageNames

    /// A kind of file, known by its name, and how it names the package's version.
    private struct Kind: Sendable {
        let fits: @Sendable (_ path: String, _ name: Substring) -> Bool
        let places: @Sendable (VersionSource) -> [VersionPlace]
    }

    private static let kinds = [
        Kind(fits: { $1.hasSuffix(".swift") }, places: SwiftVersions.places),
        Kind(fits: { $1.hasSuffix(".md") || $1.hasSuffix(".markdown") }, places: SnippetVersions.places),
        Kind(fits: { $1.hasSuffix(".podspec") }, places: RubyVersions.podspec),
        Kind(fits: { $1 == "Podfile" || $1 == "Cartfile" }, places: RubyVersions.requirements),
        Kind(fits: { $1.hasSuffix(".json") }, places: JSONVersions.places),
        Kind(fits: { $1.hasSuffix(".yml") || $1.hasSuffix(".yaml") }, places: SettingVersions.yaml),
        Kind(fits: { $1.hasSuffix("Info.plist") }, places: SettingVersions.plist),
        Kind(fits: { $1 == "project.pbxproj" || $1.hasSuffix(".xcconfig") }, places: SettingVersions.xcode),
        Kind(fits: { isDockerfile($1) }, places: DockerVersions.places),
        Kind(
            fits: { path, _ in ["VERSION", "VERSION.txt", ".version"].contains(path) }, places: SettingVersions.whole),
    ]

    private static func isDockerfile(_ name: Substring) -> Bool {
        ["Dockerfile", "Containerfile"].contains { name == $0 || name.hasPrefix("\($0).") }
            || name.hasSuffix(".dockerfile")
    }

    /// A Boolean value that indicates whether a file may name the version, by its path: what tests and changelogs name is
    /// of another time, or of another package.
    static func isCandidate(_ path: String) -> Bool {
        let name = path.split(separator: "/").last ?? ""
        guard !path.hasPrefix("Tests/"), !path.contains("/Tests/"), !path.contains("Fixtures/") else { return false }
        let isHistory = ["CHANGE", "HISTORY", "NEWS", "RELEASE"].contains(where: name.uppercased().hasPrefix)
        return !isHistory && kinds.contains { $0.fits(path, name) }
    }

    func places(in bytes: [UInt8], of path: String) -> [VersionPlace] {
        let source = VersionSource(path: path, bytes: bytes, names: names)
        return Self.kinds.first { $0.fits(path, source.name) }?.places(source) ?? []
    }
}
