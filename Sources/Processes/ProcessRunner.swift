/// Runs one child at a time to its end, in its own process group, and leaves nothing of it behind.
///
/// Calls block their thread; call from several threads to run several children. The live one is `ChildRunner`; tests
/// script their own.
package protocol ProcessRunner: Sendable {
    /// Runs `command` until its leader ends, or `limits` stop it. `output` gets bytes as they come, in this thread.
    ///
    /// A child that fails is not an error: its ending is the result. Throws when it could not be started.
    func run(
        _ command: Command, limits: RunLimits, output: (OutputSource, UnsafeRawBufferPointer) -> Void
    ) throws(SpawnError) -> ExitReport
}

/// The stream on which a child printed.
package enum OutputSource: Sendable, Equatable {
    case standardOutput, standardError
}

/// What may end a child before its own end.
package struct RunLimits: Sendable {
    /// Counted from the start of the child.
    package var timeout: Duration?
    /// How long it gets between TERM and KILL.
    package var grace: Duration
    /// Ends the child as a timeout does when somebody cancels it; `nil` leaves it alone.
    package var cancellation: Cancellation?

    package init(timeout: Duration? = nil, grace: Duration = .seconds(5), cancellation: Cancellation? = nil) {
        self.timeout = timeout
        self.grace = grace
        self.cancellation = cancellation
    }
}

/// How a child ended.
package struct ExitReport: Sendable, Equatable {
    /// How the system tells the end of a process.
    package enum Termination: Sendable, Equatable {
        case exited(Int32)
        case signalled(Int32)
    }

    /// Why a child was ended from outside.
    package enum Stop: Sendable, Equatable {
        case timeout, cancelled
    }

    /// What the system says, also of a child that was ended from outside.
    package let termination: Termination
    /// Why it was ended from outside; `nil` when it ended by itself.
    package let stoppedBy: Stop?
    /// From its start until nothing of it was left.
    package let duration: Duration
    /// Descendants that outlived it and were ended after it; without those that may be of a neighbour.
    package let strays: Int

    package init(termination: Termination, stoppedBy: Stop? = nil, duration: Duration, strays: Int = 0) {
        self.termination = termination
        self.stoppedBy = stoppedBy
        self.duration = duration
        self.strays = strays
    }

    /// By itself and with status 0.
    package var succeeded: Bool { termination == .exited(0) && stoppedBy == nil }

    /// The status a shell would give it: its own, or 128 and the signal.
    package var status: Int32 {
        switch termination {
        case .exited(let status): status
        case .signalled(let signal): 128 + signal
        }
    }
}

/// Why a child could not be started.
package enum SpawnError: Error, Sendable, Equatable {
    case executableNotFound(String, searched: String)
    case directoryNotFound(String)
    case tooLong(String, Oversize)
    case unfit(String, Unfit)
    case failed(String, errno: Int32)
}

/// A child's whole output, for short commands.
package struct CapturedRun: Sendable, Equatable {
    /// How the child ended, which is not looked at: whoever needs a good end asks `succeeded`.
    package let report: ExitReport
    /// As printed, whatever the encoding.
    package let standardOutput: [UInt8]
    /// As printed, whatever the encoding.
    package let standardError: [UInt8]

    package init(report: ExitReport, standardOutput: [UInt8], standardError: [UInt8]) {
        self.report = report
        self.standardOutput = standardOutput
        self.standardError = standardError
    }

    /// What stands in standard output, repaired where it is not UTF-8.
    package var text: String { String(decoding: standardOutput, as: UTF8.self) }
    /// What stands in standard error, repaired where it is not UTF-8.
    package var errorText: String { String(decoding: standardError, as: UTF8.self) }
}

extension ProcessRunner {
    /// Runs a command and keeps all that it prints.
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
