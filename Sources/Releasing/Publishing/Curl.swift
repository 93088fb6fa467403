import Files
import LaneRun
import Processes

/// Speaks HTTP through the `curl` executable. Everything is told to it on its standard input, so that no secret stands
/// among its arguments, where every user of the machine could read it.
struct Curl: Sendable {
    /// No answer came.
    struct NoAnswer: Error {
        let reason: String
        /// Whether it may be otherwise in a moment.
        let isPassing: Bool
    }

    enum Outcome {
        case answer(HTTPResponse)
        case nothing(NoAnswer)
    }

    let processes: any ProcessRunner
    let environment: [String: String]
    /// A folder of one's own for what goes in and out.
    let folder: String

    func send(_ request: HTTPRequest) throws(StepFailure) -> Outcome {
        let files = (body: "\(folder)/body", headers: "\(folder)/headers", output: request.output ?? "\(folder)/output")
        if case .bytes(let bytes) = request.body {
            try onFiles { () throws(FileError) in try writeFile(bytes, to: files.body, mode: 0o600) }
        }
        try onFiles { () throws(FileError) in
            try removeTree(files.headers)
            try removeTree(files.output)
        }
        let run = try call(configuration(of: request, files.body, files.headers, files.output))
        let status = Int(run.text) ?? 0
        // A server that refuses an upload may hang up before it is whole; what it said counts.
        guard run.report.succeeded ? status > 0 : status >= 400 else { return .nothing(Self.noAnswer(run)) }
        let headers = HTTPResponse.headers(in: (try? readText(files.headers)) ?? "")
        let body = request.output == nil ? (try? readFile(files.output)) ?? [] : []
        return .answer(HTTPResponse(status: status, headers: headers, body: body))
    }

    private func call(_ configuration: String) throws(StepFailure) -> CapturedRun {
        // First of all `--disable`: what a person has in `.curlrc` is not for us.
        let command = Command(
            "curl", ["--disable", "--config", "-"], environment: environment, directory: folder,
            input: .bytes(Array(configuration.utf8)))
        let run: CapturedRun
        do throws(SpawnError) {
            run = try processes.capture(command)
        } catch {
            throw StepFailure(
                error, neededFor: "curl is needed for publishing; 'lane doctor' says how to get it")
        }
        if run.report.stoppedBy != nil { throw StepFailure(of: "curl", run) }
        return run
    }

    private func configuration(of request: HTTPRequest, _ body: String, _ headers: String, _ output: String) -> String {
        // Nothing is decided by how long a whole upload takes, only by whether it moves.
        var lines = [
            "silent", "show-error", "globoff", "connect-timeout = 30", "speed-limit = 1", "speed-time = 60",
            "proto = \"=http,https\"", option("url", request.url), option("request", request.method),
            option("dump-header", headers), option("output", output), option("write-out", "%{response_code}"),
            // Otherwise curl waits a second for a permission that few servers give.
            option("header", "Expect:"),
        ]
        // A proxy reads what is not encrypted, the token among it.
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
        // By scalars: CR and LF together are one `Character`, and would go through as they are.
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

    /// What curl(1) lists as the exit statuses of a network that may work in a moment.
    private static let passing: Set<Int32> = [5, 6, 7, 16, 18, 28, 35, 52, 55, 56, 92]

    private static func noAnswer(_ run: CapturedRun) -> NoAnswer {
        let words = run.errorText.split(separator: "\n").last.map(String.init) ?? "curl: status \(run.report.status)"
        return NoAnswer(reason: words, isPassing: passing.contains(run.report.status))
    }
}
