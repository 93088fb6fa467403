import CLibrary
import CSpawn

/// The descendants of a child.
///
/// On Linux, this process is the child subreaper: it adopts descendants whose parents have ended. The mark in their
/// environment identifies their leader. On other systems, only the process group of the leader is known.
struct Descendants {
    let leader: pid_t
    let mark: String

    #if os(Linux)
        /// Returns the running descendants of a leader that has ended.
        ///
        /// This process may adopt the children of a process that ends during the search. The search is therefore
        /// repeated until all found processes are running or the result is the same twice. Processes that are started
        /// later are found by the next call. If there are no survivors, the cost is one small read.
        func survivors() -> [pid_t] {
            var before: [pid_t] = []
            for _ in 1...Self.maximumReads {
                let unknownChildren = ChildTable.unknownChildren(among: ProcessTable.adoptedChildren)
                guard !unknownChildren.isEmpty else { return [] }
                ChildTable.reapOrphans(among: unknownChildren)
                // If no other child is running, all adopted processes are descendants of this leader, even without a
                // mark.
                let takesAll = ChildTable.adoptsOrphans && !ChildTable.hasOthers
                let roots = unknownChildren.filter { takesAll || isTraced($0) }
                let found = ProcessTable.withDescendants(roots)
                let alive = found.filter(ProcessTable.isAlive)
                if alive.count == found.count || found == before { return alive }
                before = found
            }
            return before
        }

        private static let maximumReads = 10

        /// Returns the leader and all its running descendants.
        func all() -> [pid_t] {
            ProcessTable.withDescendants([leader]).filter(ProcessTable.isAlive) + survivors()
        }

        /// Ends adopted processes without a mark when no leader is running.
        static func endUnmarkedOrphans() {
            ChildTable.whenNoneRuns { guardian in
                let orphans = ProcessTable.adoptedChildren().filter { $0 != guardian }
                for orphan in ProcessTable.withDescendants(orphans) { kill(orphan, SIGKILL) }
            }
        }

        /// Reaps adopted processes that have ended.
        static func reapOrphans() {
            guard ChildTable.adoptsOrphans else { return }
            ChildTable.reapOrphans(among: ProcessTable.adoptedChildren())
        }

        /// Returns a Boolean value that indicates whether a process is known to be a descendant of the leader. A
        /// process without a mark may be a descendant of a sibling.
        func isOwn(_ survivor: pid_t) -> Bool { isTraced(survivor) || !ChildTable.hadSiblings(leader) }

        private func isTraced(_ process: pid_t) -> Bool {
            getpgid(process) == leader || isMarked(process)
        }

        private func isMarked(_ process: pid_t) -> Bool {
            [.some(nil), UInt8(ascii: "/")].contains(byteAfterMark(of: process))
        }

        /// Returns the byte after this leader's mark in the mark of a process: none for its own descendants, and a
        /// slash for those of a `lane` among them. Returns `nil` if the process has another mark.
        private func byteAfterMark(of process: pid_t) -> UInt8?? {
            let entries = ProcessTable.environment(of: process).split(separator: 0)
            guard let value = ChildMark.value(of: ChildMark.child, in: entries), value.starts(with: mark.utf8) else {
                return nil
            }
            return .some(value.dropFirst(mark.utf8.count).first)
        }

        /// Returns the processes without the children of a running `lane` among them, which signals its children.
        func withoutInnerChildren(_ processes: [pid_t]) -> [pid_t] {
            guard processes.contains(where: ProcessTable.isInnerLane) else { return processes }
            return processes.filter { byteAfterMark(of: $0) != .some(UInt8(ascii: "/")) }
        }

        /// Returns a Boolean value that indicates whether a process ignores a signal, as the background processes of
        /// a shell script ignore SIGINT.
        static func ignores(_ number: Int32, _ process: pid_t) -> Bool { ProcessTable.ignores(number, process) }
    #else
        func survivors() -> [pid_t] { [] }

        func isOwn(_ survivor: pid_t) -> Bool { true }

        func all() -> [pid_t] { [leader] }

        func withoutInnerChildren(_ processes: [pid_t]) -> [pid_t] { processes }

        static func ignores(_ number: Int32, _ process: pid_t) -> Bool { false }

        static func endUnmarkedOrphans() {}

        static func reapOrphans() {}
    #endif

    /// Requests the end of processes with a signal to the leader's group and to each descendant outside the group.
    ///
    /// A `lane` among the descendants passes the signal on to its own children.
    ///
    /// - Returns: The processes that get the signal.
    func request(_ number: Int32, of processes: [pid_t]) -> [pid_t] {
        let own = withoutInnerChildren(processes)
        signal(number, including: own)
        // Stopped processes handle a signal only when they are continued.
        signal(SIGCONT, including: own)
        return own
    }

    /// Sends a signal to the leader's group, and then to each descendant outside the group.
    func signal(_ number: Int32, including processes: [pid_t]) {
        kill(-leader, number)
        for process in processes where process != leader {
            if getpgid(process) != leader { kill(process, number) }
        }
    }
}

/// Restores the default action of SIGCHLD.
///
/// Some daemons start `lane` with SIGCHLD ignored. The system would then discard the exit statuses of children.
func restoreChildSignalAction() {
    if isIgnored(SIGCHLD) { signal(SIGCHLD, SIG_DFL) }
}

/// Makes this process adopt orphaned descendants, if the system supports it.
func becomeSubreaper() {
    #if os(Linux)
        _ = lane_become_subreaper()
    #endif
}
