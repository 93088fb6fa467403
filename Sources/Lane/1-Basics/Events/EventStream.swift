import CLibrary
import Synchronization

/// A receiver of events, such as a report.
///
/// A receiver is called with one event at a time. It must not send events.
package protocol EventReceiver: AnyObject {
    /// Handles an event. `run` includes the event and is the same for all receivers, so their numbers agree.
    func receive(_ event: LaneEvent, _ run: RunSummary)

    /// Updates live output between events. `offset` is the time since the start of the run.
    func tick(_ offset: Duration, _ run: RunSummary)
}

extension EventReceiver {
    package func tick(_ offset: Duration, _ run: RunSummary) {}
}

/// A type that takes the events of a run, or of one of its steps.
package protocol EventSink: Sendable {
    func send(_ kind: LaneEvent.Kind)
}

extension EventSink {
    /// Sends a message.
    package func report(_ level: Message.Level, _ text: String) { send(.message(Message(level, text))) }
}

/// A stream of numbered events of a run, with their summary.
///
/// Any thread can send events. The stream calls the receivers with one event at a time on the sender's thread. A slow
/// report therefore slows the run and does not fill memory.
package final class EventStream: EventSink {
    /// A run, or the events of one step, which are presented to receivers as a run of this step only.
    private struct Run {
        let receivers: [any EventReceiver]
        var summary: RunSummary
        var lastNumber = 0

        mutating func send(_ kind: LaneEvent.Kind, step: StepID?, at offset: Duration) {
            lastNumber += 1
            let event = LaneEvent(number: lastNumber, offset: offset, step: step, kind: kind)
            summary.receive(event)
            for receiver in receivers { receiver.receive(event, summary) }
        }
    }

    private struct State {
        var run: Run
        /// The runs of single steps, with the times from the start of the whole run.
        var parts: [(step: StepID, start: Duration, run: Run)] = []
    }

    private let state: Monitor<State>
    /// The thread that is calling the receivers, or 0.
    private let sender = Atomic<UInt>(0)
    private let elapsed: @Sendable () -> Duration

    /// Creates a stream.
    ///
    /// - Parameters:
    ///   - elapsed: A closure that returns the time since the start of the run.
    ///   - passed: The data to keep of tests that passed at the first attempt. It must be sufficient for each receiver.
    package init(
        elapsed: @escaping @Sendable () -> Duration = { .zero }, passed: PassedTestDetail = .records,
        receivers: sending [any EventReceiver] = []
    ) {
        state = Monitor(State(run: Run(receivers: receivers, summary: RunSummary(passed: passed))))
        self.elapsed = elapsed
    }

    /// The current state of the run.
    package var summary: RunSummary { exclusively { $0.run.summary } }

    /// Sends an event of the run as a whole.
    package func send(_ kind: LaneEvent.Kind) { send(kind, step: nil) }

    /// Numbers an event, adds the time, and passes it to every receiver.
    package func send(_ kind: LaneEvent.Kind, step: StepID?) {
        exclusively { state in
            let offset = elapsed()
            state.run.send(kind, step: step, at: offset)
            for index in state.parts.indices where state.parts[index].step == step {
                state.parts[index].run.send(kind, step: nil, at: offset - state.parts[index].start)
            }
        }
    }

    /// Passes the events of a step to additional receivers, as a run that starts now and ends with
    /// `endPart(of:status:error:)`.
    package func beginPart(of step: StepID, receivers: sending [any EventReceiver]) {
        exclusively { state in
            let start = elapsed()
            var run = Run(receivers: receivers, summary: RunSummary())
            let (lane, startedAt) = (state.run.summary.lane, state.run.summary.startedAt + start / .seconds(1))
            run.send(.runStarted(RunStart(lane: lane, steps: [], startedAt: startedAt)), step: nil, at: .zero)
            state.parts.append((step, start, run))
        }
    }

    /// Ends the run that `beginPart(of:receivers:)` started.
    ///
    /// - Parameter error: The reason for a failure that the events of the step do not contain.
    package func endPart(of step: StepID, status: Int32, error: String? = nil) {
        exclusively { state in
            guard let index = state.parts.lastIndex(where: { $0.step == step }) else { return }
            let part = state.parts.remove(at: index)
            var run = part.run
            let offset = elapsed() - part.start
            if let error { run.send(.message(Message(.error, error)), step: nil, at: offset) }
            run.send(.runEnded(RunEnd(status: status, duration: offset)), step: nil, at: offset)
        }
    }

    /// Calls `body` with the first receiver of a type, between events. Returns `nil` if there is none.
    package func read<Receiver: EventReceiver, Value: Sendable>(
        _ type: Receiver.Type, _ body: (Receiver) -> Value
    ) -> Value? {
        exclusively { state in
            for case let receiver as Receiver in state.run.receivers { return body(receiver) }
            return nil
        }
    }

    /// Calls `tick` of the receivers, between events. Live output needs a few calls per second.
    package func tick() {
        exclusively { state in
            let offset = elapsed()
            for receiver in state.run.receivers { receiver.tick(offset, state.run.summary) }
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
