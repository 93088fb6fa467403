import OperatingSystem

/// A debugger in which a test runs.
package enum TestDebugger: String, Sendable, CaseIterable {
    case lldb, gdb

    /// Returns the command that starts a program in the debugger.
    ///
    /// Only the program gets the preloaded library, because the debugger may have other versions of its libraries.
    func wrapping(_ command: Command) -> Command {
        var wrapped = command
        wrapped.executable = rawValue
        wrapped.arguments = []
        if let library = wrapped.environment.removeValue(forKey: "LD_PRELOAD") {
            switch self {
            case .lldb: wrapped.arguments += ["-o", "settings set target.env-vars LD_PRELOAD=\"\(library)\""]
            case .gdb: wrapped.arguments += ["-ex", "set environment LD_PRELOAD \(library)"]
            }
        }
        wrapped.arguments += [self == .lldb ? "--" : "--args", command.executable] + command.arguments
        return wrapped
    }
}
