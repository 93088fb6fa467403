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
    /// The file for the body of the answer, or `nil` to return it.
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

    /// Parses the last header block in the output of curl. Those of proxies and of `100 Continue` precede it.
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
