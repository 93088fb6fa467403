import CLibrary

/// The input of the user on the terminal.
enum TerminalInput {
    /// A closure that prints a question and reads a line, hidden or not. It is `nil` unless standard input and standard
    /// error are a terminal.
    static var reader: (@Sendable (_ question: String, _ isHidden: Bool) -> String?)? {
        guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else { return nil }
        return { readLine(after: $0, isHidden: $1) }
    }

    /// Reads a line without its line break. Returns `nil` at the end of the input, and after Ctrl-C in a hidden line.
    private static func readLine(after question: String, isHidden: Bool) -> String? {
        var settings = termios()
        guard isHidden, tcgetattr(STDIN_FILENO, &settings) == 0 else {
            let line = readBytes(after: question, isHidden: false)
            // The user typed no line end.
            if line == nil { _ = write(STDERR_FILENO, "\n", 1) }
            return line
        }
        var hidden = settings
        // Signals are disabled, so Ctrl-C is read like a key. A signal could end the program before the echo is
        // restored.
        hidden.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
        // The question is printed after the change, so that keys after it are neither shown nor discarded.
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
                // The last character may have several bytes.
                while let last = line.popLast(), last & 0xC0 == 0x80 {}
            case 21: line = []
            default: line.append(byte)
            }
        }
    }
}
