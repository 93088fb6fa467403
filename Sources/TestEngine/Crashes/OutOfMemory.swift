import Files

/// The kernel's count of processes that it killed because this control group, a container's for one, ran out of memory.
enum OutOfMemory {
    /// The count before the first test, once `begin` was called.
    private static let before = kills

    /// Notes the count.
    static func begin() { _ = before }

    /// A Boolean value that indicates whether any process was killed since `begin`.
    static var hasKilled: Bool { kills > before }

    private static var kills: Int {
        // The files of the second version of control groups, and of the first.
        let files = ["/sys/fs/cgroup/memory.events", "/sys/fs/cgroup/memory/memory.oom_control"]
        return files.lazy.compactMap { (try? readText($0)).flatMap(kills(in:)) }.first ?? 0
    }

    /// Returns the count in the text of such a file; `nil` where it has none.
    static func kills(in text: String) -> Int? {
        let mark = "oom_kill "
        let line = text.split(separator: "\n").first { $0.hasPrefix(mark) }
        return line.flatMap { Int($0.dropFirst(mark.count)) }
    }
}
