import CLibrary
import CSpawn
import Synchronization

/// A thread that converts signals to a cancellation.
///
/// Start it before other threads, which inherit its mask of blocked signals. Unlike a signal handler, the thread can
/// call any function.
package enum SignalWatch {
    private struct Watch: Sendable {
        let signals: sigset_t
        let cancellation: Cancellation
    }

    private static let active = Mutex<Watch?>(nil)

    private static let endingSignals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
    /// The period in microseconds in which repeated signals count as one. `timeout` and other programs send a signal both
    /// to a process and to its group.
    private static let debounceInterval: UInt32 = 100_000
    /// The time in which an immediate cancellation usually ends a run.
    private static let patience = Duration.seconds(2)

    /// Starts the thread that waits for signals, unless it is running.
    ///
    /// The first SIGINT, SIGTERM or SIGHUP cancels gracefully. A second one cancels immediately, as does SIGQUIT unless
    /// there is a `QuitHandler`. One that comes two seconds later ends `lane` and its children at once, because `lane`
    /// itself is busy. SIGTSTP (Ctrl-Z) also stops the children until `lane` is continued. The thread reaps
    /// orphans, so only `ChildRunner` may start child processes.
    package static func begin(cancelling cancellation: Cancellation) {
        guard active.withLock({ $0 == nil }) else { return }
        ChildTable.adoptOrphans()
        // Writes to a closed pipe then fail with an error. Children get the default action.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        var watched = sigset_t()
        sigemptyset(&watched)
        for number in endingSignals + [SIGTSTP] where !isIgnored(number) { sigaddset(&watched, number) }
        pthread_sigmask(SIG_BLOCK, &watched, nil)
        let watch = Watch(signals: watched, cancellation: cancellation)
        active.withLock { $0 = watch }
        _ = Thread { handleSignals(watch) }
    }

    /// Handles the signals that are pending at the end of a run.
    package static func end() {
        var pending = sigset_t()
        guard let watch = active.withLock({ $0 }), sigpending(&pending) == 0 else { return }
        for number in endingSignals where sigismember(&pending, number) == 1 {
            watch.cancellation.cancel(.graceful, signal: number)
        }
    }

    private static func handleSignals(_ watch: Watch) -> Never {
        var set = watch.signals
        var hasRequest = false
        var immediateRequest: Duration?
        while true {
            var number: Int32 = 0
            guard sigwait(&set, &number) == 0 else { continue }
            switch number {
            case SIGTSTP: suspend()
            case SIGQUIT where QuitHandler.callAll(): break
            default:
                let now = Monotonic.now
                if let immediateRequest, now - immediateRequest > patience {
                    ChildTable.signalAll(SIGKILL)
                    reraise(number)
                }
                let isFirst = !hasRequest && number != SIGQUIT
                watch.cancellation.cancel(isFirst ? .graceful : .immediate, signal: number)
                guard isFirst else {
                    immediateRequest = immediateRequest ?? now
                    continue
                }
                hasRequest = true
                usleep(debounceInterval)
                discardPending(watch)
            }
        }
    }

    /// Discards signals that repeat the first request. A signal is pending from the moment it is sent, so it counts as a
    /// repetition even if this thread runs much later, on a busy machine.
    private static func discardPending(_ watch: Watch) {
        var pending = sigset_t()
        guard sigpending(&pending) == 0 else { return }
        for signal in endingSignals where signal != SIGQUIT && sigismember(&pending, signal) == 1 {
            var (set, number) = (sigset_t(), Int32(0))
            sigemptyset(&set)
            sigaddset(&set, signal)
            sigwait(&set, &number)
        }
    }

    /// Stops the children and `lane`, until `lane` is continued.
    private static func suspend() {
        ChildTable.whileAllAreStopped(Monotonic.suspend)
    }
}

/// Returns a Boolean value that indicates whether a signal was ignored when the process started, as `nohup` does with
/// SIGHUP.
func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    #if os(Linux)
        let handler = action.__sigaction_handler.sa_handler
    #else
        let handler = action.__sigaction_u.__sa_handler
    #endif
    return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
}

/// Ends this process with a signal. The shell then detects the cause and also stops its script.
package func reraise(_ number: Int32) -> Never {
    signal(number, SIG_DFL)
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, number)
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
    kill(getpid(), number)
    // Process 1 cannot be ended by its own signal.
    exit(128 + number)
}

/// A function that handles SIGQUIT, which then does not end the run.
///
/// The thread of `SignalWatch` calls the function and handles no other signal during the call.
package final class QuitHandler: Sendable {
    private static let handlers = Mutex<[QuitHandler]>([])

    private let handle: @Sendable () -> Void

    private init(_ handle: @escaping @Sendable () -> Void) { self.handle = handle }

    /// Adds a handler until `remove` is called.
    package static func add(_ handle: @escaping @Sendable () -> Void) -> QuitHandler {
        let handler = QuitHandler(handle)
        handlers.withLock { $0.append(handler) }
        return handler
    }

    /// Removes the handler. A call that has already started may still be running.
    package func remove() { Self.handlers.withLock { handlers in handlers.removeAll { $0 === self } } }

    /// Calls all handlers. Returns `false` if there are none.
    static func callAll() -> Bool {
        let handlers = handlers.withLock { $0 }
        for handler in handlers { handler.handle() }
        return !handlers.isEmpty
    }
}
