/// A type that runs a child process in its own process group, and ends all its descendants.
///
/// Calls block their thread, so concurrent children need several threads. `ChildRunner` runs real processes. Tests use
/// scripted runners.
package protocol ProcessRunner: Sendable {
    /// Runs a command until its leader ends or a limit stops it.
    ///
    /// Calls `output` with bytes as they are read, on the calling thread. The failure of a child is part of the result.
    /// Throws a `SpawnError` if the child could not be started.
    func run(
        _ command: Command, limits: RunLimits, output: (OutputSource, UnsafeRawBufferPointer) -> Void
    ) throws(SpawnError) -> ExitReport
}

/// The stream of a child's output.
package enum OutputSource: Sendable, Equatable {
    case standardOutput, standardError
}

/// The conditions that end a child early.
package struct RunLimits: Sendable {
    /// The maximum running time of the child.
    package var timeout: Duration?
    /// The time from the first signal to SIGKILL; 5 seconds by default.
    package var grace: Duration?
    /// A cancellation that ends the child.
    package var cancellation: Cancellation?
    /// A closure that is called with the ID of the child when it has started.
    package var started: (@Sendable (Int32) -> Void)?
    /// A closure that is called before the child is ended because of `timeout`.
    package var willTimeOut: (@Sendable () -> Void)?

    package init(timeout: Duration? = nil, grace: Duration? = nil, cancellation: Cancellation? = nil) {
        self.timeout = timeout
        self.grace = grace
        self.cancellation = cancellation
    }
}

/// The result of a child process.
package struct ExitReport: Sendable, Equatable {
    /// The exit status or signal of a process.
    package enum Termination: Sendable, Equatable {
        case exited(Int32)
        case signalled(Int32)
    }

    /// The reason why `lane` ended a child.
    package enum Stop: Sendable, Equatable {
        case timeout, cancelled
    }

    /// The exit status or signal, even if `lane` ended the child.
    package let termination: Termination
    /// The reason why `lane` ended the child, or `nil` if it ended by itself.
    package let stoppedBy: Stop?
    /// The time from the start to the end of all descendants.
    let duration: Duration
    /// The descendants that outlived the child and were ended, without processes that may belong to a sibling.
    package let leakedProcesses: [ObservedProcess]

    package init(
        termination: Termination, stoppedBy: Stop? = nil, duration: Duration, leakedProcesses: [ObservedProcess] = []
    ) {
        self.termination = termination
        self.stoppedBy = stoppedBy
        self.duration = duration
        self.leakedProcesses = leakedProcesses
    }

    /// A Boolean value that indicates whether the child ended by itself with status 0.
    package var succeeded: Bool { termination == .exited(0) && stoppedBy == nil }

    /// The exit status as in a shell: the status of the process, or 128 plus the number of the signal.
    package var status: Int32 {
        switch termination {
        case .exited(let status): status
        case .signalled(let signal): 128 + signal
        }
    }
}

/// The result and the complete output of a child.
package struct CapturedRun: Sendable, Equatable {
    /// The result of the child, which the caller checks.
    package let report: ExitReport
    /// The bytes of standard output.
    package let standardOutput: [UInt8]
    /// The bytes of standard error.
    package let standardError: [UInt8]

    package init(report: ExitReport, standardOutput: [UInt8], standardError: [UInt8]) {
        self.report = report
        self.standardOutput = standardOutput
        self.standardError = standardError
    }

    /// Standard output as text, with U+FFFD in place of invalid UTF-8.
    package var text: String { String(decoding: standardOutput, as: UTF8.self) }
    /// Standard error as text, with U+FFFD in place of invalid UTF-8.
    package var errorText: String { String(decoding: standardError, as: UTF8.self) }
}

extension ProcessRunner {
    /// Runs a command and returns its result and output.
    package func capture(_ command: Command, limits: RunLimits = RunLimits()) throws(SpawnError) -> CapturedRun {
        var standardOutput: [UInt8] = []
        var standardError: [UInt8] = []
        let report = try run(command, limits: limits) { source, bytes in
            switch source {
            case .standardOutput: standardOutput.append(contentsOf: bytes)
            case .standardError: standardError.append(contentsOf: bytes)
            }
        }
        return CapturedRun(report: report, standardOutput: standardOutput, standardError: standardError)
    }
}
