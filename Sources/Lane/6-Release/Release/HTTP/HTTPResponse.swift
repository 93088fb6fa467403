import Text

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
