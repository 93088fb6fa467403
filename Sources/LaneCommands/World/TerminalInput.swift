#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Lines that the user types on the terminal.
enum TerminalInput {
    /// A closure that prints a question and reads a line, hidden or not. It is `nil` if no user sees a question on
    /// standard error and can answer it on standard input.
    static var reader: (@Sendable (_ question: String, _ isHidden: Bool) -> String?)? {
        guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else { return nil }
        return { readLine(after: $0, isHidden: $1) }
    }

    /// Reads a line without its end. Returns `nil` at the end of the input, and after Ctrl-C in a hidden line.
    private static func readLine(after question: String, isHidden: Bool) -> String? {
        var settings = termios()
        guard isHidden, tcgetattr(STDIN_FILENO, &settings) == 0 else {
            return readBytes(after: question, isHidden: false)
        }
        var hidden = settings
        // Without signals, Ctrl-C is read like a key. It could not end the program before the echo is back otherwise.
        hidden.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
        // The question comes only now: keys that follow it must be neither shown nor discarded.
        let line = readBytes(after: question, isHidden: true)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
        _ = write(STDERR_FILENO, "\n", 1)
        return line
    }

    private static func readBytes(after question: String, isHidden: Bool) -> String? {
        _ = question.withCString { write(STDERR_FILENO, $0, strlen($0)) }
        var line: [UInt8] = []
        while true {
            var byte: UInt8 = 0
            let count = read(STDIN_FILENO, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1 else { return nil }
            if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") { return String(decoding: line, as: UTF8.self) }
            guard isHidden else {
                line.append(byte)
                continue
            }
            switch byte {
            case 3, 4: return nil
            case 8, 127:
                // Removes the last character with all of its bytes.
                while let last = line.popLast(), last & 0xC0 == 0x80 {}
            case 21: line = []
            default: line.append(byte)
            }
        }
    }
}
