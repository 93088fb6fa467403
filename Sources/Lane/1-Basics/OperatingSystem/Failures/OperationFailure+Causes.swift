import Text

extension OperationFailure: FileErrorConvertible {
    /// Creates the failure of a file operation.
    package init(_ error: FileError) {
        self.init(status: ExitStatus.cannotWrite.rawValue, error.message)
    }

    /// Creates the failure of a required program that could not be started.
    package init(_ error: SpawnError, neededFor purpose: String) {
        let failure = OperationFailure(error)
        guard case .executableNotFound = error else {
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
