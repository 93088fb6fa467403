package import OperatingSystem

/// An HTTP client that runs `curl`. Its configuration is passed on standard input, because all users of the machine can
/// read arguments, which would contain secrets.
package struct Curl: Sendable {
    /// A request without an answer.
    struct NoAnswer: Error {
        let reason: String
        /// A Boolean value that indicates whether a retry may succeed.
        let isTemporary: Bool
    }

    /// The result of a request.
    enum Outcome: Sendable {
        case answer(HTTPResponse)
        case nothing(NoAnswer)
    }

    private let processes: any ProcessRunner
    private let environment: [String: String]
    /// A private directory for requests and answers.
    let directory: String

    package init(processes: any ProcessRunner, environment: [String: String], directory: String) {
        (self.processes, self.environment, self.directory) = (processes, environment, directory)
    }

    /// Sends a request.
    func send(_ request: HTTPRequest) throws(OperationFailure) -> Outcome {
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
        guard run.report.succeeded ? status > 0 : status >= 400 else { return .nothing(Self.noAnswer(run)) }
        let headers = HTTPResponse.headers(in: (try? readText("\(files)/headers")) ?? "")
        let body = request.output == nil ? (try? readFile("\(files)/output")) ?? [] : []
        return .answer(HTTPResponse(status: status, headers: headers, body: body))
    }

    private func call(_ configuration: String) throws(OperationFailure) -> CapturedRun {
        // `--disable` must be first, so that the user's `.curlrc` is ignored.
        let command = Command(
            "curl", ["--disable", "--config", "-"], environment: environment, directory: directory,
            input: .bytes(Array(configuration.utf8)))
        let purpose = "curl is needed for releases; 'lane doctor' prints how to install it"
        let run = try convertingSpawnErrors(neededFor: purpose) { () throws(SpawnError) in
            try processes.capture(command)
        }
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
