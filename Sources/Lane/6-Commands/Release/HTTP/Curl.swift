import OperatingSystem
import Text

/// An HTTP client that runs `curl`. Its configuration is passed on standard input, because all users of the machine can
/// read arguments, which would contain secrets.
struct Curl: Sendable {
    /// A request without an answer.
    struct NoAnswer: Error {
        let reason: String
        /// A Boolean value that indicates whether a retry may succeed.
        let isTemporary: Bool
    }

    let processes: any ProcessRunner
    let environment: [String: String]
    /// A private directory for requests and answers.
    let directory: String

    /// Sends a request.
    func send(_ request: HTTPRequest) throws(OperationFailure) -> Result<HTTPResponse, NoAnswer> {
        let files = try convertingFileErrors { () throws(FileError) in
            let files = try makeTemporaryDirectory(in: directory, prefix: "request")
            if case .bytes(let bytes) = request.body { try writeFile(bytes, to: "\(files)/body", mode: 0o600) }
            if let output = request.output { try removeTree(output) }
            return files
        }
        defer { try? removeTree(files) }
        let run = try call(configuration(of: request, in: files).joined(separator: "\n") + "\n")
        let status = run.text.split(separator: "\n").last.flatMap { Int($0) } ?? 0
        // A server may close the connection during an upload that it rejects. Its answer is used.
        guard run.report.succeeded ? status > 0 : status >= 400 else { return .failure(Self.noAnswer(run)) }
        let headers = HTTPResponse.headers(in: (try? readText("\(files)/headers")) ?? "")
        let body = request.output == nil ? (try? readFile("\(files)/output")) ?? [] : []
        return .success(HTTPResponse(status: status, headers: headers, body: body))
    }

    private func call(_ configuration: String) throws(OperationFailure) -> CapturedRun {
        // `--disable` must be first, so that the user's `.curlrc` is ignored.
        let command = Command(
            "curl", ["--disable", "--config", "-"], environment: environment, directory: directory,
            input: .bytes(Array(configuration.utf8)))
        let purpose = "curl is needed for releases; 'lane doctor' prints how to install it"
        let run = try convertingSpawnErrors(neededFor: purpose, of: processes.capture(command))
        if run.report.stoppedBy != nil { throw OperationFailure(of: "curl", run) }
        return run
    }

    private func configuration(of request: HTTPRequest, in files: String) -> [String] {
        // There is no limit for the time of an upload, only for a time without progress.
        var lines = [
            "silent", "show-error", "globoff", "connect-timeout = 30", "speed-limit = 1", "speed-time = 60",
            "proto = \"=http,https\"", option("url", request.url), option("dump-header", "\(files)/headers"),
            option("output", request.output ?? "\(files)/output"),
            option("write-out", "%{response_code}\n"),
            // Otherwise, curl waits a second for `100 Continue`, which few servers send.
            option("header", "Expect:"), option("request", request.method),
        ]
        if request.followsRedirects {
            let schemes = WebOrigin(request.url)?.scheme == "https" ? "=https" : "=http,https"
            lines += ["location", "max-redirs = 10", option("proto-redir", schemes)]
        }
        // A proxy could read an unencrypted token.
        if WebOrigin(request.url)?.scheme == "http" { lines.append(option("noproxy", "*")) }
        for (name, value) in request.headers { lines.append(option("header", "\(name): \(value)")) }
        switch request.body {
        case .none: break
        case .bytes: lines.append(option("data-binary", "@\(files)/body"))
        case .file(let path): lines.append(option("upload-file", path))
        }
        return lines
    }

    private func option(_ name: String, _ value: String) -> String {
        // Scalars, because CR LF is one `Character`, which would not be escaped.
        let escaped = value.unicodeScalars.map { scalar in
            switch scalar {
            case "\\", "\"": "\\\(scalar)"
            case "\n": "\\n"
            case "\r": "\\r"
            default: String(scalar)
            }
        }
        return "\(name) = \"\(escaped.joined())\""
    }

    /// The exit statuses of curl(1) for temporary network errors.
    private static let temporaryStatuses: Set<Int32> = [5, 6, 7, 16, 18, 28, 35, 52, 55, 56, 92]

    private static func noAnswer(_ run: CapturedRun) -> NoAnswer {
        let lines = run.errorText.split(separator: "\n")
        // Some errors are followed by general advice.
        let line = lines.last { $0.hasPrefix("curl: (") } ?? lines.last
        return NoAnswer(
            reason: line.map(String.init) ?? "curl: status \(run.report.status)",
            isTemporary: temporaryStatuses.contains(run.report.status))
    }
}

/// An HTTP request.
struct HTTPRequest: Sendable {
    enum Body: Sendable {
        case none
        case bytes([UInt8])
        /// The content of a file, which is streamed.
        case file(String)
    }

    /// The method, such as `PUT`.
    var method = "GET"
    var url: String
    /// The headers in order.
    var headers: [(name: String, value: String)] = []
    var body = Body.none
    /// The file for the body of the answer, or `nil` to return it.
    var output: String?
    /// A Boolean value that indicates whether redirects are followed. Never set it for a request with a token.
    var followsRedirects = false
}

/// An HTTP response.
struct HTTPResponse: Sendable {
    let status: Int
    /// The headers in order, with names in lowercase.
    let headers: [(name: String, value: String)]
    let body: [UInt8]

    /// A Boolean value that indicates whether the status is one from 200 to 299.
    var isSuccess: Bool { (200..<300).contains(status) }

    /// Returns the last header with a name in lowercase.
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

    /// The URL of the origin, without a port that is the default.
    var address: String {
        "\(scheme)://\(host)" + (port == (scheme == "https" ? "443" : "80") ? "" : ":\(port)")
    }

    /// A Boolean value that indicates whether secrets can be sent to the origin: it is encrypted or on this machine.
    var isSecure: Bool {
        scheme == "https" || (scheme == "http" && ["localhost", "127.0.0.1", "[::1]"].contains(host))
    }
}
