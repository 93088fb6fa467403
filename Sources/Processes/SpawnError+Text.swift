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
        case .tooLong(let name, let what):
            "'\(name)' could not be started: \(what), more than the system hands on\n"
                + "hint: write such a value to a file, and hand on the file's name"
        case .unfit(let name, .folder): "'\(name)' is a folder, not a program"
        case .unfit(let name, .notExecutable): "'\(name)' is not executable\nhint: chmod +x \(name)"
        case .unfit(let name, .noInterpreter(let interpreter)):
            interpreter.utf8.last == UInt8(ascii: "\r")
                ? "the first line of '\(name)' ends with a carriage return, as on Windows\nhint: save it with Unix line ends"
                : "the first line of '\(name)' names '\(interpreter)', which is not there"
        case .failed(let name, let code): "'\(name)' could not be started: \(String(cString: strerror(code)))"
        }
    }
}

extension Oversize: CustomStringConvertible {
    package var description: String {
        switch self {
        case .argument(let number, let bytes): "argument \(number) has \(bytes) bytes"
        case .variable(let name, let bytes): "the environment's '\(name)' has \(bytes) bytes"
        case .all(let bytes): "arguments and environment have \(bytes) bytes together"
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
