import Diagnostics
import JSON
import LaneRun
import Processes

/// Calls GitHub's REST interface: with a token, with patience, and with words for what goes wrong.
struct GitHubClient: Sendable {
    private static let attempts = 5
    /// Who is told to wait longer than this does not wait at all.
    private static let longestPause = Duration.seconds(15 * 60)

    let curl: Curl
    /// The address of the interface, without a slash at its end.
    let base: String
    let token: String
    /// The variable that the token came from, for messages.
    let tokenName: String
    let clock: PublishClock
    let cancellation: Cancellation
    let say: @Sendable (String) -> Void

    /// Does what may be done twice, as often as it takes to get an answer.
    func ask(_ request: HTTPRequest) throws(StepFailure) -> HTTPResponse {
        var attempt = 1
        while true {
            switch try once(request) {
            case .answer(let response): return response
            case .nobodyKnows(let reason):
                guard attempt < Self.attempts else { throw Self.failure(request, reason, attempt) }
                try pause(beforeAttempt: attempt + 1, because: reason)
                attempt += 1
            }
        }
    }

    enum Reply {
        case answer(HTTPResponse)
        /// No answer, or one that says nothing: it may have been done, or not.
        case nobodyKnows(reason: String)
    }

    /// Does what must not be done twice without looking. A limit is waited for, as nothing was done then.
    func once(_ request: HTTPRequest) throws(StepFailure) -> Reply {
        var attempt = 1
        while true {
            switch try send(request) {
            case .nothing(let failure):
                guard failure.isPassing else { throw Self.failure(request, failure.reason, 1) }
                return .nobodyKnows(reason: failure.reason)
            case .answer(let response):
                if let wish = RateLimit.pause(asked: response, now: clock.now()) {
                    guard wish <= Self.longestPause, attempt < Self.attempts else { throw limited(wish, response) }
                    say("GitHub asks to wait \(wish.components.seconds) s")
                    try pause(wish)
                    attempt += 1
                    continue
                }
                if response.status >= 500 {
                    return .nobodyKnows(reason: "GitHub answered \(Self.words(of: response))")
                }
                if response.status == 401 { throw refusedToken(response) }
                return .answer(response)
            }
        }
    }

    /// Waits a moment, longer each time.
    func pause(beforeAttempt attempt: Int, because reason: String) throws(StepFailure) {
        let delay = Duration.milliseconds(500 << min(attempt - 2, 4))
        say("\(reason); trying again")
        // So that two who failed together do not come back together.
        try pause(delay + .milliseconds(Int64.random(in: 0...250)))
    }

    private func pause(_ time: Duration) throws(StepFailure) {
        let isCancelled = clock.wait.map { $0(time) } ?? cancellation.wait(time)
        if isCancelled { throw StepFailure("cancelled", cause: .cancelled) }
    }

    // MARK: Sending

    private func send(_ request: HTTPRequest) throws(StepFailure) -> Curl.Outcome {
        var request = request
        let own = request.headers
        request.headers += Self.headers.filter { header in !own.contains { $0.name == header.name } }
        var carriesToken = true
        for _ in 0..<5 {
            let origin = WebOrigin(request.url)
            guard let origin, !carriesToken || origin.keepsSecrets else {
                throw .refused(["the token must not go to '\(request.url)', which is not encrypted"])
            }
            var sent = request
            if carriesToken { sent.headers.append(("Authorization", "Bearer \(token)")) }
            let outcome = try curl.send(sent)
            guard case .answer(let response) = outcome, let target = redirect(of: response, to: request) else {
                return outcome
            }
            // What lies elsewhere is nobody's who may know the token.
            carriesToken = carriesToken && WebOrigin(target) == origin
            request.url = target
        }
        throw StepFailure("'\(request.url)' leads from one address to the next without end")
    }

    /// Repositories that were renamed, and files that lie on other servers.
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

    // MARK: Words

    /// `422 Validation Failed: tag_name already_exists`
    static func words(of response: HTTPResponse) -> String {
        let node = try? JSONParser.parse(response.body)
        let details = (node?["errors"]?.array ?? []).compactMap { error -> String? in
            if let text = error.string ?? error["message"]?.string { return text }
            let words = [error["field"]?.string, error["code"]?.string].compactMap { $0 }
            return words.isEmpty ? nil : words.joined(separator: " ")
        }
        let message = node?["message"]?.string.map { " \($0)" } ?? ""
        return "\(response.status)\(message)" + (details.isEmpty ? "" : ": " + details.joined(separator: ", "))
    }

    /// An answer that means failure, and for what it was.
    func failure(_ response: HTTPResponse, to work: String) -> StepFailure {
        let told = "GitHub did not \(work): \(Self.words(of: response))"
        // None of these is otherwise in a moment.
        switch response.status {
        case 403: return .refused(["\(told)\nhint: the token in \(tokenName) needs the permission 'contents: write'"])
        case 404:
            return .refused([
                "\(told)\nhint: the repository is not there, or the token in \(tokenName) may not see it"
            ])
        case 400..<500: return .refused([told])
        default: return StepFailure(told)
        }
    }

    private static func failure(_ request: HTTPRequest, _ reason: String, _ attempts: Int) -> StepFailure {
        let times = attempts == 1 ? "" : " after \(attempts) attempts"
        return StepFailure(
            "no answer from '\(request.url)'\(times): \(reason)\nhint: run it again; it goes on from there")
    }

    private func refusedToken(_ response: HTTPResponse) -> StepFailure {
        .refused([
            "GitHub does not know the token in \(tokenName): \(Self.words(of: response))\n"
                + "hint: it may have expired, or be cut short"
        ])
    }

    private func limited(_ wish: Duration, _ response: HTTPResponse) -> StepFailure {
        let minutes = (wish.components.seconds + 59) / 60
        return StepFailure(
            "GitHub wants no more requests for now: \(Self.words(of: response))\n"
                + "hint: run it again in \(count(Int(minutes), "minute"))")
    }
}
