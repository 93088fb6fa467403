import CSpawn
import Synchronization
import Threads

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Turns the signals that a person or the system sends to `lane` into a cancellation.
///
/// Begin before any other thread starts: every later thread then has the signals blocked, and one thread waits for them,
/// free to do what a signal handler must not.
package enum SignalWatch {
    private struct Watch: Sendable {
        let signals: sigset_t
        let cancellation: Cancellation
    }

    private static let begun = Mutex<Watch?>(nil)

    private static let endings = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
    /// `timeout` and others send a signal to a process and to its group: what follows as closely is the same request.
    private static let echo = Duration.milliseconds(100)

    /// Starts the thread that waits for signals; does nothing when it runs already.
    ///
    /// The first of INT, TERM and HUP cancels gracefully, a second one at once, and so does QUIT. A stop (Ctrl-Z) also
    /// stops the children until `lane` is continued. From here on ended orphans are reaped: the process must have no
    /// children other than those of `ChildRunner`.
    package static func begin(cancelling cancellation: Cancellation) {
        guard begun.withLock({ $0 == nil }) else { return }
        ChildTable.adoptOrphans()
        // A closed pipe and a limit on the size of files are seen where it is written. Children get the default back.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        var watched = sigset_t()
        sigemptyset(&watched)
        for number in endings + [SIGTSTP] where !isIgnored(number) { sigaddset(&watched, number) }
        pthread_sigmask(SIG_BLOCK, &watched, nil)
        let watch = Watch(signals: watched, cancellation: cancellation)
        begun.withLock { $0 = watch }
        _ = Thread { take(watch) }
    }

    /// Takes signals that are still pending at the end of a run into account.
    package static func end() {
        var pending = sigset_t()
        guard let watch = begun.withLock({ $0 }), sigpending(&pending) == 0 else { return }
        for number in endings where sigismember(&pending, number) == 1 {
            watch.cancellation.cancel(.graceful, signal: number)
        }
    }

    private static func take(_ watch: Watch) -> Never {
        var set = watch.signals
        var firstRequest: Duration?
        while true {
            var number: Int32 = 0
            guard sigwait(&set, &number) == 0 else { continue }
            switch number {
            case SIGTSTP: suspend()
            case SIGQUIT: watch.cancellation.cancel(.immediate, signal: number)
            default:
                let now = Monotonic.now
                if let firstRequest, now - firstRequest < echo { continue }
                watch.cancellation.cancel(firstRequest == nil ? .graceful : .immediate, signal: number)
                firstRequest = firstRequest ?? now
            }
        }
    }

    /// Stops the children and then `lane`, and goes on with both when the shell says so.
    private static func suspend() {
        ChildTable.signalAll(SIGSTOP)
        // To this thread, so that it does not go on before it is continued.
        raise(SIGSTOP)
        ChildTable.signalAll(SIGCONT)
    }
}

/// Whether whoever started this process wants a signal ignored, as `nohup` does with HUP.
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

/// Ends this process by a signal, so that the shell that started it sees what happened and stops its script, too.
package func reraise(_ number: Int32) -> Never {
    signal(number, SIG_DFL)
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, number)
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
    kill(getpid(), number)
    // As PID 1 it cannot be ended by a signal of its own.
    exit(128 + number)
}
