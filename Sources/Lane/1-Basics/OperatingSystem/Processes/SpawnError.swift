import CLibrary
import Text

/// An error that prevents the start of a child.
package enum SpawnError: Error, Sendable, Equatable, CustomStringConvertible {
    /// - Parameter container: The options that started the container in which this program runs, or `nil` outside.
    case executableNotFound(String, container: String? = nil)
    case directoryNotFound(String)
    case tooLong(String, Oversize)
    case cannotExecute(String, ExecError)
    case failed(String, errno: Int32)

    /// A message that names the missing or rejected file, with a hint for a known tool.
    package var description: String {
        switch self {
        case .executableNotFound(let name, _) where name.utf8.contains(UInt8(ascii: "/")):
            "there is no file '\(name)' to run"
        case .executableNotFound(let name, let options?):
            "there is no '\(name)' in the container of '\(options)'\nhint: use '--image' with an image that has it"
        case .executableNotFound(let name, nil):
            "'\(name)' is not installed, or not in PATH\(ToolInstallation.hint(for: name))"
        case .directoryNotFound(let path): "the working directory '\(path)' does not exist"
        case .tooLong(let name, let what):
            "'\(name)' could not be started: \(what), which exceeds the limit of the system\n"
                + "hint: write the value to a file, and pass the name of the file"
        case .cannotExecute(let name, .directory): "'\(name)' is a directory, not a program"
        case .cannotExecute(let name, .notExecutable):
            "'\(name)' is not executable\nhint: chmod +x \(shellQuoted(name))"
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

/// The reason why the system cannot execute an existing file.
package enum ExecError: Sendable, Equatable {
    case directory
    /// The file has no execute permission.
    case notExecutable
    /// The first line names an interpreter that does not exist.
    case noInterpreter(String)

    /// Creates the reason for an error of `execve`; `nil` for any other reason.
    ///
    /// - Parameter path: The path of the file.
    init?(_ path: String, errno code: Int32) {
        switch code {
        case EACCES:
            guard fileExists(path), isDirectory(path) || !isExecutable(path) else { return nil }
            self = isDirectory(path) ? .directory : .notExecutable
        case ENOENT:
            guard let interpreter = Self.interpreter(of: path), !fileExists(interpreter) else { return nil }
            self = .noInterpreter(interpreter)
        default: return nil
        }
    }

    /// Returns the interpreter of a script as the system reads it, with a carriage return at the end if there is one.
    private static func interpreter(of path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        // Linux reads only this many bytes.
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = read(descriptor, &bytes, bytes.count)
        guard count > 2, bytes.starts(with: "#!".utf8) else { return nil }
        let blanks = " \t".utf8
        let line = bytes[2..<count].prefix { $0 != UInt8(ascii: "\n") }.drop { blanks.contains($0) }
        return String(decoding: line.prefix { !blanks.contains($0) }, as: UTF8.self)
    }
}
