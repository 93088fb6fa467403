import CLibrary
import CSpawn
import Synchronization

/// A process that waits for the end of `lane`, and ends the descendants of a `lane` that was killed.
///
/// The guard reads from a pipe whose only writer is `lane`, so the end of the pipe is the end of `lane`. It exists before
/// the first child starts. Until `lane` ends, the guard is a process in the memory of this one, because it starts faster
/// than a copy or a program. Then it executes its command. The guard exists only on Linux, where descendants
/// can be identified.
package enum OrphanGuard {
    private enum State {
        case off
        case armed(Command)
        case started(Running)
    }

    /// What the running guard uses: the pipe, and its command in memory.
    private final class Running: Sendable {
        let pipe: Pipe
        let arguments: StringVector
        let environment: StringVector

        init(pipe: Pipe, arguments: consuming StringVector, environment: consuming StringVector) {
            self.pipe = pipe
            self.arguments = arguments
            self.environment = environment
        }
    }

    private static let state = Mutex(State.off)
    private static let armed = Atomic(false)

    /// Sets the command of the guard, which is started before the first child. It must call `waitForKill` first.
    package static func arm(_ command: Command) {
        #if os(Linux)
            // The system ends the descendants of process 1.
            guard getpid() != 1 else { return }
            state.withLock { state in
                guard case .off = state else { return }
                state = .armed(command)
                armed.store(true, ordering: .releasing)
            }
        #endif
    }

    /// Starts the guard before the first child, if it is armed. Children of other threads wait for it.
    static func start() {
        #if os(Linux)
            guard armed.load(ordering: .acquiring) else { return }
            state.withLock { state in
                guard case .armed(let command) = state else { return }
                state = .off
                defer { armed.store(false, ordering: .releasing) }
                guard var pipe = try? Pipe(), let reading = pipe.reading else { return }
                pipe.reading = nil
                let running = Running(
                    pipe: pipe, arguments: StringVector([command.executable] + command.arguments),
                    environment: StringVector(
                        environment: command.environment, changes: [(ChildMark.child, "guard")]))
                ChildTable.startGuardian {
                    // The guard gets a copy of the descriptor, which must be open until then.
                    let guardian = withExtendedLifetime(reading) {
                        lane_start_guard(
                            reading.number, running.arguments.pointers, running.environment.pointers)
                    }
                    return guardian > 0 ? guardian : nil
                }
                state = .started(running)
            }
        #endif
    }

    /// Kills the guard at the end of a run. The guard has no work to finish.
    package static func dismiss() {
        let running = state.withLock { state -> Running? in
            armed.store(false, ordering: .relaxed)
            defer { state = .off }
            if case .started(let running) = state { return running }
            return nil
        }
        // If the pipe closed before the guard ends, the guard would search for descendants.
        withExtendedLifetime(running) { ChildTable.endGuardian() }
    }

    /// Waits in the guard until `lane` ends.
    ///
    /// - Returns: `false` if the pipe cannot be read.
    package static func waitForKill() -> Bool {
        var byte: UInt8 = 0
        while read(STDIN_FILENO, &byte, 1) < 0 {
            guard errno == EINTR else { return false }
        }
        return true
    }
}
