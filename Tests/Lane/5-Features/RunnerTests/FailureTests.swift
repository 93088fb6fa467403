import Actions
import CLibrary
import Events
import Expressions
import OperatingSystem
import Runner
import Synchronization
import Testing
import YAML

@testable import LaneModel

@Suite struct FailureTests {
    @Test func theFirstFailureDeterminesTheStatusAndSkipsTheRest() {
        var lane = ScriptedRun()
        lane.options.jobs = 1
        lane.add("a", "fail")
        lane.add("b", after: ["a"])
        lane.add("c", after: ["b"])
        lane.add("free")
        lane.add("after free", after: ["free"])
        let (status, record) = lane.run()
        #expect(status == 7)
        #expect(record.outcomes["lane/a"] == .failed(status: 7, message: "no good"))
        for id in ["b", "c", "free", "after free"] {
            #expect(record.outcomes["lane/\(id)"] == .skipped(reason: "'a' failed"))
        }
        #expect(record.started == ["lane/a"])
    }

    @Test func keepGoingRunsIndependentSteps() {
        var lane = ScriptedRun()
        lane.options.jobs = 1
        lane.options.failurePolicy = .keepGoing
        lane.script("other") { _, _ throws(OperationFailure) in throw OperationFailure(status: 9, "also bad") }
        lane.add("a", "fail")
        lane.add("b", after: ["a"])
        lane.add("free")
        lane.add("second", "other")
        let (status, record) = lane.run()
        #expect(status == 7)
        #expect(record.outcomes["lane/free"] == .passed)
        #expect(record.outcomes["lane/b"] == .passed)
        #expect(record.outcomes["lane/second"] == .failed(status: 9, message: "also bad"))
    }

    @Test func failFastCancelsTheOthers() throws {
        var lane = ScriptedRun()
        lane.options.failurePolicy = .cancelOthers
        let running = Monitor(false)
        lane.script("waits") { _, context throws(OperationFailure) in
            running.withLock { $0 = true }
            running.signalAll()
            context.cancellation.wait(.seconds(60))
            throw OperationFailure("cancelled", cause: .cancelled)
        }
        lane.script("fails later") { _, _ throws(OperationFailure) in
            running.wait { $0 ? true : nil }
            throw OperationFailure(status: 3, "bad")
        }
        lane.add("slow", "waits")
        lane.add("bad", "fails later")
        lane.add("last", after: ["slow"])
        let (status, record) = lane.run()
        #expect(status == 3)
        #expect(record.outcomes["lane/slow"] == .cancelled)
        #expect(record.outcomes["lane/last"] == .skipped(reason: "'bad' failed"))
    }

    @Test func aForgivenFailureDoesNotStopTheLane() {
        var lane = ScriptedRun()
        lane.add("a", "fail", continuesOnError: true)
        lane.add("b", after: ["a"])
        let (status, record) = lane.run()
        #expect(status == 0)
        #expect(record.outcomes["lane/a"] == .failed(status: 7, message: "no good"))
        #expect(record.outcomes["lane/b"] == .passed)
    }

    @Test func conditionsSelectSteps() {
        var lane = ScriptedRun()
        lane.options.jobs = 1
        lane.add("no", condition: "1 == 2")
        lane.add("sees its variables", condition: "env.X == 'y'", environment: [("X", Template("y"))])
        lane.add("after no", after: ["no"])
        lane.add("bad", "fail", after: ["after no"])
        lane.add("on failure", after: ["bad"], condition: "failure()")
        lane.add("whatever", after: ["bad"], condition: "always()")
        lane.add("on success", after: ["bad"], condition: "success()")
        lane.add("wrong", condition: "env.PATH", continuesOnError: true)
        let (status, record) = lane.run()
        #expect(status == 7)
        #expect(record.outcomes["lane/sees its variables"] == .passed)
        #expect(record.outcomes["lane/no"] == .skipped(reason: "condition '1 == 2' does not hold"))
        #expect(record.outcomes["lane/after no"] == .passed)
        #expect(record.outcomes["lane/on failure"] == .passed)
        #expect(record.outcomes["lane/whatever"] == .passed)
        #expect(record.outcomes["lane/on success"] == .skipped(reason: "condition 'success()' does not hold"))
        guard case .failed(65, _) = record.outcomes["lane/wrong"] else {
            Issue.record("a text for a condition: \(String(describing: record.outcomes["lane/wrong"]))")
            return
        }
    }

    @Test func aLaneWithAFalseConditionIsSkipped() throws {
        var lane = ScriptedRun()
        let condition = try Expression(condition: .text("ci.name == 'x'"))
        lane.groups.append(
            PlanGroup(path: "lane/inner", lane: "inner", location: GroupLocation(parent: 0), condition: condition))
        lane.add("a", group: 1)
        lane.add("hook", group: 1, stage: .always)
        lane.add("b", after: ["a"])
        let (status, record) = lane.run()
        let reason = "condition \"ci.name == 'x'\" of lane 'inner' does not hold"
        #expect(status == 0)
        #expect(record.outcomes["lane/inner/a"] == .skipped(reason: reason))
        #expect(record.outcomes["lane/inner/hook"] == .skipped(reason: reason))
        #expect(record.outcomes["lane/b"] == .passed)
    }

    @Test func retriesUntilSuccess() {
        var lane = ScriptedRun()
        let attempts = Mutex(0)
        lane.script("flaky") { _, _ throws(OperationFailure) in
            let attempt = attempts.withLock { attempts in
                attempts += 1
                return attempts
            }
            if attempt < 3 { throw OperationFailure(status: 75, "try later\nreally") }
            return StepResult()
        }
        lane.add("a", "flaky", retry: Retry(times: 3, backoff: .milliseconds(2)))
        let (status, record) = lane.run()
        #expect(status == 0)
        #expect(
            record.retries == [
                StepRetry(attempt: 1, attempts: 4, reason: "try later", delay: .milliseconds(2)),
                StepRetry(attempt: 2, attempts: 4, reason: "try later", delay: .milliseconds(4)),
            ])
    }

    /// A backoff of seconds or more does not extend a lane beyond its timeout.
    @Test(arguments: [Duration.seconds(100), .seconds(100_000)])
    func noBackoffExceedsTheTimeoutOfTheLane(backoff: Duration) {
        var lane = ScriptedRun()
        lane.groups = [PlanGroup(path: "lane", lane: "lane", timeout: .seconds(90))]
        lane.add("a", "fail", retry: Retry(times: 3, backoff: backoff))
        let start = Monotonic.now
        let (status, record) = lane.run()
        #expect(status == 7)
        #expect(record.retries.isEmpty)
        #expect(record.messages == ["note: not retried: the lane's timeout comes before the next attempt"])
        #expect(Monotonic.now - start < .seconds(90))
    }

    @Test func onlyListedStatusesAreRetried() {
        var lane = ScriptedRun()
        lane.add("a", "fail", retry: Retry(times: 3, statuses: [75]))
        let (status, record) = lane.run()
        #expect(status == 7)
        #expect(record.retries.isEmpty)
    }

    @Test func hooksFollowTheirLane() {
        var lane = ScriptedRun()
        lane.options.jobs = 1
        lane.groups.append(PlanGroup(path: "lane/inner", lane: "inner", location: GroupLocation(parent: 0)))
        lane.add("bad", "fail", group: 1)
        lane.add("never", after: [])
        lane.add("inner on failure", group: 1, stage: .onFailure)
        lane.add("broken", "fail", stage: .onFailure)
        lane.add("on failure", after: ["broken"], stage: .onFailure)
        lane.add("always", stage: .always)
        let (status, record) = lane.run()
        #expect(status == 7)
        #expect(
            record.started == [
                "lane/inner/bad", "lane/inner/inner on failure", "lane/broken", "lane/on failure", "lane/always",
            ])
        #expect(record.outcomes["lane/never"] == .skipped(reason: "'bad' failed"))
    }

    @Test func withoutFailureOnlyAlwaysRuns() {
        var lane = ScriptedRun()
        lane.add("good")
        lane.add("on failure", stage: .onFailure)
        lane.add("always", stage: .always)
        lane.add("then", stage: .then)
        let (status, record) = lane.run()
        #expect(status == 0)
        #expect(record.started == ["lane/good", "lane/then", "lane/always"])
        #expect(record.outcomes["lane/on failure"] == .skipped(reason: "nothing failed"))
    }

    /// An action may be between two processes when the run is cancelled.
    @Test(arguments: [
        OperationFailure("cancelled", cause: .cancelled), OperationFailure(status: 128 + 15, "the run was cancelled"),
    ])
    func hooksRunAfterACancellation(_ failure: OperationFailure) {
        var lane = ScriptedRun()
        let cancellation = lane.cancellation
        lane.script("interrupted") { _, _ throws(OperationFailure) in
            cancellation.cancel(.graceful, signal: 15)
            throw failure
        }
        lane.script("tidy") { _, context in
            #expect(!context.cancellation.isCancelled)
            return StepResult()
        }
        lane.add("a", "interrupted")
        lane.add("b", after: ["a"])
        lane.add("tidy", "tidy", stage: .always)
        let (status, record) = lane.run()
        #expect(status == 128 + 15)
        #expect(record.outcomes["lane/a"] == .cancelled)
        #expect(record.outcomes["lane/b"] == .skipped(reason: "the run was cancelled"))
        #expect(record.outcomes["lane/tidy"] == .passed)
    }

    @Test func outputsReachLaterSteps() throws {
        var lane = ScriptedRun()
        lane.script("makes") { _, _ in StepResult(outputs: ["version": .string("1.2.0")]) }
        lane.script("sees") { _, context in
            #expect(context.environment["V"] == "v1.2.0")
            #expect(context.environment["W"] == "v1.2.0+")
            return StepResult()
        }
        lane.add("bump", "makes")
        lane.add(
            "use", "sees", after: ["bump"], condition: "steps.bump.version == '1.2.0'",
            environment: [
                (
                    "V",
                    Template(parts: [.text("v"), .expression(try Expression(condition: .text("steps.bump.version")))])
                ),
                ("W", Template(parts: [.expression(try Expression(condition: .text("env.V"))), .text("+")])),
            ])
        let (status, record) = lane.run()
        #expect(status == 0)
        #expect(record.started == ["lane/bump", "lane/use"])
    }

    @Test func anUnknownActionIsAnInternalFailure() {
        var lane = ScriptedRun()
        lane.add("a", "nonsense")
        #expect(lane.run().status == 70)
    }
}
