import Synchronization
import Testing
import Threads

@testable import LaneEvents

@Suite struct EventStreamTests {
    private final class Recorder: EventReceiver, Sendable {
        let events = Mutex<[LaneEvent]>([])
        let ticks = Mutex<[Duration]>([])

        func receive(_ event: LaneEvent) { events.withLock { $0.append(event) } }
        func tick(_ offset: Duration) { ticks.withLock { $0.append(offset) } }
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

    /// From within a receiver the stream would wait for itself, so each of its methods checks this.
    @Test func aReceiverIsRecognizedInItsOwnThreadOnly() async {
        final class Observer: EventReceiver, Sendable {
            let stream = Mutex<EventStream?>(nil)
            let seen = Mutex<[Bool]>([])

            func note() {
                let stream = stream.withLock { $0 }
                seen.withLock { $0.append(stream?.isWithinReceiver == true) }
            }
            func receive(_ event: LaneEvent) {
                note()
                let other = Thread { [self] in note() }
                other?.join()
            }
            func tick(_ offset: Duration) { note() }
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

    @Test func ticksCarryTheTime() {
        let recorder = Recorder()
        EventStream(elapsed: { .milliseconds(5) }, receivers: [recorder]).tick()
        #expect(recorder.ticks.withLock { $0 } == [.milliseconds(5)])
    }
}
