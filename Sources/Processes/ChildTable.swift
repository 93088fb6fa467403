import CSpawn
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The running leaders of this process.
///
/// There is one table, as the kernel has one list of children. A leader is removed when it is reaped under the table's
/// lock. Code that holds the lock can signal a leader without reaching a process that reuses its ID.
enum ChildTable {
    private struct State {
        /// The leaders by slot, the number that marks them. Free slots are reused.
        var slots: [Slot] = []
        /// A Boolean value for each slot that indicates whether another child ran at the same time as its leader.
        var hadSiblings: [Bool] = []
        var adoptsOrphans = false
        /// The `OrphanGuard`, which is neither a leader nor an orphan.
        var guardian: pid_t?

        func isUnknown(_ process: pid_t) -> Bool {
            process != guardian && !slots.contains(.running(process))
        }
    }

    private enum Slot: Equatable {
        case free
        /// The slot is reserved for a child that is being started.
        case spawning
        case running(pid_t)
    }

    private static let state = Mutex(State())

    /// Reserves the lowest free slot.
    ///
    /// Few different marks mean few different environments, which is good for tools with caches by environment.
    static func takeSlot() -> Int {
        state.withLock { state in
            let slot = state.slots.firstIndex(of: .free) ?? state.slots.count
            if slot == state.slots.count {
                state.slots.append(.free)
                state.hadSiblings.append(false)
            }
            let neighbours = state.slots.indices.filter { state.slots[$0] != .free }
            for neighbour in neighbours { state.hadSiblings[neighbour] = true }
            state.hadSiblings[slot] = !neighbours.isEmpty
            state.slots[slot] = .spawning
            return slot
        }
    }

    static func fill(_ slot: Int, with leader: pid_t) {
        state.withLock { $0.slots[slot] = .running(leader) }
    }

    static func free(_ slot: Int) {
        state.withLock { $0.slots[slot] = .free }
    }

    /// Reaps a leader and frees its slot. Also returns whether another child ran at the same time.
    static func reap(
        _ leader: pid_t, in slot: Int
    ) -> (termination: ExitReport.Termination, hadSiblings: Bool) {
        state.withLock { state in
            var status: Int32 = 0
            while waitpid(leader, &status, 0) < 0, errno == EINTR {}
            state.slots[slot] = .free
            let signal = status & 0x7F
            let termination: ExitReport.Termination =
                signal == 0 ? .exited((status >> 8) & 0xFF) : .signalled(signal)
            return (termination, state.hadSiblings[slot])
        }
    }

    /// Returns a Boolean value that indicates whether another child ran at the same time as a leader that is not
    /// reaped.
    static func hadSiblings(_ leader: pid_t) -> Bool {
        state.withLock { state in
            state.slots.firstIndex(of: .running(leader)).map { state.hadSiblings[$0] } ?? true
        }
    }

    static var hasOthers: Bool {
        state.withLock { state in state.slots.count { $0 != .free } > 1 }
    }

    /// Calls `body` with the guardian if no child is running and all children are known. No child is started during the
    /// call.
    static func whenNoneRuns(_ body: (_ guardian: pid_t?) -> Void) {
        state.withLock { state in
            if state.adoptsOrphans, state.slots.allSatisfy({ $0 == .free }) { body(state.guardian) }
        }
    }

    /// Starts the guardian and registers it at the same time.
    static func startGuardian(_ start: () -> pid_t?) {
        state.withLock { $0.guardian = start() }
    }

    /// Ends the guardian, if there is one.
    static func endGuardian() {
        state.withLock { state in
            guard let guardian = state.guardian else { return }
            kill(guardian, SIGKILL)
            while waitpid(guardian, nil, 0) < 0, errno == EINTR {}
            state.guardian = nil
        }
    }

    /// Starts to regard unknown children as adopted orphans.
    static func adoptOrphans() {
        state.withLock { $0.adoptsOrphans = true }
    }

    static var adoptsOrphans: Bool { state.withLock { $0.adoptsOrphans } }

    /// Returns the children that are not leaders. No child is reaped while `list` runs.
    static func unknownChildren(among list: () -> [pid_t]) -> [pid_t] {
        state.withLock { state in list().filter(state.isUnknown) }
    }

    /// Reaps descendants that were ended, as far as they are children of this process.
    static func reap(leakedProcesses: [pid_t]) {
        state.withLock { _ in
            for stray in leakedProcesses {
                var status: Int32 = 0
                _ = waitpid(stray, &status, WNOHANG)
            }
        }
    }

    /// Reaps adopted processes that have ended. Does nothing while a child is being started, which would look like one
    /// of them.
    static func reapOrphans(among processes: [pid_t]) {
        guard !processes.isEmpty else { return }
        state.withLock { state in
            guard state.adoptsOrphans, !state.slots.contains(.spawning) else { return }
            for process in processes where state.isUnknown(process) {
                var status: Int32 = 0
                _ = waitpid(process, &status, WNOHANG)
            }
        }
    }

    /// Sends a signal to the group of every running leader.
    static func signalAll(_ signal: Int32) {
        state.withLock { state in
            for case .running(let leader) in state.slots { kill(-leader, signal) }
        }
    }
}
