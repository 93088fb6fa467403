import Synchronization
import Threads

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A reader of events: a report, a recorder, a reducer. Called for one event at a time; it must not send any itself.
package protocol EventReceiver: AnyObject {
    func receive(_ event: LaneEvent)

    /// Nothing happened but time went by: for what moves on a screen. `offset` is the time since the run began.
    func tick(_ offset: Duration)
}

extension EventReceiver {
    package func tick(_ offset: Duration) {}
}

/// The one numbered stream of a run. Senders on any thread are put in order; receivers are called in that order, in the
/// sender's thread, so that a slow report slows the run and nothing piles up.
package final class EventStream: Sendable {
    private struct State {
        var lastNumber = 0
        var receivers: [any EventReceiver]
    }

    private let state: Monitor<State>
    /// The thread whose event the receivers are handling; 0 between events.
    private let sender = Atomic<UInt>(0)
    private let elapsed: @Sendable () -> Duration

    /// `elapsed` tells the time since the run began; tests pass one of their own.
    package init(elapsed: @escaping @Sendable () -> Duration, receivers: sending [any EventReceiver]) {
        state = Monitor(State(receivers: receivers))
        self.elapsed = elapsed
    }

    /// Numbers the event, stamps it with the time, and gives it to every receiver before another one comes.
    package func send(_ kind: LaneEvent.Kind, step: StepID? = nil) {
        let thread = currentThread
        precondition(sender.load(ordering: .relaxed) != thread, "a receiver of events sent one")
        state.withLock { state in
            sender.store(thread, ordering: .relaxed)
            defer { sender.store(0, ordering: .relaxed) }
            state.lastNumber += 1
            let event = LaneEvent(number: state.lastNumber, offset: elapsed(), step: step, kind: kind)
            for receiver in state.receivers { receiver.receive(event) }
        }
    }

    /// Reads from the first receiver of a type, between events.
    package func read<Receiver, Value: Sendable>(_ type: Receiver.Type, _ body: (Receiver) -> Value) -> Value? {
        state.withLock { state in state.receivers.lazy.compactMap { $0 as? Receiver }.first.map(body) }
    }

    /// Tells the receivers the time, between events; whoever shows something live calls it a few times a second.
    package func tick() {
        state.withLock { state in
            let offset = elapsed()
            for receiver in state.receivers { receiver.tick(offset) }
        }
    }
}

/// The calling thread's identity, never 0.
private var currentThread: UInt {
    #if os(Linux)
        pthread_self()
    #else
        UInt(bitPattern: pthread_self())
    #endif
}
