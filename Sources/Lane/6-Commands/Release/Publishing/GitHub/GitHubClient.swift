import Actions
import Events
import OperatingSystem
import Text

/// A client of GitHub's REST API. It adds authentication and retries, and converts errors to messages.
struct GitHubClient: Sendable {
    private static let attempts = 5
    /// The permission of a token for releases.
    static let contents = "contents: write"
    /// The maximum wait for a rate limit. A longer wait is an error.
    private static let longestPause = Duration.seconds(15 * 60)

    let curl: Curl
    /// The base URL without a trailing slash.
    let base: String
    let token: String
    /// The name of the token's environment variable, for messages.
    let tokenName: String
    private let context: StepContext

    /// Creates a client for a step. Its `curl` gets the token on standard input only.
    ///
    /// - Parameter directory: A scratch directory of the step.
    init(_ context: StepContext, base: String, token: String, tokenName: String, directory: String) {
        (self.context, self.base, self.token, self.tokenName) = (context, base, token, tokenName)
        curl = Curl(
            processes: context.processes, environment: context.without(tokenName).environment, directory: directory)
    }

    func note(_ text: String) { context.report(.note, text) }

    /// Sends a request that can be repeated. Retries it until there is an answer.
    func ask(_ request: HTTPRequest) throws(OperationFailure) -> HTTPResponse {
        var attempt = 1
        while true {
            switch try once(request) {
            case .answer(let response): return response
            case .unknownEffect(let reason):
                guard attempt < Self.attempts else { throw Self.failure(request, reason, attempt) }
                try pause(beforeAttempt: attempt + 1, because: reason)
                attempt += 1
            }
        }
    }

    enum Reply {
        case answer(HTTPResponse)
        /// There was no usable answer. The request may have had an effect.
        case unknownEffect(reason: String)
    }

    /// Sends a request that must not be repeated blindly. Retries it only after a rate limit, because the request then
    /// had no effect.
    func once(_ request: HTTPRequest) throws(OperationFailure) -> Reply {
        var attempt = 1
        while true {
            switch try follow(request) {
            case .failure(let failure):
                guard failure.isTemporary else { throw Self.failure(request, failure.reason, 1) }
                return .unknownEffect(reason: failure.reason)
            case .success(let response):
                if let delay = RateLimit.pause(asked: response, now: Int64(context.now())) {
                    guard delay <= Self.longestPause, attempt < Self.attempts else { throw limited(delay, response) }
                    note("waiting \(delay.components.seconds) s because of GitHub's rate limit")
                    try pause(delay)
                    attempt += 1
                    continue
                }
                if response.status >= 500 {
                    return .unknownEffect(reason: "GitHub answered \(Self.errorText(of: response))")
                }
                if response.status == 401 { throw refusedToken(response) }
                return .answer(response)
            }
        }
    }

    /// Waits before a retry, with exponential backoff.
    func pause(beforeAttempt attempt: Int, because reason: String) throws(OperationFailure) {
        let delay = Duration.milliseconds(500 << min(attempt - 2, 4))
        note("\(reason); retrying")
        // Jitter prevents simultaneous retries of several clients.
        try pause(delay + .milliseconds(Int64.random(in: 0...250)))
    }

    private func pause(_ time: Duration) throws(OperationFailure) {
        if context.wait(time) { throw OperationFailure("cancelled", cause: .cancelled) }
    }

    // MARK: Sending

    private func follow(_ request: HTTPRequest) throws(OperationFailure) -> Result<HTTPResponse, Curl.NoAnswer> {
        var request = request
        let own = request.headers
        request.headers += Self.headers.filter { header in !own.contains { $0.name == header.name } }
        var carriesToken = true
        for _ in 0..<5 {
            let origin = WebOrigin(request.url)
            guard let origin, !carriesToken || origin.isSecure else {
                throw .refused(["the token must not be sent to '\(request.url)', which is not encrypted"])
            }
            var sent = request
            if carriesToken { sent.headers.append(("Authorization", "Bearer \(token)")) }
            let outcome = try curl.send(sent)
            guard case .success(let response) = outcome, let target = redirect(of: response, to: request) else {
                return outcome
            }
            // The token must not be sent to other servers.
            carriesToken = carriesToken && WebOrigin(target) == origin
            request.url = target
        }
        throw OperationFailure("'\(request.url)' has too many redirects")
    }

    /// Returns the URL of a redirect, for renamed repositories and files on other servers.
    private func redirect(of response: HTTPResponse, to request: HTTPRequest) -> String? {
        let keepsMethod = response.status == 307 || response.status == 308
        let movesReaders = [301, 302, 303].contains(response.status) && request.method == "GET"
        guard keepsMethod || movesReaders, let target = response.header("location") else { return nil }
        return target.hasPrefix("/")
            ? WebOrigin(request.url).map { "\($0.scheme)://\($0.host):\($0.port)\(target)" } : target
    }

    private static let headers = [
        (name: "Accept", value: "application/vnd.github+json"), (name: "X-GitHub-Api-Version", value: "2022-11-28"),
        (name: "User-Agent", value: "lane"),
    ]

    /// Returns the elements of a list from all its pages.
    func all(
        _ url: String, _ work: String, needing permission: String = Self.contents
    ) throws(OperationFailure) -> [JSONNode] {
        var found: [JSONNode] = []
        var next: String? = url
        while let page = next {
            let response = try ask(HTTPRequest(url: page))
            guard response.isSuccess, let elements = Self.json(response)?.array else {
                throw failure(response, to: work, needing: permission)
            }
            found += elements
            guard response.nextPage.flatMap({ WebOrigin($0) }) == WebOrigin(page) else { break }
            next = response.nextPage
        }
        return found
    }

    static func json(_ response: HTTPResponse) -> JSONNode? { try? JSONParser.parse(response.body) }

    // MARK: Words

    /// Returns the error of a response, such as `422 Validation Failed: tag_name already_exists`.
    static func errorText(of response: HTTPResponse) -> String {
        let node = try? JSONParser.parse(response.body)
        let details = (node?["errors"]?.array ?? []).compactMap { error -> String? in
            if let text = error.string ?? error["message"]?.string { return text }
            let words = [error["field"]?.string, error["code"]?.string].compactMap { $0 }
            return words.isEmpty ? nil : words.joined(separator: " ")
        }
        let message = node?["message"]?.string.map { " \($0)" } ?? ""
        return "\(response.status)\(message)" + (details.isEmpty ? "" : ": " + details.joined(separator: ", "))
    }

    /// Returns the failure for an error response.
    ///
    /// - Parameter permission: The permission of the token that the request needs.
    func failure(
        _ response: HTTPResponse, to work: String, needing permission: String = Self.contents
    ) -> OperationFailure {
        let text = "GitHub did not \(work): \(Self.errorText(of: response))"
        // A retry would not help.
        switch response.status {
        case 403: return .refused(["\(text)\nhint: the token in \(tokenName) needs the permission '\(permission)'"])
        case 404:
            return .refused([
                "\(text)\nhint: the repository does not exist, or the token in \(tokenName) has no access to it"
            ])
        case 400..<500: return .refused([text])
        default: return OperationFailure(text)
        }
    }

    private static func failure(_ request: HTTPRequest, _ reason: String, _ attempts: Int) -> OperationFailure {
        let times = attempts == 1 ? "" : " after \(attempts) attempts"
        return OperationFailure(
            "no answer from '\(request.url)'\(times): \(reason)\nhint: run it again to continue")
    }

    private func refusedToken(_ response: HTTPResponse) -> OperationFailure {
        .refused([
            "GitHub rejected the token in \(tokenName): \(Self.errorText(of: response))\n"
                + "hint: it may be expired or incomplete"
        ])
    }

    private func limited(_ delay: Duration, _ response: HTTPResponse) -> OperationFailure {
        let minutes = (delay.components.seconds + 59) / 60
        return OperationFailure(
            "the rate limit of GitHub is exceeded: \(Self.errorText(of: response))\n"
                + "hint: run it again in \(count(Int(minutes), "minute"))")
    }
}

/// The rate limit of a server.
enum RateLimit {
    /// The maximum pause in seconds, a year.
    private static let longest: Int64 = 31_536_000

    /// Returns the pause that an answer requests, in whole seconds, or `nil` if it is not about rate limits.
    ///
    /// Source: "Rate limits for the REST API" in GitHub's documentation. Answers about secondary limits may have no
    /// header.
    static func pause(asked response: HTTPResponse, now: Int64) -> Duration? {
        guard response.status == 403 || response.status == 429 else { return nil }
        if let seconds = response.header("retry-after").flatMap({ Int64($0) }) {
            return .seconds(min(max(0, seconds), longest))
        }
        if response.header("x-ratelimit-remaining") == "0",
            let reset = response.header("x-ratelimit-reset").flatMap({ Int64($0) })
        {
            // The clock of the server may be slightly behind.
            return .seconds(min(max(reset, now) - now, longest) + 1)
        }
        let text = String(decoding: response.body, as: UTF8.self)
        let isSecondary = text.contains("secondary rate limit") || text.contains("abuse detection")
        return response.status == 429 || isSecondary ? .seconds(60) : nil
    }
}
