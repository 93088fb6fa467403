import Expressions
import Git
import LaneModel
import OperatingSystem
import Text

extension Settings {
    /// The remote of a step that sends something to a service.
    var remote: String { string("remote") ?? PublishTarget.defaultRemote }

    /// The secret that contains the token.
    var tokenName: String { string("token") ?? PublishTarget.defaultToken }

    /// A Boolean value that indicates whether the lane of a `require` step proposes the release in a pull request.
    var isProposal: Bool { bool(ReleaseNames.pullRequest) == true }
}

/// The repository and server of a release.
enum PublishTarget {
    /// The default remote.
    static let defaultRemote = "origin"

    /// The default secret for the token: the variable of GitHub's runners and command-line tool.
    static let defaultToken = "GITHUB_TOKEN"

    /// The settings of the actions that send something to a service.
    static let settings = [
        SettingSchema(
            "remote", .string, "The remote to push to, which also names the repository",
            default: .string(defaultRemote)),
        SettingSchema(
            "repository", .string,
            "The repository as owner/name; by default GITHUB_REPOSITORY or the repository of the remote"),
        SettingSchema(
            "token", .string, "The secret that contains the token", default: .string(defaultToken)),
    ]

    private static let variable = "set GITHUB_REPOSITORY to owner/name"

    static func find(
        _ settings: Settings, _ environment: [String: String], _ git: Git
    ) throws(OperationFailure) -> (repository: String, base: String) {
        let remote = settings.remote
        let given = environment["GITHUB_API_URL"].flatMap { $0.isEmpty ? nil : $0 }
        let named =
            settings.string("repository") ?? environment["GITHUB_REPOSITORY"].flatMap { $0.isEmpty ? nil : $0 }
        if let named {
            guard RemoteAddress.isRepository(named) else {
                throw .refused(["expected a repository as owner/name, found '\(named)'"])
            }
            return (named, try base(given))
        }
        let result = try git.attempt(["remote", "get-url", remote])
        guard result.report.succeeded else {
            let hint = "git remote add \(remote) ADDRESS, or \(variable)"
            throw .refused(["there is no remote '\(remote)' to publish to\nhint: \(hint)"])
        }
        let url = result.text.lines.first ?? ""
        guard let address = RemoteAddress(url) else {
            throw .refused(["the remote '\(remote)' has no owner and name\nhint: \(variable)"])
        }
        // A token must be sent only to the server that issued it.
        guard given != nil || address.host == "github.com" || address.host == "ssh.github.com" else {
            // Only the port of an `https` URL is that of the API.
            let server = WebOrigin(url).flatMap { $0.scheme == "https" ? $0.address : nil } ?? "https://\(address.host)"
            throw .refused([
                "the remote '\(remote)' is on '\(address.host)', not on github.com\n"
                    + "hint: for GitHub Enterprise, set GITHUB_API_URL to \(server)/api/v3"
            ])
        }
        return (address.repository, try base(given))
    }

    /// Returns the web page of a repository on the server with an API.
    static func page(of repository: String, at base: String) -> String {
        if base == "https://api.github.com" { return "https://github.com/\(repository)" }
        let end = "/api/v3"
        return "\(base.hasSuffix(end) ? String(base.dropLast(end.count)) : base)/\(repository)"
    }

    private static func base(_ given: String?) throws(OperationFailure) -> String {
        var base = given ?? "https://api.github.com"
        while base.hasSuffix("/") { base.removeLast() }
        guard WebOrigin(base)?.isSecure == true else {
            throw .refused(["GITHUB_API_URL: expected a URL that starts with https://, found '\(base)'"])
        }
        return base
    }
}
