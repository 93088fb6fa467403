import LaneModel

/// `lane` itself, for a package that does not bring it: fetched and built by its jobs, and cached between them.
package struct CITool: Sendable {
    /// The directory of its sources, relative to the repository's root, so that all packages share one.
    static let folder = ".build/lane-source"

    let version: String
    let repository: String

    /// - Parameters:
    ///   - version: The tag that is fetched.
    ///   - repository: The address of the git repository with `ci/lane` in it.
    package init(version: String, repository: String) {
        self.version = version
        self.repository = repository
    }

    /// Returns the command that runs it in the package's directory.
    func command(in location: PackageLocation) -> String { "\(location.up)\(Self.folder)/ci/lane" }

    /// Returns the command that fetches it, unless a cache has brought it.
    func fetch(in location: PackageLocation) -> String {
        let folder = location.up + Self.folder
        let clone = "git -c advice.detachedHead=false clone --quiet --depth 1"
        let words = [version, repository, folder].map(ShellWords.quoted)
        return "[ -d \(folder) ] || \(clone) --branch \(words.joined(separator: " "))"
    }
}
