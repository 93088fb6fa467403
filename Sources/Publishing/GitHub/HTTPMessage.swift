import Text

/// An HTTP request.
struct HTTPRequest: Sendable, Equatable {
    enum Body: Sendable, Equatable {
        case none
        case bytes([UInt8])
        /// The content of a file, which is streamed.
        case file(String)
    }

    var method = "GET"
    var url: String
    var headers: [(name: String, value: String)] = []
    var body = Body.none
    /// The path of a file for the response's body, or `nil` to return the body.
    var output: String?

    static func == (one: HTTPRequest, other: HTTPRequest) -> Bool {
        one.method == other.method && one.url == other.url && one.body == other.body && one.output == other.output
            && one.headers.elementsEqual(other.headers, by: ==)
    }
}

/// An HTTP response.
struct HTTPResponse: Sendable {
    let status: Int
    /// The headers in order, with names in lowercase.
    let headers: [(name: String, value: String)]
    let body: [UInt8]

    var isSuccess: Bool { (200..<300).contains(status) }

    func header(_ name: String) -> String? { headers.last { $0.name == name }?.value }

    /// The URL with `rel="next"` in the `Link` header (RFC 8288).
    var nextPage: String? {
        for link in (header("link") ?? "").split(separator: ",") where link.contains("rel=\"next\"") {
            guard let open = link.firstIndex(of: "<"), let close = link.firstIndex(of: ">"), open < close else {
                continue
            }
            return String(link[link.index(after: open)..<close])
        }
        return nil
    }

    /// Parses the last header block in the output of curl. Earlier blocks are those of proxies and of `100 Continue`.
    static func headers(in text: String) -> [(name: String, value: String)] {
        var headers: [(name: String, value: String)] = []
        for line in text.split(whereSeparator: \.isNewline) {
            if line.hasPrefix("HTTP/") {
                headers = []
            } else if let colon = line.firstIndex(of: ":") {
                let value = line[line.index(after: colon)...].drop(while: \.isWhitespace)
                headers.append((line[..<colon].lowercased(), String(value)))
            }
        }
        return headers
    }
}

/// The origin of a URL: scheme, host and port.
struct WebOrigin: Equatable {
    let scheme: String
    /// The host in lowercase, without the port.
    let host: String
    let port: String

    init?(_ url: String) {
        guard let mark = url.range(of: "://") else { return nil }
        scheme = url[..<mark.lowerBound].lowercased()
        var authority = url[mark.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        if let at = authority.lastIndex(of: "@") { authority = authority[authority.index(after: at)...] }
        let colon = authority.hasSuffix("]") ? nil : authority.lastIndex(of: ":")
        host = authority[..<(colon ?? authority.endIndex)].lowercased()
        port = colon.map { String(authority[authority.index(after: $0)...]) } ?? (scheme == "https" ? "443" : "80")
        guard !host.isEmpty else { return nil }
    }

    /// A Boolean value that indicates whether secrets can be sent to the origin, because it is encrypted or on this
    /// machine.
    var isSecure: Bool {
        scheme == "https" || (scheme == "http" && ["localhost", "127.0.0.1", "[::1]"].contains(host))
    }
}

/// The rate limit of a server.
enum RateLimit {
    /// The maximum pause in seconds: one year.
    private static let longest: Int64 = 31_536_000

    /// Returns the pause that a response requests, in whole seconds, or `nil` if the response is not about a rate
    /// limit.
    ///
    /// Source: "Rate limits for the REST API" in GitHub's documentation. Responses to secondary limits may have no
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
