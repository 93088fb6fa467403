import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A process that waits for the end of `lane` and ends its descendants if it was killed.
///
/// It reads from a pipe whose only writer is `lane`, so the end of the pipe is the end of `lane`. It is started only if
/// a child runs for some time, so that short runs do not pay for it. The next run ends the processes of a shorter run
/// that was killed, with `LeakedProcesses`. The guard exists only on Linux, where descendants can be identified.
package enum OrphanGuard {
    /// The running time of a child after which the guard is started.
    static let delay = Duration.milliseconds(50)

    private enum State {
        case off
        case armed(Command)
        case started(Pipe)
    }

    private static let state = Mutex(State.off)
    private static let awaited = Atomic(false)

    /// Sets the command of the guard, which is started when necessary. It must call `waitForKill` first.
    package static func arm(_ command: Command) {
        #if os(Linux)
            // The system ends the descendants of process 1.
            guard getpid() != 1 else { return }
            state.withLock { state in
                guard case .off = state else { return }
                state = .armed(command)
                awaited.store(true, ordering: .relaxed)
            }
        #endif
    }

    /// A Boolean value that indicates whether the guard is armed but not started.
    static var isAwaited: Bool { awaited.load(ordering: .relaxed) }

    /// Starts the guard if a child that was started at `moment` has run long enough.
    static func startIfDue(_ moment: Duration) {
        guard isAwaited, Monotonic.now - moment >= delay else { return }
        state.withLock { state in
            guard case .armed(let command) = state else { return }
            awaited.store(false, ordering: .relaxed)
            state = .off
            guard var pipe = try? Pipe(), let reading = pipe.reading?.number else { return }
            // The guard does not inherit the output of `lane`, so that readers of the output see its end.
            let ends = ChildEnds(input: .descriptor(reading), output: -1, error: -1)
            ChildTable.startGuardian { try? Spawning(command: command, mark: "guard").start(ends) }
            pipe.reading = nil
            state = .started(pipe)
        }
    }

    /// Stops the guard at the end of a run. The guard has no work to finish, so no message is
    /// needed that could fail to arrive.
    package static func dismiss() {
        let pipe = state.withLock { state -> Pipe? in
            awaited.store(false, ordering: .relaxed)
            defer { state = .off }
            if case .started(let pipe) = state { return pipe }
            return nil
        }
        // If the pipe closed first, the guard would start its work.
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
