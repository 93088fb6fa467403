import Diagnostics
import Files
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Standard output or standard error. Remembers the first failed write, so that a full disk is an error and a closed
/// pipe is not.
final class OutputChannel: Sendable {
    private let descriptor: Int32
    private let name: String
    private let failure = Mutex<FileError?>(nil)

    init(descriptor: Int32, name: String) {
        self.descriptor = descriptor
        self.name = name
    }

    /// Writes at once; after a failure, does nothing.
    func write(_ bytes: [UInt8]) {
        failure.withLock { failure in
            guard failure == nil, !bytes.isEmpty else { return }
            do throws(FileError) {
                try bytes.withUnsafeBufferPointer { (buffer) throws(FileError) in
                    try writeAll(UnsafeRawBufferPointer(buffer), to: descriptor, named: name)
                }
            } catch {
                failure = error
            }
        }
    }

    func write(_ text: String) { write(Array(text.utf8)) }

    func writeLine(_ text: String) { write(text + "\n") }

    /// What went wrong, unless it was only that the reader had gone.
    var unwritten: FileError? {
        failure.withLock { $0?.code == EPIPE ? nil : $0 }
    }

    var isTerminal: Bool { isatty(descriptor) == 1 }

    /// How large the terminal is now; `nil` when it is none or does not say.
    var size: TerminalSize? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return TerminalSize(columns: Int(size.ws_col), rows: size.ws_row > 0 ? Int(size.ws_row) : .max)
    }
}
