import LaneModel

/// `lane` itself, for a package that does not bring it: fetched and built by its jobs, and kept between them.
package struct CITool: Sendable {
    /// Where jobs put it, among what git does not see.
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

    var command: String { "\(Self.folder)/ci/lane" }

    /// What fetches it, unless a cache has brought it.
    var fetch: String {
        let clone = "git -c advice.detachedHead=false clone --quiet --depth 1"
        let words = [version, repository, Self.folder].map(ShellWords.quoted)
        return "[ -d \(Self.folder) ] || \(clone) --branch \(words.joined(separator: " "))"
    }
}
