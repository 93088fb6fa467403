import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A sleeping process that ends what `lane` leaves behind when it is killed and can do nothing more itself.
///
/// It reads from a pipe that only `lane` can write to, so the end of the pipe is the end of `lane`, however that came. Only
/// a run that has a child for some time gets one: what is over sooner pays nothing, and what a run leaves that is killed
/// within that time, the next run ends (`Leftovers`). Linux only, as only there descendants can be recognised.
package enum OrphanGuard {
    /// How long a child runs before the guard is started.
    static let delay = Duration.milliseconds(50)

    private enum State {
        case off
        case armed(Command)
        case started(Pipe)
    }

    private static let state = Mutex(State.off)
    private static let awaited = Atomic(false)

    /// Has `command` started as soon as it is worth it. It shall call `waitForKill` first.
    package static func arm(_ command: Command) {
        #if os(Linux)
            // What the first process of a system leaves, the system ends.
            guard getpid() != 1 else { return }
            state.withLock { state in
                guard case .off = state else { return }
                state = .armed(command)
                awaited.store(true, ordering: .relaxed)
            }
        #endif
    }

    /// Whether it is armed and not started yet.
    static var isAwaited: Bool { awaited.load(ordering: .relaxed) }

    /// Starts it if a child that was started at `moment` has run long enough.
    static func startIfDue(_ moment: Duration) {
        guard isAwaited, Monotonic.now - moment >= delay else { return }
        state.withLock { state in
            guard case .armed(let command) = state else { return }
            awaited.store(false, ordering: .relaxed)
            state = .off
            guard var pipe = try? Pipe(), let reading = pipe.reading?.number else { return }
            // No descriptor of ours for its output: whoever reads that shall see its end with ours.
            let ends = ChildEnds(input: .descriptor(reading), output: -1, error: -1)
            ChildTable.startGuardian { try? Spawning(command: command, mark: "guard").start(ends) }
            pipe.reading = nil
            state = .started(pipe)
        }
    }

    /// Lets it go at the end of a run that has left nothing.
    package static func dismiss() {
        let pipe = state.withLock { state -> Pipe? in
            awaited.store(false, ordering: .relaxed)
            defer { state = .off }
            if case .started(let pipe) = state { return pipe }
            return nil
        }
        guard let writing = pipe?.writing?.number else { return }
        var byte: UInt8 = 0
        // Nobody may be left to read it.
        signal(SIGPIPE, SIG_IGN)
        _ = write(writing, &byte, 1)
        ChildTable.reapGuardian()
    }

    /// In the guard: sleeps as long as `lane` lives; false when it let the guard go.
    package static func waitForKill() -> Bool {
        var byte: UInt8 = 0
        while true {
            let count = read(STDIN_FILENO, &byte, 1)
            if count >= 0 { return count == 0 }
            guard errno == EINTR else { return false }
        }
    }
}
