package import OperatingSystem
import Text

/// The address of a remote repository, parsed from any notation of git.
package struct RemoteAddress: Sendable, Equatable {
    /// The host in lowercase.
    package let host: String
    /// The repository as `owner/name`.
    package let repository: String

    /// Parses an address. Returns `nil` for directories, and for addresses without owner and name.
    package init?(_ remote: String) {
        var rest = remote[...]
        let hasScheme = rest.range(of: "://") != nil
        if hasScheme {
            let schemes = ["https://", "ssh://", "git://", "http://"]
            guard let scheme = schemes.first(where: { rest.utf8.starts(with: $0.utf8) }) else { return nil }
            rest = Substring(rest.utf8.dropFirst(scheme.utf8.count))
        }
        var authority = rest.before(hasScheme ? "/" : ":")
        guard authority.endIndex < rest.endIndex, hasScheme || !authority.utf8.contains(Self.slash) else { return nil }
        var path = Substring(rest[authority.endIndex...].utf8.dropFirst()).dropping { $0 == Self.slash }
        if let at = authority.utf8.lastIndex(of: UInt8(ascii: "@")) {
            authority = Substring(authority.utf8[authority.utf8.index(after: at)...])
        }
        host = authority.before(":").lowercased()
        while path.utf8.last == Self.slash { path = Substring(path.utf8.dropLast()) }
        if path.hasSuffix(".git") { path = Substring(path.utf8.dropLast(4)) }
        repository = String(path)
        guard !host.isEmpty, Self.isRepository(repository) else { return nil }
    }

    /// Returns a Boolean value that indicates whether a text has the form `owner/name`.
    package static func isRepository(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: slash, omittingEmptySubsequences: false)
        return parts.count == 2
            && parts.allSatisfy { part in
                !part.isEmpty && !part.elementsEqual(".".utf8) && !part.elementsEqual("..".utf8)
                    && part.allSatisfy { $0.isAlphanumeric || "-_.".utf8.contains($0) }
            }
    }

    private static let slash = UInt8(ascii: "/")

    /// The web page of the repository, if its host is known.
    package var page: String? { host == "github.com" ? "https://github.com/\(repository)" : nil }
}

extension Git {
    /// Returns the address of the remote `origin`, or `nil` if there is none.
    package func origin() throws(OperationFailure) -> String? {
        let answer = try attempt(["config", "--get", "remote.origin.url"])
        return answer.report.succeeded ? answer.text.lines.first : nil
    }
}
