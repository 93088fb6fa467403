/// How `lane` ends, as a number that scripts may rely on.
package struct ExitStatus: RawRepresentable, Hashable, Sendable {
    /// From 0 to 255: the system keeps eight bits of it.
    package let rawValue: Int32

    package init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// All that was asked for.
    package static let done = ExitStatus(rawValue: 0)
    /// A step or a test failed and gave no status of its own.
    package static let failed = ExitStatus(rawValue: 1)
    /// `lane test`: the package or its tests did not build.
    package static let buildFailed = ExitStatus(rawValue: 3)
    /// `lane test`: no test ran, or no test matched.
    package static let nothingRan = ExitStatus(rawValue: 4)
    /// `lane test`: a test process crashed, ended early or was killed.
    package static let testCrashed = ExitStatus(rawValue: 5)
    /// The command line is wrong, and nothing was begun.
    package static let usage = ExitStatus(rawValue: 64)
    /// A bad lane file, or a release that was refused.
    package static let refused = ExitStatus(rawValue: 65)
    /// There is no such file, folder or lane.
    package static let fileNotFound = ExitStatus(rawValue: 66)
    /// A program that is needed is not in the `PATH`.
    package static let toolMissing = ExitStatus(rawValue: 69)
    /// A fault of `lane` itself.
    package static let `internal` = ExitStatus(rawValue: 70)
    /// What was asked for could not be written: disk full, read-only directory, closed output.
    package static let cannotWrite = ExitStatus(rawValue: 74)
    /// A time was over, as `timeout` has it.
    package static let timedOut = ExitStatus(rawValue: 124)

    /// The status that shells give to a process ended by a signal.
    package static func signalled(_ signal: Int32) -> ExitStatus {
        ExitStatus(rawValue: 128 + signal)
    }

    /// Whether HUP, INT, QUIT or TERM ended it, by which a person or the system asks a run to end.
    package var isInterruption: Bool { [1, 2, 3, 15].contains(rawValue - 128) }

    /// The documented statuses in the order in which `--help` lists them.
    package static let documented: [(status: ExitStatus, meaning: String)] = [
        (done, "done"),
        (failed, "a step or a test failed (a failing step's own status passes through)"),
        (buildFailed, "lane test: the build failed"),
        (nothingRan, "lane test: no test ran"),
        (testCrashed, "lane test: a test crashed or ended its process, or a sanitizer found a fault"),
        (usage, "the command line is wrong"),
        (refused, "a lane file is wrong, or a release was refused"),
        (fileNotFound, "a file or lane was not found"),
        (toolMissing, "a tool that is needed is missing"),
        (`internal`, "an internal error"),
        (cannotWrite, "output could not be written"),
        (timedOut, "a timeout"),
        (signalled(0), "plus n: ended by signal n"),
    ]
}
