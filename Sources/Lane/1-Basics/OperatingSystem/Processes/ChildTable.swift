import CLibrary
import CSpawn
import Synchronization

/// The running leaders of this process.
///
/// A process has one table because the kernel has one list of its children. A leader is reaped and removed while the
/// table is locked. Code that holds the lock can therefore signal a leader without reaching a process that reuses its
/// ID.
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
    /// Reusing low slots keeps the number of different environments small, for tools whose caches depend on the
    /// environment.
    static func reserveSlot() -> Int {
        state.withLock { state in
            let slot = state.slots.firstIndex(of: .free) ?? state.slots.count
            if slot == state.slots.count {
                state.slots.append(.free)
                state.hadSiblings.append(false)
            }
            let others = state.slots.indices.filter { state.slots[$0] != .free }
            for other in others { state.hadSiblings[other] = true }
            state.hadSiblings[slot] = !others.isEmpty
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

    /// Reaps a leader and frees its slot. Also returns a Boolean value that indicates whether another child ran at the
    /// same time.
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

    /// Returns a Boolean value that indicates whether another child ran at the same time as a leader. The leader must
    /// not be reaped.
    static func hadSiblings(_ leader: pid_t) -> Bool {
        state.withLock { state in
            state.slots.firstIndex(of: .running(leader)).map { state.hadSiblings[$0] } ?? true
        }
    }

    static var hasOthers: Bool {
        state.withLock { state in state.slots.count { $0 != .free } > 1 }
    }

    /// Calls `body` with the guard if no child is running and all children are known. No child is started during the
    /// call.
    static func whenNoneRuns(_ body: (_ guardian: pid_t?) -> Void) {
        state.withLock { state in
            if state.adoptsOrphans, state.slots.allSatisfy({ $0 == .free }) { body(state.guardian) }
        }
    }

    /// Starts and registers the guard.
    static func startGuardian(_ start: () -> pid_t?) {
        state.withLock { $0.guardian = start() }
    }

    /// Ends the guard, if there is one.
    static func endGuardian() {
        state.withLock { state in
            guard let guardian = state.guardian else { return }
            kill(guardian, SIGKILL)
            while waitpid(guardian, nil, 0) < 0, errno == EINTR {}
            state.guardian = nil
        }
    }

    /// Treats unknown children as adopted orphans from now on.
    static func adoptOrphans() {
        state.withLock { $0.adoptsOrphans = true }
    }

    static var adoptsOrphans: Bool { state.withLock { $0.adoptsOrphans } }

    /// Returns the children that are not leaders. No child is reaped while `list` runs.
    static func unknownChildren(among list: () -> [pid_t]) -> [pid_t] {
        state.withLock { state in list().filter(state.isUnknown) }
    }

    /// Reaps ended descendants that are children of this process.
    static func reap(leakedProcesses: [pid_t]) {
        state.withLock { _ in
            for stray in leakedProcesses {
                var status: Int32 = 0
                _ = waitpid(stray, &status, WNOHANG)
            }
        }
    }

    /// Reaps adopted processes that have ended. Does nothing while a child is being started, because its process is not
    /// yet registered.
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

    /// Stops the group of every leader during a call of `body`. No child is started during the call.
    static func whileAllAreStopped(_ body: () -> Void) {
        // A child that is being started has no known group yet.
        while !stopAll(during: body) { usleep(1_000) }
    }

    private static func stopAll(during body: () -> Void) -> Bool {
        state.withLock { state in
            guard !state.slots.contains(.spawning) else { return false }
            for case .running(let leader) in state.slots { kill(-leader, SIGSTOP) }
            body()
            for case .running(let leader) in state.slots { kill(-leader, SIGCONT) }
            return true
        }
    }
}
