/// An exit status of `lane`. The values are a stable interface for scripts.
package struct ExitStatus: RawRepresentable, Hashable, Sendable {
    /// The status, from 0 to 255. The system keeps only eight bits.
    package let rawValue: Int32

    package init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// Success.
    package static let done = ExitStatus(rawValue: 0)
    /// A step or test failed, and its own exit status is not passed through.
    package static let failed = ExitStatus(rawValue: 1)
    /// `lane test`: the package or its tests failed to build.
    package static let buildFailed = ExitStatus(rawValue: 3)
    /// `lane test`: no test ran, or no test matched.
    package static let nothingRan = ExitStatus(rawValue: 4)
    /// `lane test`: a test process crashed, exited early or was killed.
    package static let testCrashed = ExitStatus(rawValue: 5)
    /// The command line is invalid, and nothing ran.
    package static let usage = ExitStatus(rawValue: 64)
    /// A lane file is invalid, or a release was refused.
    package static let refused = ExitStatus(rawValue: 65)
    /// A file, directory or lane was not found.
    package static let fileNotFound = ExitStatus(rawValue: 66)
    /// A required program is not in the `PATH`.
    package static let toolMissing = ExitStatus(rawValue: 69)
    /// A bug in `lane` itself.
    package static let `internal` = ExitStatus(rawValue: 70)
    /// Output could not be written: disk full, read-only directory, closed output.
    package static let cannotWrite = ExitStatus(rawValue: 74)
    /// A timeout expired. `timeout(1)` uses the same status.
    package static let timedOut = ExitStatus(rawValue: 124)

    /// Returns the status that shells report for a process terminated by `signal`.
    package static func signalled(_ signal: Int32) -> ExitStatus {
        ExitStatus(rawValue: 128 + signal)
    }

    /// A Boolean value that indicates whether the process was terminated by SIGHUP, SIGINT, SIGQUIT or SIGTERM.
    package var isInterruption: Bool { [1, 2, 3, 15].contains(rawValue - 128) }

    /// The documented statuses, in the order of the help text.
    package static let documented: [(status: ExitStatus, meaning: String)] = [
        (done, "success"),
        (failed, "a step or a test failed (the exit status of a failed step is passed through)"),
        (buildFailed, "lane test: the build failed"),
        (nothingRan, "lane test: no test ran"),
        (testCrashed, "lane test: a test crashed or exited its process, or a sanitizer reported an error"),
        (usage, "the command line is invalid"),
        (refused, "a lane file is invalid, or a release was refused"),
        (fileNotFound, "a file or lane was not found"),
        (toolMissing, "a required tool is missing"),
        (`internal`, "an internal error"),
        (cannotWrite, "output could not be written"),
        (timedOut, "a timeout"),
        (signalled(0), "plus n: terminated by signal n"),
    ]
}
