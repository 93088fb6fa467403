package import Processes

import Diagnostics

/// Why a step failed: the status to end with, and words for a person.
package struct StepFailure: Error, Sendable, Equatable {
    /// What kept the step from its end.
    package enum Cause: Sendable, Equatable {
        case failed
        case timedOut(after: Duration)
        case cancelled
    }

    /// What the run ends with when this is its first failure; 0 is taken for 1.
    package let status: Int32
    /// Lowercase, may be several lines; a hint, if any, is the last.
    package let message: String
    let cause: Cause

    package init(status: Int32 = 1, _ message: String, cause: Cause = .failed) {
        self.status = status
        self.message = message
        self.cause = cause
    }
}

extension StepFailure {
    /// A child that ended badly or was ended.
    package init(_ report: ExitReport) {
        switch (report.stoppedBy, report.termination) {
        case (.timeout, _): self.init(status: ExitStatus.timedOut.rawValue, "ran out of time")
        case (.cancelled, _): self.init(status: report.status, "cancelled", cause: .cancelled)
        case (nil, .exited(let status)): self.init(status: status, "exit status \(status)")
        case (nil, .signalled(let signal)): self.init(status: report.status, "ended by \(signalName(signal))")
        }
    }

    /// A child that could not be started.
    package init(_ error: SpawnError) {
        let status: ExitStatus =
            switch error {
            case .executableNotFound: .toolMissing
            case .directoryNotFound: .fileNotFound
            case .tooLong, .unfit, .failed: .failed
            }
        self.init(status: status.rawValue, error.description)
    }

    /// What was wrong in the lane file, with its places.
    init(_ diagnostics: Diagnostics) {
        let text = DiagnosticText().text(for: diagnostics)
        self.init(status: ExitStatus.refused.rawValue, String(text.drop { $0 == "\n" }.dropLast()))
    }
}
