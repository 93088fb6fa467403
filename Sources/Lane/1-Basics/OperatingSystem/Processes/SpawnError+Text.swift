#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

extension SpawnError: CustomStringConvertible {
    /// A message that names the missing or rejected file, with a hint for a known tool.
    package var description: String {
        switch self {
        case .executableNotFound(let name):
            name.utf8.contains(UInt8(ascii: "/"))
                ? "there is no file '\(name)' to run"
                : "'\(name)' is not installed, or not in PATH\(ToolInstallation.hint(for: name))"
        case .directoryNotFound(let path): "the working directory '\(path)' does not exist"
        case .tooLong(let name, let what):
            "'\(name)' could not be started: \(what), which exceeds the limit of the system\n"
                + "hint: write the value to a file, and pass the name of the file"
        case .cannotExecute(let name, .directory): "'\(name)' is a directory, not a program"
        case .cannotExecute(let name, .notExecutable): "'\(name)' is not executable\nhint: chmod +x \(name)"
        case .cannotExecute(let name, .noInterpreter(let interpreter)):
            interpreter.utf8.last == UInt8(ascii: "\r")
                ? "the first line of '\(name)' ends with a carriage return, as on Windows\nhint: save it with Unix line endings"
                : "the first line of '\(name)' names '\(interpreter)', which does not exist"
        case .failed(let name, let code): "'\(name)' could not be started: \(String(cString: strerror(code)))"
        }
    }
}

extension Oversize: CustomStringConvertible {
    package var description: String {
        switch self {
        case .argument(let number, let bytes): "argument \(number) has \(bytes) bytes"
        case .variable(let name, let bytes): "the environment's '\(name)' has \(bytes) bytes"
        case .all(let bytes): "arguments and environment together have \(bytes) bytes"
        }
    }
}

/// Returns the name of a signal, such as `SIGTERM`, or `signal 42` if it has none.
package func signalName(_ signal: Int32) -> String {
    let names: [Int32: String] = [
        SIGHUP: "SIGHUP", SIGINT: "SIGINT", SIGQUIT: "SIGQUIT", SIGILL: "SIGILL", SIGTRAP: "SIGTRAP",
        SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE", SIGKILL: "SIGKILL", SIGUSR1: "SIGUSR1",
        SIGSEGV: "SIGSEGV", SIGUSR2: "SIGUSR2", SIGPIPE: "SIGPIPE", SIGALRM: "SIGALRM", SIGTERM: "SIGTERM",
        SIGSYS: "SIGSYS", SIGXCPU: "SIGXCPU", SIGXFSZ: "SIGXFSZ",
    ]
    return names[signal] ?? "signal \(signal)"
}
