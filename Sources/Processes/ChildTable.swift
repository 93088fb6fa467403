import CSpawn
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The leaders that this process runs now. One table for the process, as the kernel has one list of its children.
///
/// A leader stays here until it is reaped, under the table's lock; so whoever signals or reaps under that lock never
/// meets a number that the system has given to somebody else.
enum ChildTable {
    private struct State {
        /// Leaders by the slot that marks them; a freed slot is used again.
        var slots: [Slot] = []
        /// For each slot, whether another child was there at any time in the life of its own.
        var hadNeighbours: [Bool] = []
        var adoptsOrphans = false
        /// The `OrphanGuard`: neither a leader nor an orphan.
        var guardian: pid_t?

        func isStranger(_ process: pid_t) -> Bool {
            process != guardian && !slots.contains(.running(process))
        }
    }

    private enum Slot: Equatable {
        case free
        /// Taken, its child not yet born or not yet known.
        case spawning
        case running(pid_t)
    }

    private static let state = Mutex(State())

    /// Takes the lowest free slot: few different marks mean few different environments, and tools that keep caches by
    /// environment find theirs again.
    static func takeSlot() -> Int {
        state.withLock { state in
            let slot = state.slots.firstIndex(of: .free) ?? state.slots.count
            if slot == state.slots.count {
                state.slots.append(.free)
                state.hadNeighbours.append(false)
            }
            let neighbours = state.slots.indices.filter { state.slots[$0] != .free }
            for neighbour in neighbours { state.hadNeighbours[neighbour] = true }
            state.hadNeighbours[slot] = !neighbours.isEmpty
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

    /// Takes the status of a leader that has ended, and frees its slot; tells whether it ever had a neighbour.
    static func reap(
        _ leader: pid_t, in slot: Int
    ) -> (termination: ExitReport.Termination, hadNeighbours: Bool) {
        state.withLock { state in
            var status: Int32 = 0
            while waitpid(leader, &status, 0) < 0, errno == EINTR {}
            state.slots[slot] = .free
            let signal = status & 0x7F
            let termination: ExitReport.Termination =
                signal == 0 ? .exited((status >> 8) & 0xFF) : .signalled(signal)
            return (termination, state.hadNeighbours[slot])
        }
    }

    /// Whether another child was there at any time in the life of a leader that is not reaped yet.
    static func hadNeighbours(_ leader: pid_t) -> Bool {
        state.withLock { state in
            state.slots.firstIndex(of: .running(leader)).map { state.hadNeighbours[$0] } ?? true
        }
    }

    static var hasOthers: Bool {
        state.withLock { state in state.slots.count { $0 != .free } > 1 }
    }

    /// Calls `body` with the guardian if no child runs and this process has no children of another kind; none is born
    /// meanwhile.
    static func whenNoneRuns(_ body: (_ guardian: pid_t?) -> Void) {
        state.withLock { state in
            if state.adoptsOrphans, state.slots.allSatisfy({ $0 == .free }) { body(state.guardian) }
        }
    }

    /// Starts the guardian; nobody sees it as something else meanwhile.
    static func startGuardian(_ start: () -> pid_t?) {
        state.withLock { $0.guardian = start() }
    }

    /// Waits for the guardian's end.
    static func reapGuardian() {
        state.withLock { state in
            guard let guardian = state.guardian else { return }
            while waitpid(guardian, nil, 0) < 0, errno == EINTR {}
            state.guardian = nil
        }
    }

    /// From now on every child of this process that no slot knows is an orphan that was handed to it.
    static func adoptOrphans() {
        state.withLock { $0.adoptsOrphans = true }
    }

    static var adoptsOrphans: Bool { state.withLock { $0.adoptsOrphans } }

    /// Children of this process that are no leaders. Nobody is reaped while they are listed.
    static func strangers(among list: () -> [pid_t]) -> [pid_t] {
        state.withLock { state in list().filter(state.isStranger) }
    }

    /// Takes the status of descendants that were ended here, as far as they were handed to this process.
    static func reap(strays: [pid_t]) {
        state.withLock { _ in
            for stray in strays {
                var status: Int32 = 0
                _ = waitpid(stray, &status, WNOHANG)
            }
        }
    }

    /// Takes the status of adopted processes that have ended. Does nothing while a child is being born, as it would look
    /// like one of them.
    static func reapOrphans(among processes: [pid_t]) {
        guard !processes.isEmpty else { return }
        state.withLock { state in
            guard state.adoptsOrphans, !state.slots.contains(.spawning) else { return }
            for process in processes where state.isStranger(process) {
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
