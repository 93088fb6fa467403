#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

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
