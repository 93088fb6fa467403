import LaneRun
import Processes

/// Where a remote repository lies, read from any of the forms in which git takes it.
struct RemoteAddress: Equatable {
    /// Lowercase.
    let host: String
    /// As in `owner/name`.
    let repository: String

    /// `nil` for folders, and for what has no owner and name.
    init?(_ remote: String) {
        var rest = remote[...]
        let hasScheme = rest.contains("://")
        if hasScheme {
            guard let scheme = ["https://", "ssh://", "git://", "http://"].first(where: rest.hasPrefix) else {
                return nil
            }
            rest = rest.dropFirst(scheme.count)
        }
        let authorityEnd = rest.firstIndex(of: hasScheme ? "/" : ":") ?? rest.endIndex
        guard authorityEnd < rest.endIndex, !rest[..<authorityEnd].contains("/") || hasScheme else { return nil }
        var authority = rest[..<authorityEnd]
        if let at = authority.lastIndex(of: "@") { authority = authority[authority.index(after: at)...] }
        host = authority.prefix { $0 != ":" }.lowercased()
        var path = rest[rest.index(after: authorityEnd)...].drop { $0 == "/" }
        while path.hasSuffix("/") { path = path.dropLast() }
        if path.hasSuffix(".git") { path = path.dropLast(4) }
        repository = String(path)
        guard !host.isEmpty, Self.isRepository(repository) else { return nil }
    }

    /// Whether a text has the form `owner/name`.
    static func isRepository(_ text: String) -> Bool {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count == 2
            && parts.allSatisfy { part in
                !part.isEmpty && part != "." && part != ".."
                    && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }
            }
    }

    /// The repository's page, where its host is known to have pages for comparisons.
    var page: String? { host == "github.com" ? "https://github.com/\(repository)" : nil }
}

extension Git {
    /// The address of the remote repository `origin`; `nil` when there is none.
    func origin() throws(StepFailure) -> String? {
        let told = try attempt(["config", "--get", "remote.origin.url"])
        return told.report.succeeded ? told.text.lines.first : nil
    }
}
