import Actions
import Events
import Git
import OperatingSystem
import Runner
import Synchronization
import Testing

@testable import LaneModel

@Suite struct TransactionTests {
    /// A transaction that records all calls.
    final class TestTracker: ReleaseSource, Transaction {
        let entries = Mutex<[String]>([])
        let beginFails: Bool
        let commitFails: Bool

        init(beginFails: Bool = false, commitFails: Bool = false) {
            self.beginFails = beginFails
            self.commitFails = commitFails
        }

        var directory: String { "/private" }

        func begin(_ git: Git, cleanup: Git) throws(OperationFailure) -> any Transaction {
            note("begin")
            if beginFails { throw OperationFailure(status: 65, "the tree is dirty") }
            return self
        }

        func plan(_ effect: TransactionEffect) { note("plan") }

        func identity(in environment: [String: String]) -> [String: String] { [:] }

        func check(commit: String) throws(OperationFailure) {}

        let values = TransactionValues()

        @discardableResult
        func commit() throws(OperationFailure) -> String? {
            note("commit")
            if commitFails { throw OperationFailure(status: 65, "the branch has moved") }
            return "it is real"
        }

        func abandon() { note("abandon") }

        func needsRecovery(root: String) -> Bool { false }

        func recover(_ git: Git) -> RecoveredTransaction? { nil }

        func interruptedRelease(_ git: Git) -> String? { nil }

        func lastRelease(_ git: Git) -> LastRelease? { nil }

        func isLastReleaseUnpushed(_ git: Git) -> Bool { false }

        func abort(_ git: Git) -> String? { nil }

        func note(_ text: String) {
            entries.withLock { $0.append(text) }
        }

        var all: [String] { entries.withLock { $0 } }
    }

    /// A release with a main step, an inner lane, and lanes before and after it. Each step prints its directory.
    func release(_ tracker: TestTracker, failing: String? = nil) -> ScriptedRun {
        var lane = ScriptedRun()
        lane.options.jobs = 2
        lane.transactions = tracker
        lane.groups = [
            PlanGroup(path: "all", lane: "all"),
            PlanGroup(path: "all/release", lane: "release", location: GroupLocation(parent: 0), isTransaction: true),
            PlanGroup(path: "all/release/test", lane: "test", location: GroupLocation(parent: 1)),
        ]
        lane.script("works") { _, context throws(OperationFailure) in
            let name = String(context.step.description.split(separator: "/").last ?? "")
            tracker.note("\(name) in \(context.directory)")
            if name == failing { throw OperationFailure(status: 5, "bad") }
            context.announce(Artifact(path: "dist/\(name)", size: 1, sha256: ""))
            return StepResult()
        }
        lane.add("first", "works")
        let works = StepTask(action: .custom("works"), settings: SettingsTemplate(members: []))
        for (id, after, group, stage) in [
            ("bump", ["first"], 1, .main), ("publish", [], 1, .then), ("tidy", [], 1, .always),
        ] as [(String, [String], Int, PlanStep.Stage)] {
            lane.steps.append(
                PlanStep(
                    id: "\(lane.groups[group].path)/\(id)", name: id, group: group,
                    schedule: StepSchedule(
                        stage: stage,
                        dependencies: after.compactMap { name in lane.steps.firstIndex { $0.name == name } }),
                    task: works))
        }
        lane.steps.append(
            PlanStep(
                id: "all/release/test/unit", name: "unit", group: 2,
                schedule: StepSchedule(dependencies: [1]), task: works))
        lane.steps.append(
            PlanStep(
                id: "all/last", name: "last", group: 0, schedule: StepSchedule(dependencies: [4]), task: works))
        return lane
    }

    @Test func isAppliedAfterItsMainSteps() {
        let tracker = TestTracker()
        #expect(release(tracker).run().status == 0)
        let order = tracker.all
        #expect(Array(order.prefix(5)) == ["first in /", "begin", "bump in /private", "unit in /private", "commit"])
        #expect(Set(order.dropFirst(5)) == ["publish in /", "tidy in /", "last in /"])
    }

    @Test(arguments: [(nil, "it is real"), ("unit", "nothing has been changed in the repository")])
    func itsEndIsReported(failing: String?, _ text: String) {
        let events = release(TestTracker(), failing: failing).run().record.events
        #expect(events.contains { $0.kind == .message(Message(.note, text)) })
    }

    /// Files that are removed with the worktree are not reported.
    @Test(arguments: [(nil, ["bump", "first", "last", "publish", "tidy", "unit"]), ("unit", ["first", "tidy"])])
    func filesAreReportedAfterTheCommit(failing: String?, _ names: [String]) {
        let events = release(TestTracker(), failing: failing).run().record.events
        let made = events.compactMap { event in
            if case .artifact(let artifact) = event.kind { artifact.path } else { nil }
        }
        #expect(made.sorted() == names.map { "dist/\($0)" })
    }

    @Test(arguments: ["bump", "unit"])
    func aFailureLeavesNoTrace(failing: String) {
        let tracker = TestTracker()
        let (status, record) = release(tracker, failing: failing).run()
        #expect(status == 5)
        #expect(tracker.all.contains("abandon"))
        #expect(!tracker.all.contains("commit"))
        #expect(!tracker.all.contains("publish in /"))
        #expect(tracker.all.last == "tidy in /")
        guard case .skipped = record.outcomes["all/release/publish"] else {
            Issue.record("publish was not skipped")
            return
        }
    }

    /// A main step, followed by a lane that runs another lane.
    private func followed(_ tracker: TestTracker) -> ScriptedRun {
        var lane = release(tracker)
        lane.steps = []
        lane.groups = [
            PlanGroup(path: "release", lane: "release", isTransaction: true),
            PlanGroup(path: "release/site", lane: "site", location: GroupLocation(parent: 0, stage: .then)),
            PlanGroup(path: "release/site/pages", lane: "pages", location: GroupLocation(parent: 1)),
        ]
        lane.add("main", "works")
        lane.add("pages", "works", group: 2)
        lane.add("upload", "works", group: 1)
        lane.add("tell", "works", group: 1, stage: .always)
        return lane
    }

    @Test func aLaneCanFollow() {
        let tracker = TestTracker()
        #expect(followed(tracker).run().status == 0)
        #expect(Array(tracker.all.prefix(3)) == ["begin", "main in /private", "commit"])
        #expect(Set(tracker.all.dropFirst(3).dropLast()) == ["pages in /", "upload in /"])
        #expect(tracker.all.last == "tell in /")
    }

    /// Nothing is final before the pull request is merged.
    @Test func stepsAfterAProposedReleaseAreSkipped() {
        let tracker = TestTracker()
        var lane = release(tracker)
        lane.script("proposes") { _, context in
            context.releases.setProposal("https://example.org/pull/1")
            return StepResult()
        }
        lane.steps[1] = PlanStep(
            id: "all/release/bump", name: "bump", group: 1, schedule: StepSchedule(dependencies: [0]),
            task: StepTask(action: .custom("proposes"), settings: SettingsTemplate(members: [])))
        let (status, record) = lane.run()
        #expect(status == 0)
        #expect(Set(tracker.all) == ["first in /", "begin", "unit in /private", "commit", "tidy in /", "last in /"])
        let reason = "the release is made when its pull request is merged: https://example.org/pull/1"
        #expect(record.outcomes["all/release/publish"] == .skipped(reason: reason))
    }

    @Test func noLaneFollowsAFailedTransaction() {
        let tracker = TestTracker(commitFails: true)
        var lane = followed(tracker)
        lane.options.failurePolicy = .keepGoing
        #expect(lane.run().status == 65)
        #expect(tracker.all == ["begin", "main in /private", "commit", "abandon"])
    }

    @Test func anEarlierFailureBeginsNoTransaction() {
        let tracker = TestTracker()
        #expect(release(tracker, failing: "first").run().status == 5)
        #expect(tracker.all == ["first in /"])
    }

    @Test(arguments: [true, false])
    func itsFailuresAreReported(atBegin: Bool) {
        let tracker = TestTracker(beginFails: atBegin, commitFails: !atBegin)
        var lane = release(tracker)
        lane.options.failurePolicy = .keepGoing
        let (status, record) = lane.run()
        #expect(status == 65)
        #expect(record.messages == [atBegin ? "error: the tree is dirty" : "error: the branch has moved"])
        #expect(tracker.all.contains("abandon") == !atBegin)
        #expect(tracker.all.contains("bump in /private") == !atBegin)
        #expect(!tracker.all.contains("bump in /"))
        #expect(!tracker.all.contains("publish in /"))
    }

    @Test func aCancellationAbandons() {
        let tracker = TestTracker()
        var lane = release(tracker)
        let cancellation = lane.cancellation
        lane.script("works") { _, context in
            if context.step.description.hasSuffix("unit") { cancellation.cancel() }
            return StepResult()
        }
        #expect(lane.run().status == 130)
        #expect(tracker.all == ["begin", "abandon"])
    }
}
