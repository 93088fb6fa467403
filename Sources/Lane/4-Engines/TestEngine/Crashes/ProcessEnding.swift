import OperatingSystem

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The description of a process's end: `signal 4 (SIGILL)`, `exit status 3`.
struct ProcessEnding: CustomStringConvertible {
    let description: String

    init(_ report: ExitReport) {
        switch report.termination {
        case .exited(let status): description = "exit status \(status)"
        case .signalled(let signal):
            let name = signalName(signal)
            let text = name.hasPrefix("SIG") ? "signal \(signal) (\(name))" : name
            let isMemory = signal == SIGKILL && report.stoppedBy == nil && OutOfMemory.hasKilled
            description = isMemory ? "\(text), out of memory" : text
        }
    }
}
