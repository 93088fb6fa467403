import Diagnostics
import Files
import LaneRun
import Processes

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Everything outside the program, gathered in one place and handed down: nothing below reads the environment, the
/// clock or the terminal by itself.
struct World: Sendable {
    /// Without the program's own name.
    var arguments: [String]
    var environment: [String: String]
    /// The absolute path of the working directory.
    var directory: String
    /// For data.
    var output: OutputChannel
    /// For progress, diagnostics and everything else that is for people.
    var errors: OutputChannel
    var processes: any ProcessRunner
    /// Raised by Ctrl-C and termination signals, once `watchSignals` was called.
    var cancellation: Cancellation
    /// Begins to watch signals; before any thread is started.
    var watchSignals: @Sendable () -> Void
    /// Seconds since 1970.
    var date: @Sendable () -> Double
    /// Time since the program began, monotonic.
    var elapsed: @Sendable () -> Duration

    /// Colour and symbols for a channel, by the customs of `NO_COLOR`, `CLICOLOR_FORCE` and `TERM`.
    func style(for channel: OutputChannel) -> TextStyle {
        TextStyle(isColored: colors(channel), isUnicode: isUTF8)
    }

    private func colors(_ channel: OutputChannel) -> Bool {
        if isSet("NO_COLOR") { return false }
        if isSet("CLICOLOR_FORCE"), environment["CLICOLOR_FORCE"] != "0" { return true }
        if isSet("FORCE_COLOR"), environment["FORCE_COLOR"] != "0" { return true }
        return channel.isTerminal && environment["TERM"] != "dumb"
    }

    /// The locale's character set: the first of the three variables that says anything decides. Files and CI logs are
    /// read as UTF-8 whatever the locale is, so only a terminal is held to it.
    private var isUTF8: Bool {
        guard output.isTerminal || errors.isTerminal else { return true }
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        let upper = locale.uppercased()
        return upper.contains("UTF-8") || upper.contains("UTF8")
    }

    private func isSet(_ name: String) -> Bool { environment[name].map { !$0.isEmpty } ?? false }

    /// Where text is wrapped: `COLUMNS`, else the terminal, else 80.
    func width(of channel: OutputChannel) -> Int {
        environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil } ?? channel.size?.columns ?? 80
    }

    /// What is drawn over and over goes by what is there: `COLUMNS` may be of another moment, or of another terminal.
    var screenSize: TerminalSize { output.size ?? TerminalSize(columns: width(of: output)) }

    /// Whether pictures that move are in place: a terminal that is not dumb, and no CI.
    var isInteractive: Bool {
        output.isTerminal && environment["TERM"] != "dumb" && !isSet("CI")
    }

    /// Returns a world whose child processes do not get certain variables.
    func withholding(_ names: Set<String>) -> World {
        guard !names.isEmpty else { return self }
        var world = self
        world.processes = WithholdingRunner(processes, withholding: names)
        return world
    }

    /// Works in another folder from here on.
    mutating func enter(_ path: String) throws(CommandFailure) {
        let target = absolutePath(path, from: directory)
        guard isDirectory(target) else {
            throw CommandFailure(.fileNotFound, "there is no folder '\(path)'")
        }
        directory = target
    }

    var processors: Int { availableProcessors }

    var isGitHub: Bool { environment["GITHUB_ACTIONS"] == "true" }
}
