import CLibrary
import OperatingSystem

/// The description of a process's end: `signal 4 (SIGILL)`, `exit status 3`.
struct ProcessEnding: CustomStringConvertible {
    let description: String

    init(_ report: ExitReport) {
        switch report.termination {
        case .exited(let status): description = "exit status \(status)"
        case .signalled(let signal):
            let name = signalName(signal)
            let text = name.hasPrefix("SIG") ? "signal \(signal) (\(name))" : name
            let isMemory = signal == SIGKILL && report.stoppedBy == nil && OutOfMemory.hasKilled
            description = isMemory ? "\(text), out of memory" : text
        }
    }
}

/// A count of the processes that the kernel killed because the control group, such as a container, ran out of memory.
enum OutOfMemory {
    /// The number before the first test, which `begin` records.
    private static let before = kills

    /// Records the number.
    static func begin() { _ = before }

    /// A Boolean value that indicates whether a process was killed since `begin`.
    static var hasKilled: Bool { kills > before }

    private static var kills: Int {
        // The files of version 2 and 1 of control groups.
        let files = ["/sys/fs/cgroup/memory.events", "/sys/fs/cgroup/memory/memory.oom_control"]
        return files.lazy.compactMap { (try? readText($0)).flatMap(kills(in:)) }.first ?? 0
    }

    /// Returns the number in the text of such a file, or `nil` if it contains none.
    static func kills(in text: String) -> Int? {
        let mark = "oom_kill "
        let line = text.split(separator: "\n").first { $0.hasPrefix(mark) }
        return line.flatMap { Int($0.dropFirst(mark.count)) }
    }
}
