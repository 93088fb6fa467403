import OperatingSystem
import Text

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

extension OutputChannel {
    var isTerminal: Bool { isatty(descriptor) == 1 }

    /// The size of the terminal, or `nil` if it is unknown.
    var size: TerminalSize? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return TerminalSize(columns: Int(size.ws_col), rows: size.ws_row > 0 ? Int(size.ws_row) : .max)
    }
}
