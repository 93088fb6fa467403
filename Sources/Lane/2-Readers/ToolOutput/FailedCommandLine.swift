/// Patterns for lines in which a shell, `make` or a CI service reports that a command failed or was killed.
enum FailedCommandLine {
    /// The descriptions of signals that shells print.
    private static let signals: [StaticString] = [
        "Killed", "Terminated", "Aborted", "Segmentation fault", "Bus error", "Illegal instruction",
        "Floating point exception", "Trace/breakpoint trap", "Abort trap", "Trace/BPT trap", "Hangup",
        "Quit", "Bad system call", "CPU time limit exceeded", "File size limit exceeded",
    ]

    /// The beginnings of the messages of `zsh`, the compiler, CI services and container builders.
    private static let beginnings: [StaticString] = [
        "zsh: killed", "zsh: terminated", "zsh: abort", "zsh: segmentation fault", "zsh: bus error",
        "zsh: illegal hardware instruction", "zsh: trace trap", "LLVM ERROR: ", "##[error]",
        "Error: Process completed with exit code ", "Error: The operation was canceled", "ERROR: Job failed",
        "ERROR: script returned exit code ", "Finished: FAILURE", "Finished: ABORTED", "Exited with code exit status ",
        "\u{1F6A8} Error: ", "ERROR: failed to solve: ", "ERROR: failed to build: ", "fatal: ", "Error: The process '",
        "error Command failed with exit code ", "task: Failed to run task ",
    ]

    /// The signals by which scripts end programs in the background.
    private static let endings: [StaticString] = ["Hangup", "Quit", "Terminated"]

    /// Returns a Boolean value that indicates whether a matching line may be about a command whose failure a script
    /// ignores: git outside a repository, or a program in the background that the script ends.
    static func mayBeIgnored(_ text: Bytes) -> Bool {
        guard !text.hasPrefix("fatal: ") else { return true }
        let description = shellDescription(text) ?? text
        let isOfTool = ["swift ", "xcodebuild "].contains { (name: StaticString) in
            description.firstIndex(of: name) != nil
        }
        return endings.contains(where: description.hasPrefix) && !isOfTool
    }

    /// Returns a Boolean value that indicates whether a line is git's answer to a question about the history, such as
    /// that of `git describe` in a shallow clone.
    static func isOfHistory(_ text: Bytes) -> Bool {
        [
            "fatal: not a git repository", "fatal: No names found", "fatal: no tag exactly matches",
            "fatal: No tags can ",
        ]
        .contains { (beginning: StaticString) in text.hasPrefix(beginning) }
    }

    static func matches(_ text: Bytes) -> Bool {
        guard !text.isEmpty else { return false }
        if beginnings.contains(where: text.hasPrefix) { return !text.hasSuffix("exit code 0.") }
        return isSignal(text) || isOfShell(text) || isOfMake(text) || isOfCommand(text)
    }

    /// Returns a Boolean value that indicates whether a line is `Segmentation fault (core dumped)` or `Killed: 9`.
    private static func isSignal(_ text: Bytes) -> Bool {
        signals.contains { signal in
            guard text.hasPrefix(signal) else { return false }
            let rest = text.from(signal.utf8CodeUnitCount).trimmed
            return rest.isEmpty || rest.equals("(core dumped)")
                || rest[0] == UInt8(ascii: ":") && rest.from(1).trimmed.number(at: 0) != nil
        }
    }

    private static func isOfShell(_ text: Bytes) -> Bool {
        shellDescription(text).map { description in signals.contains(where: description.hasPrefix) } ?? false
    }

    /// Returns the text after the process in `test.sh: line 3:  4242 Killed      swift test`.
    private static func shellDescription(_ text: Bytes) -> Bytes? {
        guard let mark = text.firstIndex(of: ": line "), let line = text.number(at: mark + 7),
            text[line.end] == UInt8(ascii: ":")
        else { return nil }
        let rest = text.from(line.end + 1).trimmed
        return rest.number(at: 0).map { rest.from($0.end).trimmed }
    }

    /// Returns a Boolean value that indicates whether a line is `The command "swift test" exited with 1.` or `The command
    /// '/bin/sh -c swift test' returned a non-zero code: 1`.
    private static func isOfCommand(_ text: Bytes) -> Bool {
        guard text.hasPrefix("The command ") else { return false }
        if let mark = text.lastIndex(of: " exited with ") {
            return text.number(at: mark + 13).map { $0.value != 0 } ?? false
        }
        return text.lastIndex(of: " returned a non-zero code: ") != nil
    }

    /// Returns a Boolean value that indicates whether a line is `make[1]: *** [Makefile:3: test] Error 1`.
    private static func isOfMake(_ text: Bytes) -> Bool {
        guard text.hasPrefix("make") || text.hasPrefix("gmake"), let mark = text.firstIndex(of: ": *** ") else {
            return false
        }
        return text.upTo(mark).firstIndex(of: 0x20) == nil && !text.hasSuffix(" (ignored)")
    }
}
