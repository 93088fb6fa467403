import Actions
import CLibrary
import Events
import OperatingSystem
import Runner
import Synchronization
import Testing

@testable import LaneModel

@Suite struct SchedulingTests {
    @Test func eventsFrameTheRun() throws {
        var lane = ScriptedRun()
        lane.add("a")
        lane.add("b", after: ["a"])
        let (status, record) = lane.run()
        #expect(status == 0)
        #expect(record.started == ["lane/a", "lane/b"])
        #expect(record.outcomes == ["lane/a": .passed, "lane/b": .passed])
        guard case .runStarted(let start)? = record.events.first?.kind,
            case .runEnded(let end)? = record.events.last?.kind
        else {
            Issue.record("the run has no frame")
            return
        }
        #expect(start.steps.map(\.name) == ["a", "b"])
        #expect(end.status == 0)
        #expect(record.events.map(\.number) == Array(1...6))
    }

    @Test func anEmptyPlanSucceeds() {
        let (status, record) = ScriptedRun().run()
        #expect(status == 0)
        #expect(record.events.count == 2)
    }

    @Test func aDependencyRunsFirst() {
        var lane = ScriptedRun()
        lane.options.jobs = 4
        let done = Mutex<Set<String>>([])
        lane.script("ordered") { _, context in
            let needs = ["lane/c": ["lane/a", "lane/b"], "lane/d": ["lane/c"]][context.step.description] ?? []
            done.withLock { done in
                #expect(done.isSuperset(of: needs))
                done.insert(context.step.description)
            }
            return StepResult()
        }
        for (id, after) in [("a", []), ("b", []), ("c", ["a", "b"]), ("d", ["c"])] {
            lane.add(id, "ordered", after: after)
        }
        #expect(lane.run().status == 0)
    }

    @Test func independentStepsRunTogetherUpToTheLimit() {
        var lane = ScriptedRun()
        lane.options.jobs = 3
        let meeting = Monitor<(present: Int, most: Int)>((0, 0))
        lane.script("meet") { _, context in
            meeting.withLock { state in
                state.present += 1
                state.most = max(state.most, state.present)
            }
            meeting.signalAll()
            // Each step waits for all three, so the run hangs unless they run at the same time.
            meeting.wait { $0.most >= 3 ? true : nil }
            meeting.withLock { $0.present -= 1 }
            return StepResult()
        }
        for number in 1...9 { lane.add("s\(number)", "meet") }
        #expect(lane.run().status == 0)
        #expect(meeting.withLock { $0.most } == 3)
    }

    @Test(arguments: [1, 2], [true, false])
    func longChainsAndWidePlansDoNotOverflowTheStack(jobs: Int, isChain: Bool) {
        var lane = ScriptedRun()
        lane.options.jobs = jobs
        lane.steps = (0..<10_000).map { index in
            PlanStep(
                id: "lane/\(index)", name: "\(index)", group: 0,
                schedule: StepSchedule(dependencies: index == 0 ? [] : [isChain ? index - 1 : 0]),
                task: StepTask(action: .custom("pass"), settings: SettingsTemplate(members: [])))
        }
        let (status, record) = lane.run()
        #expect(status == 0)
        #expect(record.started.count == 10_000)
    }

    @Test func deeplyNestedLanesDoNotOverflowTheStack() {
        var lane = ScriptedRun()
        lane.groups = (0..<10_000).map {
            PlanGroup(path: "g\($0)", lane: "g\($0)", location: $0 == 0 ? nil : GroupLocation(parent: $0 - 1))
        }
        lane.steps = (0..<10_000).map { index in
            PlanStep(
                id: "g\(9_999 - index)/1", name: "\(index)", group: 9_999 - index,
                schedule: StepSchedule(dependencies: index == 0 ? [] : [index - 1]),
                task: StepTask(action: .custom("pass"), settings: SettingsTemplate(members: [])))
        }
        #expect(lane.run().status == 0)
    }

    @Test func anInteractiveStepRunsAlone() {
        var lane = ScriptedRun()
        lane.options.jobs = 4
        let present = Mutex(0)
        lane.script("look") { _, context in
            present.withLock { $0 += 1 }
            if context.isInteractive {
                #expect(present.withLock { $0 } == 1)
                // Other steps have enough time to start, which would be a failure.
                context.cancellation.wait(.milliseconds(20))
                #expect(present.withLock { $0 } == 1)
            }
            present.withLock { $0 -= 1 }
            return StepResult()
        }
        for number in 1...20 { lane.add("s\(number)", "look", isInteractive: number % 5 == 0) }
        #expect(lane.run().status == 0)
    }
}
