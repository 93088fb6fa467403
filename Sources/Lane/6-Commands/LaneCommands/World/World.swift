import Actions
package import OperatingSystem
package import Text

/// The environment of the program. Other code does not access the environment, the clock or the terminal.
package struct World: Sendable {
    let program: Program
    /// The arguments without the name of the program.
    var arguments: [String]
    package let environment: [String: String]
    /// The absolute path of the working directory.
    package private(set) var directory: String
    /// The channel for data.
    package let output: OutputChannel
    /// The channel for progress, diagnostics and other messages.
    package let errors: OutputChannel
    package private(set) var processes: any ProcessRunner
    /// The cancellation by Ctrl-C and other signals. Call `watchSignals` first.
    package let cancellation: Cancellation
    /// Starts the handling of signals. Call it before threads start.
    package let watchSignals: @Sendable () -> Void
    /// A closure that returns the time in seconds since 1970.
    package let now: @Sendable () -> Double
    /// A closure that returns the time since the start of the program.
    let elapsed: @Sendable () -> Duration
    let terminal: Terminal
    /// The option `-C` with the directory that `enter` was called with, or no words.
    private(set) var directoryOption: [String] = []

    package init(
        program: Program, arguments: [String], environment: [String: String], directory: String, output: OutputChannel,
        errors: OutputChannel, processes: any ProcessRunner, cancellation: Cancellation,
        watchSignals: @escaping @Sendable () -> Void, now: @escaping @Sendable () -> Double,
        elapsed: @escaping @Sendable () -> Duration, terminal: Terminal
    ) {
        (self.program, self.arguments, self.environment, self.directory) = (program, arguments, environment, directory)
        (self.output, self.errors, self.processes) = (output, errors, processes)
        (self.cancellation, self.watchSignals, self.now, self.elapsed) = (cancellation, watchSignals, now, elapsed)
        self.terminal = terminal
    }

    /// Returns the style of a channel, according to `NO_COLOR`, `CLICOLOR_FORCE`, `CLICOLOR` and `TERM`.
    package func style(for channel: OutputChannel) -> TextStyle {
        TextStyle(isColored: colors(channel), isUnicode: isUTF8)
    }

    private func colors(_ channel: OutputChannel) -> Bool {
        if isSet("NO_COLOR") { return false }
        if isSet("CLICOLOR_FORCE"), environment["CLICOLOR_FORCE"] != "0" { return true }
        if isSet("FORCE_COLOR"), environment["FORCE_COLOR"] != "0" { return true }
        let isRefused = ["CLICOLOR", "FORCE_COLOR"].contains { environment[$0] == "0" }
        return isTerminal(channel) && environment["TERM"] != "dumb" && !isRefused
    }

    /// A Boolean value that indicates whether the locale uses UTF-8. It only matters for terminals, because files and
    /// CI logs are always read as UTF-8.
    private var isUTF8: Bool {
        guard isTerminal(output) || isTerminal(errors) else { return true }
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        let upper = locale.uppercased()
        return upper.contains("UTF-8") || upper.contains("UTF8")
    }

    /// Returns a Boolean value that indicates whether a channel is the terminal.
    func isTerminal(_ channel: OutputChannel) -> Bool { terminal.contains(channel.descriptor) }

    private func isSet(_ name: String) -> Bool { environment[name].map { !$0.isEmpty } ?? false }

    /// Returns the width for wrapped text: `COLUMNS`, the width of the terminal, or 80.
    func width(of channel: OutputChannel) -> Int {
        environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil } ?? terminal.size(channel.descriptor)?
            .columns ?? 80
    }

    /// The size for live output. It ignores `COLUMNS`, which may be outdated.
    var screenSize: TerminalSize { terminal.size(output.descriptor) ?? TerminalSize(columns: width(of: output)) }

    /// A Boolean value that indicates whether live output is shown: only in a terminal that is not dumb, and outside
    /// CI.
    var isInteractive: Bool {
        isTerminal(output) && environment["TERM"] != "dumb" && !isCI
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
