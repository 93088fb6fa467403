#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

extension SpawnError: CustomStringConvertible {
    /// For people: what was not found or refused, and where it was looked for.
    package var description: String {
        switch self {
        case .executableNotFound(let name, let searched):
            name.utf8.contains(UInt8(ascii: "/"))
                ? "there is no file '\(name)' to run"
                : "'\(name)' is not installed, or not in PATH (\(searched))"
        case .directoryNotFound(let path): "there is no folder '\(path)' to run in"
        case .failed(let name, let code): "'\(name)' could not be started: \(String(cString: strerror(code)))"
        }
    }
}

/// `SIGTERM`, or `signal 42` for one without a common name.
package func signalName(_ signal: Int32) -> String {
    let names: [Int32: String] = [
        SIGHUP: "SIGHUP", SIGINT: "SIGINT", SIGQUIT: "SIGQUIT", SIGILL: "SIGILL", SIGTRAP: "SIGTRAP",
        SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE", SIGKILL: "SIGKILL", SIGUSR1: "SIGUSR1",
        SIGSEGV: "SIGSEGV", SIGUSR2: "SIGUSR2", SIGPIPE: "SIGPIPE", SIGALRM: "SIGALRM", SIGTERM: "SIGTERM",
        SIGSYS: "SIGSYS", SIGXCPU: "SIGXCPU", SIGXFSZ: "SIGXFSZ",
    ]
    return names[signal] ?? "signal \(signal)"
}
