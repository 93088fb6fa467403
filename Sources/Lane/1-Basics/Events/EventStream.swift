import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A receiver of events, such as a report.
///
/// A receiver is called with one event at a time. It must not send events.
package protocol EventReceiver: AnyObject {
    func receive(_ event: LaneEvent)

    /// Updates live output between events. `offset` is the time since the start of the run.
    func tick(_ offset: Duration)
}

extension EventReceiver {
    package func tick(_ offset: Duration) {}
}

/// A stream of numbered events of a run.
///
/// Any thread can send events. The stream calls the receivers with one event at a time on the sender's thread. A slow
/// report therefore slows the run and does not fill memory.
package final class EventStream: Sendable {
    private struct State {
        var lastNumber = 0
        var receivers: [any EventReceiver]
        var run: RunStart?
        var parts: [Part] = []
    }

    /// The events of one step, presented to receivers as a run of this step only.
    private struct Part {
        let step: StepID
        /// The time from the start of the whole run.
        let start: Duration
        let receivers: [any EventReceiver]
        var lastNumber = 0

        mutating func send(_ kind: LaneEvent.Kind, at offset: Duration) {
            lastNumber += 1
            let event = LaneEvent(number: lastNumber, offset: offset - start, step: nil, kind: kind)
            for receiver in receivers { receiver.receive(event) }
        }
    }

    private let state: Mutex<State>
    /// The thread that is calling the receivers, or 0.
    private let sender = Atomic<UInt>(0)
    private let elapsed: @Sendable () -> Duration

    /// Creates a stream. `elapsed` returns the time since the start of the run.
    package init(elapsed: @escaping @Sendable () -> Duration, receivers: sending [any EventReceiver]) {
        state = Mutex(State(receivers: receivers))
        self.elapsed = elapsed
    }

    /// Numbers an event, adds the time, and passes it to every receiver.
    package func send(_ kind: LaneEvent.Kind, step: StepID? = nil) {
        exclusively { state in
            state.lastNumber += 1
            let event = LaneEvent(number: state.lastNumber, offset: elapsed(), step: step, kind: kind)
            for receiver in state.receivers { receiver.receive(event) }
            if case .runStarted(let start) = kind { state.run = start }
            for index in state.parts.indices where state.parts[index].step == step {
                state.parts[index].send(kind, at: event.offset)
            }
        }
    }

    /// Passes the events of a step to additional receivers, as a run that starts now and ends with
    /// `endPart(of:status:error:)`.
    package func beginPart(of step: StepID, receivers: sending [any EventReceiver]) {
        exclusively { state in
            let offset = elapsed()
            var part = Part(step: step, start: offset, receivers: receivers)
            let startedAt = (state.run?.startedAt ?? 0) + offset / .seconds(1)
            part.send(.runStarted(RunStart(lane: state.run?.lane ?? "", steps: [], startedAt: startedAt)), at: offset)
            state.parts.append(part)
        }
    }

    /// Ends the run that `beginPart(of:receivers:)` started.
    ///
    /// - Parameter error: The reason for a failure that the events of the step do not contain.
    package func endPart(of step: StepID, status: Int32, error: String? = nil) {
        exclusively { state in
            guard let index = state.parts.lastIndex(where: { $0.step == step }) else { return }
            var part = state.parts.remove(at: index)
            let offset = elapsed()
            if let error { part.send(.message(Message(.error, error)), at: offset) }
            part.send(.runEnded(RunEnd(status: status, duration: offset - part.start)), at: offset)
        }
    }

    /// Calls `body` with the first receiver of a type, between events. Returns `nil` if there is none.
    package func read<Receiver: EventReceiver, Value: Sendable>(
        _ type: Receiver.Type, _ body: (Receiver) -> Value
    ) -> Value? {
        exclusively { state in
            for case let receiver as Receiver in state.receivers { return body(receiver) }
            return nil
        }
    }

    /// Calls `tick` of the receivers, between events. Live output needs a few calls per second.
    package func tick() {
        exclusively { state in
            let offset = elapsed()
            for receiver in state.receivers { receiver.tick(offset) }
        }
    }

    /// A Boolean value that indicates whether the calling thread is inside a receiver, where any use of the stream
    /// would deadlock.
    var isWithinReceiver: Bool { sender.load(ordering: .relaxed) == currentThread }

    private func exclusively<Result>(_ body: (inout State) -> sending Result) -> Result {
        precondition(!isWithinReceiver, "a receiver used its event stream")
        return state.withLock { state in
            sender.store(currentThread, ordering: .relaxed)
            defer { sender.store(0, ordering: .relaxed) }
            return body(&state)
        }
    }
}

/// The identifier of the calling thread, which is never 0.
private var currentThread: UInt {
    #if os(Linux)
        pthread_self()
    #else
        UInt(bitPattern: pthread_self())
    #endif
}
