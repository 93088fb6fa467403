import Text

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
