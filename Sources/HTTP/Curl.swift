package import Files
package import Processes

/// An HTTP client that runs `curl`. Its configuration is passed on standard input, because all users of the machine can
/// read arguments, which would contain secrets.
package struct Curl: Sendable {
    /// A request without an answer.
    package struct NoAnswer: Error {
        package let reason: String
        /// A Boolean value that indicates whether a retry may succeed.
        package let isTemporary: Bool

        package init(reason: String, isTemporary: Bool) {
            (self.reason, self.isTemporary) = (reason, isTemporary)
        }
    }

    /// The result of a request.
    package enum Outcome: Sendable {
        case answer(HTTPResponse)
        case nothing(NoAnswer)
    }

    let processes: any ProcessRunner
    let environment: [String: String]
    /// A private directory for requests and answers.
    package let directory: String

    package init(processes: any ProcessRunner, environment: [String: String], directory: String) {
        (self.processes, self.environment, self.directory) = (processes, environment, directory)
    }

    /// Sends a request.
    package func send(_ request: HTTPRequest) throws(CurlError) -> Outcome {
        try send([request]).first ?? .nothing(NoAnswer(reason: "curl sent nothing", isTemporary: false))
    }

    /// Sends requests in one process: one after another, until one has no answer, or several at once.
    package func send(_ requests: [HTTPRequest], atOnce: Bool = false) throws(CurlError) -> [Outcome] {
        let files: String
        do throws(FileError) {
            files = try makeTemporaryDirectory(in: directory, prefix: "request")
        } catch {
            throw .file(error)
        }
        defer { try? removeTree(files) }
        var lines = atOnce && requests.count > 1 ? ["parallel", "parallel-max = 16"] : []
        // The first error ends the process, so that a server that is gone is not tried for each request.
        if requests.count > 1 { lines.append("fail-early") }
        for (index, request) in requests.enumerated() {
            if index > 0 { lines.append("next") }
            do throws(FileError) {
                if case .bytes(let bytes) = request.body {
                    try writeFile(bytes, to: "\(files)/body\(index)", mode: 0o600)
                }
                if let output = request.output { try removeTree(output) }
            } catch {
                throw .file(error)
            }
            lines += configuration(of: request, index, in: files)
        }
        let run = try call(lines.joined(separator: "\n") + "\n")
        let results = Self.results(of: run)
        return requests.enumerated().map { index, request in
            let (status, exit) = results[index] ?? (0, run.report.status)
            // A server may close the connection during an upload that it rejects. Its answer is used.
            guard exit == 0 ? status > 0 : status >= 400 else { return .nothing(Self.noAnswer(run)) }
            let headers = HTTPResponse.headers(in: (try? readText("\(files)/headers\(index)")) ?? "")
            let body = request.output == nil ? (try? readFile("\(files)/output\(index)")) ?? [] : []
            return .answer(HTTPResponse(status: status, headers: headers, body: body))
        }
    }

    /// Returns the HTTP status and the exit status of each request. curl before 7.75 has only that of the process.
    private static func results(of run: CapturedRun) -> [Int: (status: Int, exit: Int32)] {
        let lines = run.text.split(separator: "\n").map { $0.split(separator: " ").compactMap { Int32($0) } }
        return Dictionary(
            lines.filter { $0.count > 1 }.map { numbers in
                (Int(numbers[0]), (Int(numbers[1]), numbers.count > 2 ? numbers[2] : run.report.status))
            }, uniquingKeysWith: { $1 })
    }

    private func call(_ configuration: String) throws(CurlError) -> CapturedRun {
        // `--disable` must be first, so that the user's `.curlrc` is ignored.
        let command = Command(
            "curl", ["--disable", "--config", "-"], environment: environment, directory: directory,
            input: .bytes(Array(configuration.utf8)))
        let run: CapturedRun
        do throws(SpawnError) {
            run = try processes.capture(command)
        } catch {
            throw .start(error)
        }
        if run.report.stoppedBy != nil { throw .stopped(run) }
        return run
    }

    private func configuration(of request: HTTPRequest, _ index: Int, in files: String) -> [String] {
        // There is no limit for the time of an upload, only for a time without progress.
        var lines = [
            "silent", "show-error", "globoff", "connect-timeout = 30", "speed-limit = 1", "speed-time = 60",
            "proto = \"=http,https\"", option("url", request.url), option("dump-header", "\(files)/headers\(index)"),
            option("output", request.output ?? "\(files)/output\(index)"),
            option("write-out", "\(index) %{response_code} %{exitcode}\n"),
            // Otherwise, curl waits a second for `100 Continue`, which few servers send.
            option("header", "Expect:"),
        ]
        // With `request`, curl would wait for the body of an answer to HEAD.
        lines.append(request.method == "HEAD" ? "head" : option("request", request.method))
        // A proxy could read an unencrypted token.
        if WebOrigin(request.url)?.scheme == "http" { lines.append(option("noproxy", "*")) }
        for (name, value) in request.headers { lines.append(option("header", "\(name): \(value)")) }
        switch request.body {
        case .none: break
        case .bytes: lines.append(option("data-binary", "@\(files)/body\(index)"))
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

/// An error that prevents a request.
package enum CurlError: Error {
    case file(FileError)
    /// The program could not be started.
    case start(SpawnError)
    /// The run was cancelled.
    case stopped(CapturedRun)
}
