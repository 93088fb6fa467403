/// What is asked of a server.
struct HTTPRequest: Sendable, Equatable {
    enum Body: Sendable, Equatable {
        case none
        case bytes([UInt8])
        /// The content of a file, streamed.
        case file(String)
    }

    var method = "GET"
    var url: String
    var headers: [(name: String, value: String)] = []
    var body = Body.none
    /// Where the answer's body goes; `nil` keeps it in memory.
    var output: String?

    static func == (one: HTTPRequest, other: HTTPRequest) -> Bool {
        one.method == other.method && one.url == other.url && one.body == other.body && one.output == other.output
            && one.headers.elementsEqual(other.headers, by: ==)
    }
}

/// What a server answered.
struct HTTPResponse: Sendable {
    let status: Int
    /// In the order of the answer, names in lowercase.
    let headers: [(name: String, value: String)]
    let body: [UInt8]

    var isSuccess: Bool { (200..<300).contains(status) }

    func header(_ name: String) -> String? { headers.last { $0.name == name }?.value }

    /// The address behind `rel="next"` in the `Link` header (RFC 8288).
    var nextPage: String? {
        for link in (header("link") ?? "").split(separator: ",") where link.contains("rel=\"next\"") {
            guard let open = link.firstIndex(of: "<"), let close = link.firstIndex(of: ">"), open < close else {
                continue
            }
            return String(link[link.index(after: open)..<close])
        }
        return nil
    }

    /// Reads the last of the header blocks that curl wrote down: before it may stand those of proxies, and of `100`.
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

/// The part of an address that says to whom one speaks.
struct WebOrigin: Equatable {
    let scheme: String
    /// Lowercase, without the port.
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

    /// Whether a secret may travel there: encrypted, or never leaving this machine.
    var keepsSecrets: Bool {
        scheme == "https" || (scheme == "http" && ["localhost", "127.0.0.1", "[::1]"].contains(host))
    }
}
