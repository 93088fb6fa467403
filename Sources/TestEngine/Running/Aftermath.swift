import LaneEvents
import Processes
import TestOutput

/// What becomes of the tests of a process that has ended: who ended it, who runs again, who never will.
struct Aftermath: Equatable {
    enum Fate: Equatable {
        /// It took its process with it, with this to tell of it.
        case ended(TestResult.Outcome, TestIssue?)
        /// It did nothing wrong and gets its turn in a fresh process.
        case again(WorkItem.Company)
        /// What XCTest printed does not tell how it ended; the observer will.
        case observed
        /// It crashed; with which argument, it shall tell alone.
        case tells(CrashEvidence)
        /// It was over its time beside others, any of which may have held it up; it runs on its own to decide.
        case late(Lateness)
    }

    private(set) var fates: [(item: WorkItem, fate: Fate)] = []
    /// Tests that had recorded a failure when their process was ended under them: they cannot pass any more.
    private(set) var failed: Set<Int> = []
    /// Tests that may only have waited for a thread when their process was ended for late ones.
    private(set) var waited: [Int] = []
    /// Several were running, and only one can be the cause: of a crash, or of a failure.
    private(set) var suspicion: (tests: Set<Int>, issue: TestIssue, isCrash: Bool)?
    /// What failed and belongs to no test.
    private(set) var runIssue: TestIssue?
    /// What a sanitizer found in tests that went on.
    private(set) var faults: [TestIssue] = []

    static func == (one: Aftermath, other: Aftermath) -> Bool {
        one.fates.elementsEqual(other.fates) { $0.item == $1.item && $0.fate == $1.fate }
            && one.suspicion?.tests == other.suspicion?.tests && one.runIssue == other.runIssue
            && one.faults == other.faults && one.failed == other.failed && one.waited == other.waited
    }

    /// What a process had done when it ended.
    struct Scene {
        struct RunningTest {
            let item: WorkItem
            /// For how long it had been running.
            let duration: Duration
            /// The arguments of a parameterised test that had begun.
            let arguments: [String]
            /// It had recorded a failure.
            var hasFailed = false
        }

        let batch: Batch
        let report: ExitReport
        let running: [RunningTest]
        /// Asked for, and not begun.
        let waiting: [WorkItem]
        /// How many tests came to their end.
        let ended: Int
        /// It told of a failure, by which its exit status is explained.
        let hasToldFailure: Bool
        /// Tests that were over their time, for which the process was ended. Some may have come to their end all the same.
        let late: Set<Int>
        let stop: StopReason?
        let crash: CrashReport?
        /// What a sanitizer reported.
        var faults: [SanitizerReport] = []
        /// More tests were running than there were threads for them.
        var isCrowded = false

        /// Returns whether the text of XCTest does not tell which of its tests ended the process, and whether one did: a test
        /// may have closed standard output, or redirected it, so that nothing is heard of the next.
        func isInDoubt(_ tests: [ListedTest]) -> Bool {
            guard batch.library == .xctest, !batch.isWhole, !batch.isObserved, faults.isEmpty, report.stoppedBy == nil
            else {
                return false
            }
            let mayHaveEndedWell = [0, 1].contains { report.termination == .exited($0) }
            if mayHaveEndedWell { return !(running.isEmpty && waiting.isEmpty) }
            guard let last = running.last, !waiting.isEmpty else { return false }
            return crash?.passes(through: tests[last.item.test].info) != true
        }

        /// One test was at work, and nothing beside it.
        var isAlone: Bool { batch.isSerial || running.count == 1 }

        /// The fault that ended the process while a test was running.
        var fatalFault: SanitizerReport? {
            guard !running.isEmpty, report.stoppedBy == nil, let last = faults.last, last.isFatal else { return nil }
            return last
        }

        /// Whether its status is one with which a sanitizer ends a process whose own would be another: that of
        /// AddressSanitizer, of LeakSanitizer, or of ThreadSanitizer.
        var endedForFaults: Bool {
            !faults.isEmpty && [1, 23, 66].map { .exited($0) }.contains(report.termination)
        }

        /// Where it ended, as far as that is known.
        var location: SourceLocation? { crash?.location ?? fatalFault?.places.first }
    }

    init(of scene: Scene, tests: [ListedTest], timeout: Duration?) {
        if let stop = scene.stop, scene.report.stoppedBy != nil {
            endStopped(scene, stop)
        } else if !scene.late.isEmpty {
            endLate(scene, tests, timeout ?? .zero)
        } else if scene.isInDoubt(tests) {
            endInDoubt(scene)
        } else if scene.running.isEmpty {
            endBetweenTests(scene, tests)
        } else {
            endInTest(scene, tests)
        }
        tellFaults(scene, tests)
        failed = Set(scene.running.filter(\.hasFailed).map(\.item.test))
    }

    private mutating func tellFaults(_ scene: Scene, _ tests: [ListedTest]) {
        let survived = scene.fatalFault == nil ? scene.faults : scene.faults.dropLast()
        for fault in survived where !fault.isForeignLeak {
            let test = scene.batch.items.map { tests[$0.test].info }.filter(fault.passes).max {
                $0.location?.line ?? 0 < $1.location?.line ?? 0
            }
            let words = test.map { "\(fault.text)\nwhile \($0.id) ran" } ?? fault.text
            faults.append(TestIssue(test: nil, text: words, at: fault.places.first))
        }
    }

    private mutating func endStopped(_ scene: Scene, _ stop: StopReason) {
        for test in scene.running {
            if case .runTimeout = stop {
                fates.append((test.item, .ended(.timedOut(after: test.duration), nil)))
            } else {
                fates.append((test.item, .ended(.notRun(reason: "\(stop) while it ran"), nil)))
            }
        }
        fates += scene.waiting.map { ($0, .ended(.notRun(reason: stop.description), nil)) }
    }

    private mutating func endLate(_ scene: Scene, _ tests: [ListedTest], _ timeout: Duration) {
        fates += scene.waiting.map { ($0, .again($0.company)) }
        if scene.isCrowded {
            // Which of them were at work is not known, so they go on one after the other.
            waited = scene.running.map(\.item.test)
            fates += scene.running.map { ($0.item, .again(.serial)) }
            return
        }
        for test in scene.running {
            guard scene.late.contains(test.item.test) else {
                fates.append((test.item, .again(test.item.company)))
                continue
            }
            let info = tests[test.item.test].info
            let beside = scene.isAlone ? "" : " beside others"
            let issue = TestIssue(
                test: info.id, text: "ran longer than \(timeout.inWords)\(beside) and was ended",
                at: scene.location ?? info.location,
                argument: scene.batch.isSerial
                    ? test.arguments.last : test.arguments.first { _ in test.arguments.count == 1 })
            fates.append(
                scene.isAlone
                    ? (test.item, .ended(.timedOut(after: test.duration), issue))
                    : (test.item, .late(Lateness(duration: test.duration, issue: issue))))
        }
    }

    private mutating func endInDoubt(_ scene: Scene) {
        let items = scene.running.map(\.item) + scene.waiting
        fates = items.map { ($0, .observed) }
        guard scene.report.termination == .exited(1), !scene.hasToldFailure else { return }
        let text = "a test process ended with exit status 1, though its tests passed when they ran again"
        suspicion = (Set(items.map(\.test)), TestIssue(test: nil, text: text), isCrash: false)
    }

    private mutating func endInTest(_ scene: Scene, _ tests: [ListedTest]) {
        fates += scene.waiting.map { ($0, .again($0.company)) }
        let culprit = culprit(in: scene, tests)
        guard let culprit else {
            for test in scene.running { fates.append((test.item, .again(.serial))) }
            let names = scene.running.prefix(5).map { "\(tests[$0.item.test].id)" }.joined(separator: ", ")
            let more = scene.running.count > 5 ? " and \(scene.running.count - 5) more" : ""
            let text = "\(crashText(scene)), while these ran, none of which does so alone: \(names)\(more)"
            let issue = TestIssue(test: nil, text: text, at: scene.location)
            suspicion = (Set(scene.running.map(\.item.test)), issue, isCrash: true)
            return
        }
        for test in scene.running where test.item != culprit.item {
            fates.append((test.item, .again(test.item.company)))
        }
        let info = tests[culprit.item.test].info
        let isKnown = scene.batch.isSerial || culprit.arguments.count < 2
        let issue = TestIssue(
            test: info.id, text: crashText(scene), at: scene.location ?? info.location,
            argument: isKnown ? culprit.arguments.last : nil)
        let how = ProcessEnding(scene.report).description
        fates.append(
            (culprit.item, isKnown ? .ended(.crashed(how: how), issue) : .tells(CrashEvidence(how: how, issue: issue))))
    }

    private func culprit(in scene: Scene, _ tests: [ListedTest]) -> Scene.RunningTest? {
        if scene.running.count == 1 { return scene.running[0] }
        // One after the other: whatever else looks unfinished was cut off before its last record could be written.
        if scene.batch.isSerial { return scene.running.last }
        let seen = scene.running.filter { scene.crash?.passes(through: tests[$0.item.test].info) ?? false }
        return seen.count == 1 ? seen[0] : nil
    }

    private func crashText(_ scene: Scene) -> String {
        if let crash = scene.crash { return crash.text }
        if let fault = scene.fatalFault { return fault.text }
        let plain = "the test process ended with \(ProcessEnding(scene.report))"
        return scene.running.isEmpty ? plain : plain + " within the test"
    }

    private mutating func endBetweenTests(_ scene: Scene, _ tests: [ListedTest]) {
        let ending = ProcessEnding(scene.report).description
        let isOrderly = scene.report.termination == .exited(0) || scene.report.termination == .exited(1)
        if scene.endedForFaults {
            // What was found says it all.
        } else if !isOrderly, scene.ended > 0 {
            runIssue = TestIssue(
                test: nil, text: "\(crashText(scene))\nafter a test had ended and before the next began (\(ending))",
                at: scene.crash?.location)
        } else if scene.report.termination == .exited(1), !scene.hasToldFailure, scene.waiting.isEmpty {
            runIssue = TestIssue(test: nil, text: "a test process ended with exit status 1, though its tests passed")
        }
        guard scene.ended == 0, !scene.waiting.isEmpty else {
            fates += scene.waiting.map { ($0, .again($0.company)) }
            return
        }
        endWithoutAnyTest(
            scene, tests,
            isOrderly ? "its test process did not run it" : "its test process ended with \(ending) before it began")
    }

    /// Not one test began: a fault in loading, or in what a class sets up before its first test.
    private mutating func endWithoutAnyTest(_ scene: Scene, _ tests: [ListedTest], _ reason: String) {
        let suites = Set(scene.waiting.map { tests[$0.test].id.suite })
        if suites.count > 1, scene.batch.library == .xctest {
            // The class at fault, or else one class after the other, goes apart, so that only it is lost.
            let functions = (scene.crash?.ownFrames ?? []).map(\.function)
            let suspect = suites.sorted().first { suite in functions.contains { $0.contains("\(suite).") } }
            let apart = suspect ?? tests[scene.waiting[0].test].id.suite
            fates += scene.waiting.map { ($0, .again(tests[$0.test].id.suite == apart ? .none : $0.company)) }
            return
        }
        fates += scene.waiting.map { ($0, .ended(.notRun(reason: reason), nil)) }
        // A suite whose traits throw has told so, and that says it all.
        if scene.hasToldFailure, scene.report.termination == .exited(1) { return }
        let text =
            "\(crashText(scene))\nbefore the first test of \(suites.count == 1 ? "its suite" : "its process") began"
        runIssue = TestIssue(test: nil, text: text, at: scene.crash?.location)
    }
}
