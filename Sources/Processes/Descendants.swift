import CSpawn

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Finds what a child has started, wherever it went.
///
/// On Linux this process is the child subreaper: a descendant whose parents are gone becomes a child of ours, and the
/// mark in its environment tells which leader it came from. Elsewhere only the leader's process group is known.
package struct Descendants {
    let leader: pid_t
    let mark: String

    #if os(Linux)
        /// Living processes that came from the leader and outlived it. Fast when there is none: one small read.
        ///
        /// One that ends while we look may hand its children to us after our list was read, so we look again until
        /// all that was found lives, or the same was found twice; who keeps starting others is met again by the next call.
        func survivors() -> [pid_t] {
            var before: [pid_t] = []
            for _ in 1...Self.mostLooks {
                let strangers = ChildTable.strangers(among: ProcessTable.adoptedChildren)
                guard !strangers.isEmpty else { return [] }
                ChildTable.reapOrphans(among: strangers)
                // With no other child running, whatever was handed to us can only be this leader's, marked or not.
                let takesAll = ChildTable.adoptsOrphans && !ChildTable.hasOthers
                let roots = strangers.filter { takesAll || isTraced($0) }
                let found = ProcessTable.withDescendants(roots)
                let living = found.filter(ProcessTable.isAlive)
                if living.count == found.count || found == before { return living }
                before = found
            }
            return before
        }

        private static let mostLooks = 10

        /// The leader and everything that came from it and lives.
        func all() -> [pid_t] {
            ProcessTable.withDescendants([leader]).filter(ProcessTable.isAlive) + survivors()
        }

        /// Ends orphans that no mark led back to a leader, once no leader is left that could have started them.
        static func endUnclaimed() {
            ChildTable.whenNoneRuns { guardian in
                let orphans = ProcessTable.adoptedChildren().filter { $0 != guardian }
                for orphan in ProcessTable.withDescendants(orphans) { kill(orphan, SIGKILL) }
            }
        }

        /// Takes the statuses of orphans that have ended.
        static func reapOrphans() {
            guard ChildTable.adoptsOrphans else { return }
            ChildTable.reapOrphans(among: ProcessTable.adoptedChildren())
        }

        /// Whether a survivor surely came from the leader. One without a mark may be of a neighbour that has ended before.
        func isOwn(_ survivor: pid_t) -> Bool { isTraced(survivor) || !ChildTable.hadNeighbours(leader) }

        private func isTraced(_ process: pid_t) -> Bool {
            isMarked(process) || ProcessTable.group(of: process) == leader
        }

        private func isMarked(_ process: pid_t) -> Bool {
            let entries = ProcessTable.environment(of: process).split(separator: 0)
            guard let value = ChildMark.value(of: ChildMark.child, in: entries), value.starts(with: mark.utf8) else {
                return false
            }
            return [nil, UInt8(ascii: "/")].contains(value.dropFirst(mark.utf8.count).first)
        }
    #else
        func survivors() -> [pid_t] { [] }

        func isOwn(_ survivor: pid_t) -> Bool { true }

        func all() -> [pid_t] { [leader] }

        static func endUnclaimed() {}

        static func reapOrphans() {}
    #endif

    /// Signals the leader's group at once, then one by one those that left it.
    func signal(_ number: Int32, including processes: [pid_t]) {
        kill(-leader, number)
        for process in processes where process != leader {
            if getpgid(process) != leader { kill(process, number) }
        }
    }
}

/// Whoever starts this process with SIGCHLD ignored, as some daemons do, would have the system forget how children end:
/// each would seem to have ended well.
func keepStatuses() {
    if isIgnored(SIGCHLD) { signal(SIGCHLD, SIG_DFL) }
}

/// Makes this process the one that orphaned descendants are handed to, where the system knows such a thing.
func becomeSubreaper() {
    #if os(Linux)
        _ = lane_become_subreaper()
    #endif
}
