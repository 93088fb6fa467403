import Text

/// An HTTP request.
package struct HTTPRequest: Sendable {
    package enum Body: Sendable {
        case none
        case bytes([UInt8])
        /// The content of a file, which is streamed.
        case file(String)
    }

    /// The method, such as `PUT`.
    package var method = "GET"
    package var url: String
    /// The headers in order.
    package var headers: [(name: String, value: String)] = []
    package var body = Body.none
    /// The file for the body of the answer, or `nil` to return it.
    package var output: String?
    /// A Boolean value that indicates whether redirects are followed. Never set it for a request with a token.
    package var followsRedirects = false
}

/// An HTTP response.
package struct HTTPResponse: Sendable {
    package let status: Int
    /// The headers in order, with names in lowercase.
    package let headers: [(name: String, value: String)]
    package let body: [UInt8]

    package init(status: Int, headers: [(name: String, value: String)], body: [UInt8]) {
        (self.status, self.headers, self.body) = (status, headers, body)
    }

    /// A Boolean value that indicates whether the status is one from 200 to 299.
    package var isSuccess: Bool { (200..<300).contains(status) }

    /// Returns the last header with a name in lowercase.
    package func header(_ name: String) -> String? { headers.last { $0.name == name }?.value }

    /// The URL with `rel="next"` in the `Link` header (RFC 8288).
    package var nextPage: String? {
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
package struct WebOrigin: Equatable {
    package let scheme: String
    /// The host in lowercase, without the port.
    package let host: String
    package let port: String

    package init?(_ url: String) {
        guard let mark = url.range(of: "://") else { return nil }
        scheme = url[..<mark.lowerBound].lowercased()
        var authority = url[mark.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        if let at = authority.lastIndex(of: "@") { authority = authority[authority.index(after: at)...] }
        let colon = authority.hasSuffix("]") ? nil : authority.lastIndex(of: ":")
        host = authority[..<(colon ?? authority.endIndex)].lowercased()
        port = colon.map { String(authority[authority.index(after: $0)...]) } ?? (scheme == "https" ? "443" : "80")
        guard !host.isEmpty else { return nil }
    }

    /// A Boolean value that indicates whether secrets can be sent to the origin: it is encrypted or on this machine.
    package var isSecure: Bool {
        scheme == "https" || (scheme == "http" && ["localhost", "127.0.0.1", "[::1]"].contains(host))
    }
}
