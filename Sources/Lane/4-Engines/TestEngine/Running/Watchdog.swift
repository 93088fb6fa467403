import CLibrary
import OperatingSystem
import Synchronization

/// A thread that checks the time of tests and of the whole run.
///
/// It sleeps until the next deadline. All tests have the same limits, so a later test has a later deadline.
final class Watchdog: Sendable {
    private let run: TestRun
    private let begin = Monotonic.now
    private let ended = Cancellation()
    private let thread: Thread?
    private let quitDumps: QuitDumps

    init(_ run: TestRun, following cancellation: Cancellation) {
        self.run = run
        let (ended, begin) = (ended, begin)
        thread = Thread { Self.watch(run, since: begin, until: ended, cancellation) }
        quitDumps = QuitDumps(of: run)
    }

    /// Stops the thread and waits for its end.
    func dismiss() {
        // The thread may have read stacks since the limit.
        if let limit = run.options.times.runTimeout, Monotonic.now >= begin + limit { run.halt(.runTimeout(limit)) }
        quitDumps.end()
        ended.cancel()
        thread?.join()
    }

    private static func watch(
        _ run: TestRun, since begin: Duration, until ended: Cancellation, _ cancellation: Cancellation
    ) {
        let shortest = run.shortestTime
        while !ended.isCancelled {
            let now = Monotonic.now
            var next = now + shortest
            if let limit = run.options.times.runTimeout {
                if now >= begin + limit { end(run, at: limit) } else { next = min(next, begin + limit) }
            }
            if cancellation.isCancelled { run.halt(.cancelled) }
            for process in run.processes { next = min(next, process.check(at: now) ?? next) }
            sleep(until: next, ended, cancellation)
        }
    }

    /// Ends all processes. The results of their tests contain the stacks.
    private static func end(_ run: TestRun, at limit: Duration) {
        guard run.stop == nil else { return }
        let processes = run.processes
        _ = concurrentMap(processes.count, threads: processes.count) { processes[$0].keepStacks() }
        run.halt(.runTimeout(limit))
    }

    private static func sleep(until moment: Duration, _ ended: Cancellation, _ cancellation: Cancellation) {
        // The descriptor of a cancellation remains readable, so the thread does not wait for it again.
        var waiting = [
            pollfd(fd: ended.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: cancellation.isCancelled ? -1 : cancellation.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        let milliseconds = (moment - Monotonic.now) / .milliseconds(1)
        poll(&waiting, 2, Int32(min(max(milliseconds.rounded(.up), 1), 1e9)))
    }
}

/// A handler of SIGQUIT. For each signal, it prints the stacks of all test processes, until `end` is called.
final class QuitDumps: Sendable {
    private let handler = Mutex<QuitHandler?>(nil)
    private let threads = Mutex<[Thread]>([])

    /// Starts to handle the signal.
    init(of run: TestRun) {
        let added = QuitHandler.add { [weak self] in
            let thread = Thread { for process in run.processes { process.showStacks("running at SIGQUIT") } }
            if let thread { self?.threads.withLock { $0.append(thread) } }
        }
        handler.withLock { $0 = added }
    }

    /// Stops handling the signal, and waits until all stacks are printed.
    func end() {
        handler.withLock { $0.take() }?.remove()
        for thread in threads.withLock({ $0 }) { thread.join() }
    }
}
