import LaneEvents
import Synchronization
import Testing

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

    @Test func ticksCarryTheTime() {
        let recorder = Recorder()
        EventStream(elapsed: { .milliseconds(5) }, receivers: [recorder]).tick()
        #expect(recorder.ticks.withLock { $0 } == [.milliseconds(5)])
    }
}
