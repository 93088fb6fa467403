import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A process that waits for the end of `lane`, and ends the descendants of a `lane` that was killed.
///
/// The guard reads from a pipe whose only writer is `lane`, so the end of the pipe is the end of `lane`. It is started
/// only if a child runs longer than `delay`, because its start would slow short runs. If a shorter run is killed, the
/// next run ends its processes with `LeakedProcesses`. The guard exists only on Linux, where descendants can be
/// identified.
package enum OrphanGuard {
    /// The running time of a child after which the guard is started.
    static let delay = Duration.milliseconds(50)

    private enum State {
        case off
        case armed(Command)
        case started(Pipe)
    }

    private static let state = Mutex(State.off)
    private static let armed = Atomic(false)

    /// Sets the command of the guard, which is started when necessary. It must call `waitForKill` first.
    package static func arm(_ command: Command) {
        #if os(Linux)
            // The system ends the descendants of process 1.
            guard getpid() != 1 else { return }
            state.withLock { state in
                guard case .off = state else { return }
                state = .armed(command)
                armed.store(true, ordering: .relaxed)
            }
        #endif
    }

    /// A Boolean value that indicates whether the guard is armed but not started.
    static var isArmed: Bool { armed.load(ordering: .relaxed) }

    /// Starts the guard if a child that was started at `moment` has been running longer than `delay`.
    static func startIfDue(_ moment: Duration) {
        guard isArmed, Monotonic.now - moment >= delay else { return }
        state.withLock { state in
            guard case .armed(let command) = state else { return }
            armed.store(false, ordering: .relaxed)
            state = .off
            guard var pipe = try? Pipe(), let reading = pipe.reading?.number else { return }
            // The guard must not inherit the output of `lane`, whose readers wait until all writers have closed it.
            let ends = ChildEnds(input: .descriptor(reading), output: -1, error: -1)
            ChildTable.startGuardian { try? Spawning(command: command, mark: "guard").start(ends) }
            pipe.reading = nil
            state = .started(pipe)
        }
    }

    /// Kills the guard at the end of a run. The guard has no work to finish.
    package static func dismiss() {
        let pipe = state.withLock { state -> Pipe? in
            armed.store(false, ordering: .relaxed)
            defer { state = .off }
            if case .started(let pipe) = state { return pipe }
            return nil
        }
        // If the pipe closed before the guard ends, the guard would search for descendants.
        withExtendedLifetime(pipe) { ChildTable.endGuardian() }
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
