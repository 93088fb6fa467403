/// How long a server wants to be left alone.
enum RateLimit {
    /// Whoever asks for more has made a mistake; in seconds, a year.
    private static let longest: Int64 = 31_536_000

    /// The time that an answer asks for, in whole seconds; `nil` when it is not about limits.
    ///
    /// Source: "Rate limits for the REST API" in GitHub's documentation. A secondary limit may come without a header.
    static func pause(asked response: HTTPResponse, now: Int64) -> Duration? {
        guard response.status == 403 || response.status == 429 else { return nil }
        if let seconds = response.header("retry-after").flatMap({ Int64($0) }) {
            return .seconds(min(max(0, seconds), longest))
        }
        if response.header("x-ratelimit-remaining") == "0",
            let reset = response.header("x-ratelimit-reset").flatMap({ Int64($0) })
        {
            // The other clock may be a little behind.
            return .seconds(min(max(reset, now) - now, longest) + 1)
        }
        let text = String(decoding: response.body, as: UTF8.self)
        let isSecondary = text.contains("secondary rate limit") || text.contains("abuse detection")
        return response.status == 429 || isSecondary ? .seconds(60) : nil
    }
}
