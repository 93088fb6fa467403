import OperatingSystem
import Text

// `environ` is a mutable global variable, so it is read once, before threads start.
#if canImport(Glibc)
    @preconcurrency import Glibc
#else
    @preconcurrency import Darwin
#endif

extension World {
    /// Returns the environment of the process, or `nil` if the current directory was deleted.
    static func live(arguments: [String], cancellation: Cancellation) -> World? {
        let start = Monotonic.now
        guard let directory = workingDirectory() else { return nil }
        let environment = environmentVariables()
        return World(
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
            readLine: TerminalInput.reader)
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

#if canImport(Darwin)
    import Darwin
#endif

extension World {
    /// The value of `PATH` for commands of lane files. It ends with the directory of this program if it contains no `lane`,
    /// as in a generated CI job, so that commands can run lanes of other packages.
    var commandPath: String? {
        guard let path = environment["PATH"], self.path(of: "lane") == nil, let program = Self.program,
            lastPathComponent(program) == "lane"
        else { return environment["PATH"] }
        return "\(path):\(parentDirectory(program))"
    }

    /// The path of this program.
    private static var program: String? {
        #if canImport(Darwin)
            var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
            var size = UInt32(buffer.count)
            guard _NSGetExecutablePath(&buffer, &size) == 0 else { return nil }
            return resolvedPath(String(cString: buffer))
        #else
            return resolvedPath("/proc/self/exe")
        #endif
    }
}

extension OutputChannel {
    var isTerminal: Bool { isatty(descriptor) == 1 }

    /// The size of the terminal, or `nil` if it is unknown.
    var size: TerminalSize? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return TerminalSize(columns: Int(size.ws_col), rows: size.ws_row > 0 ? Int(size.ws_row) : .max)
    }
}
