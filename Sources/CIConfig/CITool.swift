import LaneModel

/// A version of `lane` that the jobs fetch, build and cache, for a package without its own.
package struct CITool: Sendable {
    /// The directory of the sources, relative to the repository's root, which all packages share.
    static let folder = ".build/lane-source"

    let version: String
    let repository: String

    /// - Parameters:
    ///   - version: The tag to fetch.
    ///   - repository: The address of the git repository that contains `ci/lane`.
    package init(version: String, repository: String) {
        self.version = version
        self.repository = repository
    }

    /// Returns the command that runs `lane` in the package's directory.
    func command(in location: PackageLocation) -> String { "\(location.up)\(Self.folder)/ci/lane" }

    /// Returns the command that fetches `lane` unless it is cached.
    func fetch(in location: PackageLocation) -> String {
        let folder = location.up + Self.folder
        let clone = "git -c advice.detachedHead=false clone --quiet --depth 1"
        let words = [version, repository, folder].map(ShellWords.quoted)
        return "[ -d \(folder) ] || \(clone) --branch \(words.joined(separator: " "))"
    }
}
