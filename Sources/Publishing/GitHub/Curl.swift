import Files
import LaneRun
import Processes

/// An HTTP client that runs `curl`. All users of the machine can read arguments, so the configuration with its secrets
/// is passed on standard input.
struct Curl: Sendable {
    /// The error of a request without an answer.
    struct NoAnswer: Error {
        let reason: String
        /// A Boolean value that indicates whether a retry may succeed.
        let isTemporary: Bool
    }

    enum Outcome {
        case answer(HTTPResponse)
        case nothing(NoAnswer)
    }

    let processes: any ProcessRunner
    let environment: [String: String]
    /// A private directory for the bodies of requests and answers.
    let directory: String

    func send(_ request: HTTPRequest) throws(StepFailure) -> Outcome {
        let files = (
            body: "\(directory)/body", headers: "\(directory)/headers", output: request.output ?? "\(directory)/output"
        )
        if case .bytes(let bytes) = request.body {
            try onFiles { () throws(FileError) in try writeFile(bytes, to: files.body, mode: 0o600) }
        }
        try onFiles { () throws(FileError) in
            try removeTree(files.headers)
            try removeTree(files.output)
        }
        let run = try call(configuration(of: request, files.body, files.headers, files.output))
        let status = Int(run.text) ?? 0
        // A server may reject an upload by an answer and close the connection, which is an error for curl.
        guard run.report.succeeded ? status > 0 : status >= 400 else { return .nothing(Self.noAnswer(run)) }
        let headers = HTTPResponse.headers(in: (try? readText(files.headers)) ?? "")
        let body = request.output == nil ? (try? readFile(files.output)) ?? [] : []
        return .answer(HTTPResponse(status: status, headers: headers, body: body))
    }

    private func call(_ configuration: String) throws(StepFailure) -> CapturedRun {
        // `--disable` must be first, so that the user's `.curlrc` is ignored.
        let command = Command(
            "curl", ["--disable", "--config", "-"], environment: environment, directory: directory,
            input: .bytes(Array(configuration.utf8)))
        let run: CapturedRun
        do throws(SpawnError) {
            run = try processes.capture(command)
        } catch {
            throw StepFailure(
                error, neededFor: "curl is needed for publishing; 'lane doctor' prints how to install it")
        }
        if run.report.stoppedBy != nil { throw StepFailure(of: "curl", run) }
        return run
    }

    private func configuration(of request: HTTPRequest, _ body: String, _ headers: String, _ output: String) -> String {
        // An upload may take any time, but not without progress.
        var lines = [
            "silent", "show-error", "globoff", "connect-timeout = 30", "speed-limit = 1", "speed-time = 60",
            "proto = \"=http,https\"", option("url", request.url), option("request", request.method),
            option("dump-header", headers), option("output", output), option("write-out", "%{response_code}"),
            // Otherwise, curl waits a second for `100 Continue`, which few servers send.
            option("header", "Expect:"),
        ]
        // An unencrypted token must not pass through a proxy.
        if WebOrigin(request.url)?.scheme == "http" { lines.append(option("noproxy", "*")) }
        for (name, value) in request.headers { lines.append(option("header", "\(name): \(value)")) }
        switch request.body {
        case .none: break
        case .bytes: lines.append(option("data-binary", "@\(body)"))
        case .file(let path): lines.append(option("upload-file", path))
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func option(_ name: String, _ value: String) -> String {
        // CR LF is one `Character`, so the escapes are per scalar.
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
    private static let temporaryErrors: Set<Int32> = [5, 6, 7, 16, 18, 28, 35, 52, 55, 56, 92]

    private static func noAnswer(_ run: CapturedRun) -> NoAnswer {
        let words = run.errorText.split(separator: "\n").last.map(String.init) ?? "curl: status \(run.report.status)"
        return NoAnswer(reason: words, isTemporary: temporaryErrors.contains(run.report.status))
    }
}
