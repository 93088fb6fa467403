import Events
import OperatingSystem
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A thread that updates live output ten times per second.
struct LiveClock: Sendable {
    private final class Switch: Sendable {
        let isOff = Atomic(false)
    }

    private let power = Switch()
    private let thread: Thread?

    /// Starts the thread if `isNeeded` is `true`.
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
