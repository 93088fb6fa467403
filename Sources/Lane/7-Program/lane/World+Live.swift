@preconcurrency import CLibrary
import LaneCommands
import OperatingSystem
import Text

// `environ` is a mutable global variable, so it is read once, before threads start.
extension World {
    /// Returns the environment of the process, or `nil` if the current directory was deleted.
    static func live(arguments: [String], cancellation: Cancellation) -> World? {
        let start = Monotonic.now
        guard let directory = workingDirectory() else { return nil }
        let environment = environmentVariables()
        return World(
            program: .lane,
            arguments: arguments,
            environment: environment,
            directory: directory,
            output: OutputChannel(descriptor: STDOUT_FILENO, name: "standard output", clean: TerminalText.printable),
            errors: OutputChannel(descriptor: STDERR_FILENO, name: "standard error", clean: TerminalText.printable),
            processes: ChildRunner(mark: environment[ChildMark.child]),
            cancellation: cancellation,
            watchSignals: { SignalWatch.begin(cancelling: cancellation) },
            now: {
                var now = timespec()
                clock_gettime(CLOCK_REALTIME, &now)
                return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
            },
            elapsed: { Monotonic.now - start },
            terminal: .live)
    }

    /// Returns the arguments of the process. `CommandLine.arguments` would make every start slower.
    static func commandLineWords() -> [String] {
        var words: [String] = []
        for index in 1..<max(1, Int(CommandLine.argc)) {
            if let word = CommandLine.unsafeArgv[index] { words.append(String(pathBytes: bytes(of: word))) }
        }
        return words
    }

    /// Returns the environment variables. They are parsed from bytes, which is faster.
    private static func environmentVariables() -> [String: String] {
        var variables: [String: String] = [:]
        variables.reserveCapacity(128)
        var next = environ
        while let entry = next.pointee {
            if let equals = strchr(entry, Int32(UInt8(ascii: "="))) {
                let name = UnsafeRawBufferPointer(start: entry, count: equals - entry)
                variables[String(pathBytes: name)] = String(pathBytes: bytes(of: equals + 1))
            }
            next += 1
        }
        return variables
    }

    private static func workingDirectory() -> String? {
        guard let path = getcwd(nil, 0) else { return nil }
        defer { free(path) }
        return String(pathBytes: bytes(of: path))
    }

    /// Returns the bytes of a C string, which need not be valid UTF-8.
    private static func bytes(of text: UnsafePointer<CChar>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: text, count: strlen(text))
    }
}

extension Terminal {
    /// The terminal that the standard streams of the process are connected to.
    fileprivate static var live: Terminal {
        Terminal(contains: { isatty($0) == 1 }, size: size, readLine: TerminalInput.reader)
    }

    private static func size(of descriptor: Int32) -> TerminalSize? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return TerminalSize(columns: Int(size.ws_col), rows: size.ws_row > 0 ? Int(size.ws_row) : .max)
    }
}
