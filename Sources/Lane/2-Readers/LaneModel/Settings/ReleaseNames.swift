import Text

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
        guard !directory.isEmpty else { return "release/" }
        // Git forbids other characters, and periods at the start of a component, in the names of branches. A package
        // below another one has no branch that begins like those of the other.
        var name: [UInt8] = []
        for byte in directory.utf8.dropLast() {
            let isHidden = byte == UInt8(ascii: ".") && [nil, UInt8(ascii: "/"), byte].contains(name.last)
            name.append(isHidden || !byte.isAlphanumeric && !"-_./".utf8.contains(byte) ? UInt8(ascii: "-") : byte)
        }
        return "release-of/\(String(decoding: name, as: UTF8.self))@"
    }
}
