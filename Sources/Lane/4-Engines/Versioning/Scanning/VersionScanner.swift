import OperatingSystem
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

/// A search for versions in the files of a package.
struct VersionSearch {
    /// The directory of the package.
    let root: String
    let scanner: VersionScanner
    /// The files in git.
    let tracked: Set<String>
    private(set) var found: [VersionOccurrence] = []
    /// The files whose version cannot be changed.
    private(set) var notes: [String] = []

    /// Searches a file, or the target of a link.
    mutating func scan(_ path: String) throws(OperationFailure) {
        switch fileKind("\(root)/\(path)") {
        case .file: try scan(path, writing: path)
        case .link:
            if let target = target(of: path), tracked.contains(target) {
                try scan(path, writing: target)
            } else if VersionScanner.isVersionFile(path), let target = try? linkTarget("\(root)/\(path)") {
                notes.append(
                    "\(path): is a link to '\(target)', which is no file of the package in git and stays unchanged")
            }
        default: break
        }
    }

    private mutating func scan(_ path: String, writing target: String) throws(OperationFailure) {
        let bytes = try convertingFileErrors(of: readFile("\(root)/\(path)"))
        let places = scanner.occurrences(in: bytes, of: path)
        found += places.map { place in
            // A link has the content of its target.
            var place = place
            place.file = target
            return place
        }
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            notes.append("\(path): is UTF-16, so its version stays unchanged; convert it to UTF-8")
        } else if places.isEmpty, VersionScanner.isVersionFile(path) {
            notes.append("\(path): expected only a version such as 1.2.3, found another text, which stays unchanged")
        }
    }

    /// Returns the path of a link's target relative to the package, or `nil` if the target is not a file.
    private func target(of link: String) -> String? {
        guard let root = resolvedPath(root), let target = resolvedPath("\(root)/\(link)"), fileKind(target) == .file
        else { return nil }
        return relativePath(target, to: root)
    }
}
