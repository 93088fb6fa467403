import LaneEvents
import Synchronization
import Threads

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Tells a live screen the time ten times a second, so that it moves while nothing happens.
struct LiveClock: Sendable {
    private final class Switch: Sendable {
        let isOff = Atomic(false)
    }

    private let power = Switch()
    private let thread: Thread?

    /// Does nothing where the screen is not live.
    init(ticking stream: EventStream, isNeeded: Bool) {
        let power = power
        thread =
            !isNeeded
            ? nil
            : Thread {
                while !power.isOff.load(ordering: .relaxed) {
                    usleep(100_000)
                    stream.tick()
                }
            }
    }

    func stop() {
        power.isOff.store(true, ordering: .relaxed)
        thread?.join()
    }
}
