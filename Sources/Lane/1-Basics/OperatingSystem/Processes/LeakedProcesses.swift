import CLibrary
import CSpawn
import Text

/// The running processes of a `lane` that was killed, identified by their environment.
package enum LeakedProcesses {
    /// The maximum time to wait after SIGKILL for processes in the kernel.
    private static let killTimeout = Duration.seconds(3)

    /// Ends all processes whose environment contains a leader's mark and a variable, with their groups and descendants.
    /// Sends SIGTERM, and SIGKILL after the grace period.
    ///
    /// Does not find a daemon that has an empty environment and whose parents have ended.
    ///
    /// - Returns: The number of processes.
    @discardableResult
    package static func end(with variable: (name: String, value: String), grace: Duration = .seconds(1)) -> Int {
        #if os(Linux)
            var seen = Set<pid_t>()
            var wasEmpty = false
            let start = Monotonic.now
            while true {
                let found = ProcessTable.withDescendants(marked(by: variable)).filter(ProcessTable.isAlive)
                let now = Monotonic.now
                // The environment of a process that is loading a program is not readable, so two consecutive searches
                // must be empty.
                if found.isEmpty && wasEmpty || now - start >= grace + killTimeout { return seen.count }
                wasEmpty = found.isEmpty
                for process in found {
                    if now - start >= grace {
                        kill(process, SIGKILL)
                    } else if !seen.contains(process) {
                        kill(process, SIGTERM)
                        kill(process, SIGCONT)
                    }
                }
                seen.formUnion(found)
                usleep(10_000)
            }
        #else
            return 0
        #endif
    }

    #if os(Linux)
        private static func marked(by variable: (name: String, value: String)) -> [pid_t] {
            let own = getpid()
            let name = Array((ChildMark.processName(outerRoot: variable.value) + "\n").utf8)
            let all = ProcessTable.all().filter { $0 != own }
            let marked = all.filter { process in
                guard let entries = ProcessTable.contents("/proc/\(process)/environ")?.split(separator: 0) else {
                    // A `lane` in a step denies access to its environment.
                    return ProcessTable.contents("/proc/\(process)/comm")?.elementsEqual(name) ?? false
                }
                guard let value = ChildMark.value(of: variable.name, in: entries) else { return false }
                return value.elementsEqual(variable.value.utf8)
                    && ChildMark.value(of: ChildMark.child, in: entries) != nil
            }
            guard !marked.isEmpty else { return [] }
            let groups = Set(marked.map { getpgid($0) }).subtracting([-1])
            return all.filter { groups.contains(getpgid($0)) }
        }
    #endif
}

/// The environment variables that identify processes started by `lane`.
package enum ChildMark {
    /// The slot of the leader, after the mark of an outer `lane`.
    package static let child = "LANE_CHILD"
    /// The directory of the run.
    package static let root = "LANE_ROOT"

    /// Returns the mark of the leader in a slot: the slot, after the mark of this process if another `lane` started it.
    ///
    /// The mark does not depend on the command's environment. Otherwise, the mark of one leader could be a prefix of
    /// another leader's mark, and `lane` would end processes of the wrong leader.
    ///
    /// - Parameter outer: The mark of this process, if it has one.
    static func leader(in slot: Int, below outer: String?) -> String { outer.map { "\($0)/\(slot)" } ?? String(slot) }

    /// The separator in place of `=` in a hidden variable. The system keeps such an entry, but programs do not find the
    /// variable.
    package static let hidingSeparator = UInt8(ascii: ":")

    /// Returns the name of a `lane` process that another `lane` started: a hash of the directory of the outer run.
    ///
    /// Other processes of the user can read the name, but not the environment of `lane`. A name has at most 15 bytes.
    static func processName(outerRoot: String) -> String {
        "lane:" + String(StableHash(of: outerRoot).value >> 24, radix: 16)
    }

    /// Returns the value of a mark, visible or hidden, in the entries of an environment.
    static func value(of name: String, in entries: some Sequence<ArraySlice<UInt8>>) -> ArraySlice<UInt8>? {
        let name = Array(name.utf8)
        for entry in entries where entry.starts(with: name) {
            let separator = entry.dropFirst(name.count).first
            guard separator == UInt8(ascii: "=") || separator == hidingSeparator else { continue }
            return entry.dropFirst(name.count + 1)
        }
        return nil
    }
}

/// Denies other processes of the user access to the memory and the environment of this process. Programs that this
/// process starts are not affected.
///
/// Call it on the main thread. Root has access if it may trace processes. The function has an effect on Linux only.
///
/// - Parameter outerRoot: The directory of the outer run if another `lane` started this process. `LeakedProcesses` then
///   identifies this process by its name.
package func denyInspection(outerRoot: String?) {
    #if os(Linux)
        if let outerRoot { _ = lane_set_name(ChildMark.processName(outerRoot: outerRoot)) }
        _ = lane_deny_inspection()
    #endif
}
