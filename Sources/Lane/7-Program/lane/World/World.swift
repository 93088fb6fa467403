import Actions
import OperatingSystem
import Text

/// The environment of the program. Other code does not access the environment, the clock or the terminal.
struct World: Sendable {
    /// The arguments without the name of the program.
    var arguments: [String]
    var environment: [String: String]
    /// The absolute path of the working directory.
    var directory: String
    /// The channel for data.
    var output: OutputChannel
    /// The channel for progress, diagnostics and other messages.
    var errors: OutputChannel
    var processes: any ProcessRunner
    /// The cancellation by Ctrl-C and other signals. Call `watchSignals` first.
    var cancellation: Cancellation
    /// Starts the handling of signals. Call it before threads start.
    var watchSignals: @Sendable () -> Void
    /// A closure that returns the time in seconds since 1970.
    var now: @Sendable () -> Double
    /// A closure that returns the time since the start of the program.
    var elapsed: @Sendable () -> Duration

    /// A closure that prints a question and reads a line from the terminal, hidden or not. The closure returns `nil` at
    /// the end of the input. It is `nil` unless standard input and standard error are a terminal.
    var readLine: (@Sendable (_ question: String, _ isHidden: Bool) -> String?)?
    /// The option `-C` with the directory that `enter` was called with, or no words.
    private(set) var directoryOption: [String] = []

    /// Returns the style of a channel, according to `NO_COLOR`, `CLICOLOR_FORCE` and `TERM`.
    func style(for channel: OutputChannel) -> TextStyle {
        TextStyle(isColored: colors(channel), isUnicode: isUTF8)
    }

    private func colors(_ channel: OutputChannel) -> Bool {
        if isSet("NO_COLOR") { return false }
        if isSet("CLICOLOR_FORCE"), environment["CLICOLOR_FORCE"] != "0" { return true }
        if isSet("FORCE_COLOR"), environment["FORCE_COLOR"] != "0" { return true }
        return channel.isTerminal && environment["TERM"] != "dumb"
    }

    /// A Boolean value that indicates whether the locale uses UTF-8. It only matters for terminals, because files and
    /// CI logs are always read as UTF-8.
    private var isUTF8: Bool {
        guard output.isTerminal || errors.isTerminal else { return true }
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        let upper = locale.uppercased()
        return upper.contains("UTF-8") || upper.contains("UTF8")
    }

    private func isSet(_ name: String) -> Bool { environment[name].map { !$0.isEmpty } ?? false }

    /// Returns the width for wrapped text: `COLUMNS`, the width of the terminal, or 80.
    func width(of channel: OutputChannel) -> Int {
        environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil } ?? channel.size?.columns ?? 80
    }

    /// The size for live output. It ignores `COLUMNS`, which may be outdated.
    var screenSize: TerminalSize { output.size ?? TerminalSize(columns: width(of: output)) }

    /// A Boolean value that indicates whether live output is shown: only in a terminal that is not dumb, and outside
    /// CI.
    var isInteractive: Bool {
        output.isTerminal && environment["TERM"] != "dumb" && !isCI
    }

    /// Returns a copy whose child processes do not get some variables.
    func withholding(_ names: Set<String>) -> World {
        guard !names.isEmpty else { return self }
        var world = self
        world.processes = WithholdingRunner(processes, withholding: names)
        return world
    }

    /// Changes the working directory. As after `cd -P`, its path contains no links, so child processes find the same
    /// path.
    mutating func enter(_ path: String) throws(CommandFailure) {
        guard let target = resolvedPath(absolutePath(path, from: directory)), isDirectory(target) else {
            throw CommandFailure(.fileNotFound, "there is no directory '\(path)'")
        }
        directory = target
        directoryOption = ["-C", path]
    }

    var processors: Int { availableProcessors }
}
