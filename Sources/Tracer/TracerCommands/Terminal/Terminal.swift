import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The termination signal that was received, or 0.
private let stopSignal = Atomic<Int32>(0)
private let sizeChanged = Atomic<Bool>(false)
/// A Boolean value that indicates whether SIGTSTP was received.
private let suspensionRequested = Atomic<Bool>(false)

/// A terminal in raw mode with mouse reports, on the alternate screen, until it is closed.
final class Terminal {
    private var saved = termios()
    private var shown: [String] = []
    private var isOpen = false

    private static let stopping: [Int32] = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

    /// Opens the terminal, or returns `nil` if standard input or output is not a terminal.
    init?() {
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1, tcgetattr(STDIN_FILENO, &saved) == 0 else {
            return nil
        }
        open()
    }

    private func open() {
        for number in Self.stopping { signal(number) { stopSignal.store($0, ordering: .relaxed) } }
        signal(SIGWINCH) { _ in sizeChanged.store(true, ordering: .relaxed) }
        // The terminal may have changed while the process was stopped.
        signal(SIGCONT) { _ in sizeChanged.store(true, ordering: .relaxed) }
        signal(SIGTSTP) { _ in suspensionRequested.store(true, ordering: .relaxed) }
        var raw = saved
        cfmakeraw(&raw)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw)
        isOpen = true
        // Alternate screen, no cursor, button-event mouse reports in SGR format.
        write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?1002h\u{1B}[?1006h\u{1B}[2J")
    }

    deinit { close() }

    func close() {
        guard isOpen else { return }
        isOpen = false
        write("\u{1B}[?1006l\u{1B}[?1002l\u{1B}[?25h\u{1B}[?1049l")
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &saved)
        for number in Self.stopping + [SIGWINCH, SIGCONT, SIGTSTP] { signal(number, SIG_DFL) }
    }

    /// Returns a Boolean value that indicates whether SIGTSTP was received since the last call.
    func takeSuspension() -> Bool { suspensionRequested.exchange(false, ordering: .relaxed) }

    /// Restores the terminal, stops the process group as Control-Z does, and returns when the process continues.
    func suspend() {
        close()
        kill(0, SIGTSTP)
        shown = []
        open()
        sizeChanged.store(true, ordering: .relaxed)
    }

    /// The termination signal that was received, if any.
    var stoppedBy: Int32? {
        let number = stopSignal.load(ordering: .relaxed)
        return number == 0 ? nil : number
    }

    var size: (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return (80, 24)
        }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Returns a Boolean value that indicates whether the size changed since the last call. If it did, the next `show`
    /// draws all rows.
    func takeSizeChange() -> Bool {
        guard sizeChanged.exchange(false, ordering: .relaxed) else { return false }
        shown = []
        write("\u{1B}[2J")
        return true
    }

    /// Draws the rows that changed.
    func show(_ lines: [String], cursor: (column: Int, row: Int)?) {
        var text = "\u{1B}[?25l"
        for (row, line) in lines.enumerated() where row >= shown.count || shown[row] != line {
            text += "\u{1B}[\(row + 1);1H\(line)\u{1B}[0m\u{1B}[K"
        }
        if let cursor { text += "\u{1B}[\(cursor.row + 1);\(cursor.column + 1)H\u{1B}[?25h" }
        shown = lines
        write(text)
    }

    /// Reads input bytes. Returns an empty array after the timeout or a signal, and `nil` at the end of input.
    func read(timeout: Int32) -> [UInt8]? {
        var ready = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        guard poll(&ready, 1, timeout) > 0 else { return [] }
        var buffer = [UInt8](repeating: 0, count: 4096)
        #if canImport(Glibc)
            let count = Glibc.read(STDIN_FILENO, &buffer, buffer.count)
        #else
            let count = Darwin.read(STDIN_FILENO, &buffer, buffer.count)
        #endif
        if count < 0, errno == EINTR || errno == EAGAIN { return [] }
        return count > 0 ? Array(buffer[..<count]) : nil
    }

    private func write(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            #if canImport(Glibc)
                let count = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            #else
                let count = rest.withUnsafeBytes { Darwin.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            #endif
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
