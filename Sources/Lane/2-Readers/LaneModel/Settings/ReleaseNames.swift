/// The names that actions, lanes and generated CI files of a release share.
package enum ReleaseNames {
    /// The parameter of a release lane with the directory of parts.
    package static let parts = "parts"
    /// The parameter of a release lane that publishes the release.
    package static let publish = "publish"
    /// The parameter of a release lane that proposes the release in a pull request.
    package static let pullRequest = "pull-request"
    /// The invisible comment in releases and pull requests that `lane` made.
    package static let mark = "<!-- made by lane -->"
    /// The checksum file of all parts, without which a missing part is not detected.
    package static let partsList = "parts.sha256"

    /// Returns the start of the branches with proposed releases, before the version.
    ///
    /// - Parameter directory: The path of the package in its repository, empty or with a trailing slash.
    package static func branch(below directory: String) -> String {
        directory.isEmpty ? "release/" : "release-of/\(directory)"
    }
}
