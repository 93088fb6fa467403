import Events
import OperatingSystem

/// A thread that updates live output ten times per second.
struct LiveClock: Sendable {
    private let end = Cancellation()
    private let thread: Thread?

    /// Starts the thread if `isNeeded` is `true`.
    init(ticking stream: EventStream, isNeeded: Bool) {
        let end = end
        thread = isNeeded ? Thread { while !end.wait(.milliseconds(100)) { stream.tick() } } : nil
    }

    func stop() {
        end.cancel()
        thread?.join()
    }
}
