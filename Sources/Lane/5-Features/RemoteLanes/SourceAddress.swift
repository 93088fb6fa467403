import OperatingSystem
import Text

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
