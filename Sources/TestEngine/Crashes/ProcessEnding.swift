import Processes

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// How a process ended, in the words of a report: `signal 4 (SIGILL)`, `exit status 3`.
struct ProcessEnding: CustomStringConvertible {
    let description: String

    init(_ report: ExitReport) {
        switch report.termination {
        case .exited(let status): description = "exit status \(status)"
        case .signalled(let signal):
            description = Self.names[signal].map { "signal \(signal) (\($0))" } ?? "signal \(signal)"
        }
    }

    private static let names: [Int32: String] = [
        SIGHUP: "SIGHUP", SIGINT: "SIGINT", SIGQUIT: "SIGQUIT", SIGILL: "SIGILL", SIGTRAP: "SIGTRAP",
        SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE", SIGKILL: "SIGKILL", SIGSEGV: "SIGSEGV",
        SIGPIPE: "SIGPIPE", SIGALRM: "SIGALRM", SIGTERM: "SIGTERM", SIGSYS: "SIGSYS", SIGXCPU: "SIGXCPU",
    ]
}
