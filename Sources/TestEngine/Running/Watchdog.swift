import LaneEvents
import Processes
import Threads

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Looks after the time while tests run: slow ones, those over their limit, and the limit of the whole run.
///
/// Its thread sleeps until the next thing is due. As all tests have the same limits, one that begins meanwhile cannot be
/// due before the thread wakes by itself.
final class Watchdog: Sendable {
    private let ended = Cancellation()
    private let thread: Thread?

    init(_ run: TestRun, following cancellation: Cancellation) {
        let (ended, begin) = (ended, Monotonic.now)
        thread = Thread { Self.watch(run, since: begin, until: ended, cancellation) }
    }

    /// Returns when the watch has ended.
    func dismiss() {
        ended.cancel()
        thread?.join()
    }

    private static func watch(
        _ run: TestRun, since begin: Duration, until ended: Cancellation, _ cancellation: Cancellation
    ) {
        let shortest = min(run.options.times.slowAfter, run.options.times.timeout ?? run.options.times.slowAfter)
        while !ended.isCancelled {
            let now = Monotonic.now
            var next = now + shortest
            if let limit = run.options.times.runTimeout {
                if now >= begin + limit { run.halt(.runTimeout(limit)) } else { next = min(next, begin + limit) }
            }
            if cancellation.isCancelled { run.halt(.cancelled) }
            for process in run.processes { next = min(next, process.check(at: now) ?? next) }
            sleep(until: next, ended, cancellation)
        }
    }

    private static func sleep(until moment: Duration, _ ended: Cancellation, _ cancellation: Cancellation) {
        // Once cancelled its descriptor stays readable, so it is not waited for again.
        var waiting = [
            pollfd(fd: ended.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: cancellation.isCancelled ? -1 : cancellation.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        let milliseconds = (moment - Monotonic.now) / .milliseconds(1)
        poll(&waiting, 2, Int32(min(max(milliseconds.rounded(.up), 1), 1e9)))
    }
}
