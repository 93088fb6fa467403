import CLibrary
import CSpawn
import Synchronization

/// The monotonic clock. It stands still while `lane` is suspended, so time limits do not pass then.
package enum Monotonic {
    private struct Suspension: Sendable {
        /// The time at which `lane` was suspended, or `nil` while it runs.
        var start: Duration?
        /// The total time of all earlier suspensions.
        var total = Duration.zero
    }

    private static let suspension = Mutex(Suspension())

    /// The time since an unspecified moment, comparable in this process.
    package static var now: Duration { suspension.withLock { ($0.start ?? systemTime) - $0.total } }

    /// Stops all threads of this process until it is continued with SIGCONT.
    static func suspend() {
        // Other threads may continue before this one, and must not see the time that has passed.
        suspension.withLock { $0.start = $0.start ?? systemTime }
        // `raise` signals this thread, which therefore stops here.
        raise(SIGSTOP)
        suspension.withLock { suspension in
            if let start = suspension.start { suspension.total += systemTime - start }
            suspension.start = nil
        }
    }

    private static var systemTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return .seconds(Int(time.tv_sec)) + .nanoseconds(Int(time.tv_nsec))
    }
}

extension Duration {
    /// The duration in milliseconds for `poll`, rounded up and clamped to its range.
    package var pollMilliseconds: Int32 {
        guard self > .zero else { return 0 }
        let (seconds, fraction) = components
        guard seconds < 1_000_000 else { return 1_000_000_000 }
        return Int32(seconds * 1000 + (fraction + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
