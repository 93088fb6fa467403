import OperatingSystem
import Synchronization
import Testing

@testable import Events

@Suite struct EventStreamTests {
    private final class Recorder: EventReceiver, Sendable {
        let events = Mutex<[LaneEvent]>([])
        let ticks = Mutex<[Duration]>([])

        func receive(_ event: LaneEvent, _ run: RunSummary) { events.withLock { $0.append(event) } }
        func tick(_ offset: Duration, _ run: RunSummary) { ticks.withLock { $0.append(offset) } }
    }

    @Test func eventsAreNumberedWithoutGapsFromAnyThread() async {
        let recorder = Recorder()
        let stream = EventStream(elapsed: { .milliseconds(5) }, receivers: [recorder])
        await withTaskGroup(of: Void.self) { group in
            for sender in 0..<4 {
                group.addTask {
                    for _ in 0..<100 { stream.send(.test(.finished), step: StepID("\(sender)")) }
                }
            }
        }
        #expect(recorder.events.withLock { $0.map(\.number) } == Array(1...400))
    }

    /// Inside a receiver, the stream would wait for itself, so each of its methods checks for this.
    @Test func aReceiverIsRecognizedInItsOwnThreadOnly() async {
        final class Observer: EventReceiver, Sendable {
            let stream = Mutex<EventStream?>(nil)
            let seen = Mutex<[Bool]>([])

            func note() {
                let stream = stream.withLock { $0 }
                seen.withLock { $0.append(stream?.isWithinReceiver == true) }
            }
            func receive(_ event: LaneEvent, _ run: RunSummary) {
                note()
                let other = Thread { [self] in note() }
                other?.join()
            }
            func tick(_ offset: Duration, _ run: RunSummary) { note() }
        }
        let observer = Observer()
        let stream = EventStream(elapsed: { .zero }, receivers: [observer])
        observer.stream.withLock { $0 = stream }
        #expect(!stream.isWithinReceiver)
        stream.send(.test(.finished))
        stream.tick()
        _ = stream.read(Observer.self) { $0.note() }
        #expect(observer.seen.withLock { $0 } == [true, false, true, true])
        #expect(!stream.isWithinReceiver)
    }

    @Test func aPartIsARunOfItsStep() {
        let now = Mutex(Duration.zero)
        let (all, some) = (Recorder(), Recorder())
        let stream = EventStream(elapsed: { now.withLock { $0 } }, receivers: [all])
        stream.send(.runStarted(RunStart(lane: "ci", steps: [], startedAt: 1000)))
        now.withLock { $0 = .seconds(2) }
        stream.beginPart(of: StepID("a"), receivers: [some])
        now.withLock { $0 = .seconds(3) }
        stream.send(.test(.finished), step: StepID("b"))
        stream.send(.test(.finished), step: StepID("a"))
        stream.endPart(of: StepID("a"), status: 4, error: "lost")
        stream.send(.test(.finished), step: StepID("a"))
        #expect(all.events.withLock { $0.map(\.number) } == [1, 2, 3, 4])
        let expected: [(Duration, LaneEvent.Kind)] = [
            (.zero, .runStarted(RunStart(lane: "ci", steps: [], startedAt: 1002))),
            (.seconds(1), .test(.finished)), (.seconds(1), .message(Message(.error, "lost"))),
            (.seconds(1), .runEnded(RunEnd(status: 4, duration: .seconds(1)))),
        ]
        #expect(
            some.events.withLock { $0 }
                == expected.enumerated().map {
                    LaneEvent(number: $0 + 1, offset: $1.0, step: nil, kind: $1.1)
                })
    }

    @Test func ticksCarryTheTime() {
        let recorder = Recorder()
        EventStream(elapsed: { .milliseconds(5) }, receivers: [recorder]).tick()
        #expect(recorder.ticks.withLock { $0 } == [.milliseconds(5)])
    }
}
