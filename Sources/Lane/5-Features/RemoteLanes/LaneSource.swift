import OperatingSystem
package import Text

/// A repository whose lanes and actions a package uses.
package struct LaneSource: Sendable, Equatable {
    /// The name, which is the prefix before the slash in the names of its lanes and actions.
    package let name: String
    /// The address of the repository in any notation of `git`. A path is relative to the root of the package.
    let url: String
    /// The commits that the package accepts.
    package let requirement: SourceRequirement
    /// The location of the name.
    package let span: Span?
}

/// The commits of a source that a package accepts.
package enum SourceRequirement: Sendable, Equatable, CustomStringConvertible {
    /// The tag of the latest version with this prefix, such as `1` or `1.4`, or the exact version `1.4.2`.
    case version(String)
    /// The last commit of a branch.
    case branch(String)
    /// One commit, as a full hash.
    case commit(String)

    /// The key in the file of sources.
    var key: String {
        switch self {
        case .version: "version"
        case .branch: "branch"
        case .commit: "commit"
        }
    }

    /// The value in the file of sources.
    var value: String {
        switch self {
        case .version(let text), .branch(let text), .commit(let text): text
        }
    }

    /// The key and the value, such as `version 1.4`.
    package var description: String { "\(key) \(value)" }

    /// Creates a requirement from its key and its value, or returns `nil` if the value is not valid.
    init?(_ key: String, _ value: String) {
        switch key {
        case "version" where Self.isVersion(value): self = .version(value)
        case "branch" where !value.isEmpty && !value.hasPrefix("-"): self = .branch(value)
        case "commit" where Self.isCommit(value): self = .commit(value)
        default: return nil
        }
    }

    /// Returns a Boolean value that indicates whether a version satisfies a `version` requirement.
    ///
    /// A prerelease satisfies only a requirement that names it exactly.
    static func accepts(_ version: SemanticVersion, _ text: String) -> Bool {
        if let exact = SemanticVersion(text) { return version == exact }
        guard !version.isPrerelease else { return false }
        let numbers = [version.major, version.minor].map(\.description)
        let wanted = text.split(separator: ".").map(String.init)
        return numbers.starts(with: wanted)
    }

    private static func isVersion(_ text: String) -> Bool {
        [text, "\(text).0", "\(text).0.0"].contains { SemanticVersion($0) != nil }
    }

    /// Returns a Boolean value that indicates whether a text is the full hash of a commit.
    static func isCommit(_ text: String) -> Bool {
        [40, 64].contains(text.utf8.count) && text.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
    }
}

/// Checks of a source's address before it is passed to `git`.
enum SourceAddress {
    /// Returns the error for an address that is not acceptable, or `nil` for an acceptable address.
    static func problem(with url: String) -> (message: String, hint: String?)? {
        let isPath = isPath(url)
        let scheme = url.range(of: "://").map { url[..<$0.lowerBound] }
        // Other transports of git, such as `ext::`, run commands.
        let hasTransport = url.range(of: "::") != nil
        let isRemote =
            scheme.map { ["https", "http", "ssh", "git", "file"].contains($0) } ?? url.utf8.contains(UInt8(ascii: ":"))
        guard !url.hasPrefix("-"), !hasTransport, isPath || isRemote else {
            return (
                "'\(url)' is not an address of a git repository",
                "for example 'https://host/owner/lanes.git', 'git@host:owner/lanes.git' or '../lanes'"
            )
        }
        if let scheme, hasPassword(url[scheme.endIndex...]) {
            return ("the address contains a password", "remove it, and use a credential helper of git")
        }
        return nil
    }

    /// Returns the address for `git`, with an absolute path.
    static func resolved(_ url: String, root: String) -> String { isPath(url) ? absolutePath(url, from: root) : url }

    private static func isPath(_ url: String) -> Bool {
        url.hasPrefix("/") || url.hasPrefix("./") || url.hasPrefix("../")
    }

    /// - Parameter rest: The address from `://` on.
    private static func hasPassword(_ rest: Substring) -> Bool {
        let authority = rest.utf8.dropFirst(3).prefix { $0 != UInt8(ascii: "/") }
        guard let at = authority.lastIndex(of: UInt8(ascii: "@")) else { return false }
        return authority[..<at].contains(UInt8(ascii: ":"))
    }
}
