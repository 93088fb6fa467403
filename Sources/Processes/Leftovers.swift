#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Finds and ends what a killed `lane` has left running, by the environment that it gave its children.
package enum Leftovers {
    /// After KILL, how long to wait for processes that the system does not let go of.
    private static let patience = Duration.seconds(3)

    /// Ends every process that a leader's mark and this variable are in the environment of, what shares its group, and
    /// what they have started: TERM, the grace, KILL.
    ///
    /// Only a daemon whose environment was cleared, and whose parents are gone, is not found.
    ///
    /// - Returns: how many there were.
    @discardableResult
    package static func end(with variable: (name: String, value: String), grace: Duration = .seconds(1)) -> Int {
        #if os(Linux)
            var seen = Set<pid_t>()
            var wasEmpty = false
            let start = Monotonic.now
            while true {
                let found = ProcessTable.withDescendants(marked(by: variable)).filter(ProcessTable.isAlive)
                let now = Monotonic.now
                // While one loads a program its environment cannot be read: to be sure, none is found twice.
                if found.isEmpty && wasEmpty || now - start >= grace + patience { return seen.count }
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
            let all = ProcessTable.all().filter { $0 != own }
            let marked = all.filter { process in
                guard let entries = ProcessTable.contents("/proc/\(process)/environ")?.split(separator: 0),
                    let value = ChildMark.value(of: variable.name, in: entries)
                else { return false }
                return value.elementsEqual(variable.value.utf8)
                    && ChildMark.value(of: ChildMark.child, in: entries) != nil
            }
            guard !marked.isEmpty else { return [] }
            let groups = Set(marked.compactMap(ProcessTable.group))
            return all.filter { process in ProcessTable.group(of: process).map(groups.contains) ?? false }
        }
    #endif
}
