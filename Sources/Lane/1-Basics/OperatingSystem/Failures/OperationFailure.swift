package import Text

/// The failure of an operation: an exit status and a message for the user.
package struct OperationFailure: Error, Sendable, Equatable {
    /// The kind of failure.
    package enum Cause: Sendable, Equatable {
        case failed
        case timedOut(after: Duration)
        case cancelled
    }

    /// The exit status of a run whose first failure this is. 0 counts as 1.
    package let status: Int32
    /// One or more lines in lowercase. The last line may be a hint.
    package let message: String
    package let cause: Cause

    package init(status: Int32 = 1, _ message: String, cause: Cause = .failed) {
        self.status = status
        self.message = message
        self.cause = cause
    }
}

extension OperationFailure {
    /// Creates the failure of a child process that failed or was stopped.
    package init(_ report: ExitReport) {
        switch (report.stoppedBy, report.termination) {
        case (.timeout, _): self.init(status: ExitStatus.timedOut.rawValue, "timed out")
        case (.cancelled, _): self.init(status: report.status, "cancelled", cause: .cancelled)
        case (nil, .exited(let status)): self.init(status: status, "exit status \(status)")
        case (nil, .signalled(let signal)): self.init(status: report.status, "ended by \(signalName(signal))")
        }
    }

    /// Creates the failure of a child process that could not be started.
    package init(_ error: SpawnError) {
        let status: ExitStatus =
            switch error {
            case .executableNotFound(let name, _): name.utf8.contains(UInt8(ascii: "/")) ? .fileNotFound : .toolMissing
            case .directoryNotFound: .fileNotFound
            case .tooLong, .cannotExecute, .failed: .failed
            }
        self.init(status: status.rawValue, error.description)
    }

    /// Creates a failure from errors in a lane file, with their locations.
    package init(_ diagnostics: Diagnostics) {
        let text = DiagnosticText().text(for: diagnostics)
        self.init(status: ExitStatus.refused.rawValue, String(text.drop { $0 == "\n" }.dropLast()))
    }

    /// Returns a failure that lists the problems because of which an operation did not begin.
    package static func refused(_ problems: [String]) -> OperationFailure {
        OperationFailure(status: ExitStatus.refused.rawValue, problems.count == 1 ? problems[0] : list(of: problems))
    }

    private static func list(of problems: [String]) -> String {
        let items = problems.map { "- " + $0.split(separator: "\n").joined(separator: "\n  ") }
        return (["\(count(problems.count, "problem"))"] + items).joined(separator: "\n")
    }

    /// The status, with 1 in place of 0.
    package var nonzeroStatus: Int32 { status == 0 ? ExitStatus.failed.rawValue : status }

    /// The first line of the message, or the cause if it is more specific.
    package var shortReason: String {
        switch cause {
        case .timedOut: "timed out"
        case .cancelled: "cancelled"
        case .failed: message.split(separator: "\n", maxSplits: 1).first.map(String.init) ?? "status \(status)"
        }
    }
}

extension OperationFailure: FileErrorConvertible {
    /// Creates the failure of a file operation.
    package init(_ error: FileError) {
        self.init(status: ExitStatus.cannotWrite.rawValue, error.message)
    }

    /// Creates the failure of a program that could not be started, with its purpose if it is not installed.
    fileprivate init(_ error: SpawnError, neededFor purpose: String?) {
        let failure = OperationFailure(error)
        guard case .executableNotFound = error, let purpose else {
            self = failure
            return
        }
        // The hint is the last line.
        let lines = failure.message.split(separator: "\n", maxSplits: 1).map(String.init)
        self.init(status: failure.status, (lines.prefix(1) + [purpose] + lines.dropFirst()).joined(separator: "\n"))
    }

    /// Creates the failure of a command, with its output.
    package init(of command: String, _ run: CapturedRun) {
        switch run.report.stoppedBy {
        case .timeout:
            self.init(
                status: ExitStatus.timedOut.rawValue, "\(command) timed out",
                cause: .timedOut(after: run.report.duration))
        case .cancelled: self.init(status: run.report.status, "\(command) was stopped", cause: .cancelled)
        case nil:
            var words = run.errorText.isEmpty ? run.text : run.errorText
            while words.last?.isWhitespace == true { words.removeLast() }
            self.init("\(command) failed: \(words.isEmpty ? "status \(run.report.status)" : words)")
        }
    }
}

/// An error that can stand for the error of a file operation.
package protocol FileErrorConvertible: Error {
    init(_ error: FileError)
}

/// Runs a file operation and converts its error.
package func convertingFileErrors<Result, Failure: FileErrorConvertible>(
    to failure: Failure.Type = OperationFailure.self, _ body: () throws(FileError) -> Result
) throws(Failure) -> Result {
    do throws(FileError) { return try body() } catch { throw Failure(error) }
}

/// Evaluates an expression with a file operation and converts its error.
package func convertingFileErrors<Result, Failure: FileErrorConvertible>(
    to failure: Failure.Type = OperationFailure.self, of operation: @autoclosure () throws(FileError) -> Result
) throws(Failure) -> Result {
    try convertingFileErrors(to: failure, operation)
}

/// Runs a program and converts the error if it could not be started.
///
/// - Parameter purpose: A line for the message that the program is not installed.
package func convertingSpawnErrors<Result>(
    neededFor purpose: String? = nil, _ body: () throws(SpawnError) -> Result
) throws(OperationFailure) -> Result {
    do throws(SpawnError) { return try body() } catch { throw OperationFailure(error, neededFor: purpose) }
}

/// Evaluates an expression that runs a program, and converts the error if it could not be started.
///
/// - Parameter purpose: A line for the message that the program is not installed.
package func convertingSpawnErrors<Result>(
    neededFor purpose: String? = nil, of operation: @autoclosure () throws(SpawnError) -> Result
) throws(OperationFailure) -> Result {
    try convertingSpawnErrors(neededFor: purpose, operation)
}
