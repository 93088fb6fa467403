import Events
import OperatingSystem
import Text
import ToolOutput

/// An analysis of the end of a test process, with the consequences for each unfinished test.
struct ExitAnalysis: Equatable {
    enum Disposition: Equatable {
        /// The test ended the process, with this result.
        case ended(TestResult.Outcome, TestIssue?)
        /// The test did not cause the end, and runs again in another process.
        case again(WorkItem.Isolation)
        /// The result is not in XCTest's output, so the test runs again with the observer. A function runs again alone,
        /// and its result is parsed from the text of Swift Testing.
        case observed
        /// The test crashed, and runs alone to find the argument of the crash.
        case crashed(CrashEvidence)
        /// The test exceeded its time limit together with others, so it runs alone to find the cause.
        case late(Lateness)
    }

    var dispositions: [(item: WorkItem, disposition: Disposition)] = []
    /// The tests that recorded a failure before the process ended.
    private(set) var failed: Set<Int> = []
    /// The tests that may have been waiting for a thread when the process was ended because of late tests.
    private(set) var waited: [Int] = []
    /// The tests that may have caused a crash or a failure, if several were running.
    private(set) var suspicion: (tests: Set<Int>, issue: TestIssue, isCrash: Bool)?
    /// A failure outside any test.
    var runIssue: TestIssue?
    /// The sanitizer reports of tests that continued.
    private(set) var faults: [TestIssue] = []

    static func == (one: ExitAnalysis, other: ExitAnalysis) -> Bool {
        one.dispositions.elementsEqual(other.dispositions) { $0.item == $1.item && $0.disposition == $1.disposition }
            && one.suspicion?.tests == other.suspicion?.tests && one.runIssue == other.runIssue
            && one.faults == other.faults && one.failed == other.failed && one.waited == other.waited
    }

    /// The state of a process at its end.
    struct ProcessState {
        let progress: BatchProgress
        let report: ExitReport
        /// The time of the end.
        let now: Duration
        var stop: StopReason?
        var crash: CrashReport?
        /// The sanitizer reports.
        var faults: [SanitizerReport] = []
        /// The stacks before the process was ended because of a time limit.
        var hang: HangReport?

        var batch: Batch { progress.batch }
        /// The unfinished tests in the order of their starts.
        var running: [BatchProgress.RunningTest] { progress.unfinished }
        /// The requested tests that had not started.
        var waiting: [WorkItem] { progress.waiting }

        /// The tests that exceeded their time limit. The process was ended because of them, although some may have
        /// finished.
        var late: Set<Int> { progress.late(after: report) }

        /// A Boolean value that indicates whether the process was ended because no test was running for the time limit.
        var isStalled: Bool { report.stoppedBy != nil && progress.isStalled }

        /// Returns the time since the start of a test.
        func duration(of test: BatchProgress.RunningTest) -> Duration { now - test.since }

        /// Returns a Boolean value that indicates whether XCTest's output may be incomplete, so that the test that
        /// ended the process is unknown. A test may have closed or redirected standard output.
        func isInDoubt(_ tests: [ListedTest]) -> Bool {
            guard mayBeUnheard, faults.isEmpty, report.stoppedBy == nil else { return false }
            let mayHaveEndedWell = [0, 1].contains { report.termination == .exited($0) }
            if mayHaveEndedWell { return !(running.isEmpty && waiting.isEmpty) }
            guard let last = running.last, !waiting.isEmpty else { return false }
            return crash?.passes(through: tests[last.item.test].info) != true
        }

        /// A Boolean value that indicates whether the process ran XCTest cases without the observer. If a test closes
        /// standard output, the starts and ends of later tests are unknown.
        var mayBeUnheard: Bool { batch.library == .xctest && !batch.isWhole && !batch.isObserved }

        /// A Boolean value that indicates whether the process ended normally, but lost its event stream: a function may
        /// have closed all descriptors that it did not open.
        var mayHaveClosedEvents: Bool {
            batch.library == .swiftTesting && !batch.isWhole && !batch.isObserved && faults.isEmpty
                && [.exited(0), .exited(1)].contains(report.termination)
        }

        /// Returns the tests that had not started as far as is known, but of which a thread is in a function.
        func unheard(_ tests: [ListedTest]) -> [WorkItem] {
            guard let hang, !waiting.isEmpty else { return [] }
            let functions = hang.functions
            return waiting.filter { item in functions.contains { tests[item.test].isPart(of: $0) } }
        }

        /// A Boolean value that indicates whether a single test was running.
        var isAlone: Bool { batch.isSerial || running.count == 1 }

        /// The sanitizer report that ended the process during a test.
        var fatalFault: SanitizerReport? {
            guard !running.isEmpty, report.stoppedBy == nil, let last = faults.last, last.isFatal else { return nil }
            return last
        }

        /// A Boolean value that indicates whether the exit status is that of AddressSanitizer, LeakSanitizer or
        /// ThreadSanitizer.
        var endedForFaults: Bool {
            !faults.isEmpty && [1, 23, 66].map { .exited($0) }.contains(report.termination)
        }

        /// The location of the crash, if known.
        var location: SourceLocation? { crash?.location ?? fatalFault?.places.first }
    }

    init(of state: ProcessState, tests: [ListedTest], timeout: Duration?) {
        if let stop = state.stop, state.report.stoppedBy != nil {
            endStopped(state, stop, tests)
        } else if state.isStalled {
            endStalled(state, tests, timeout ?? .zero)
        } else if !state.late.isEmpty {
            endLate(state, tests, timeout ?? .zero)
        } else if state.isInDoubt(tests) {
            endInDoubt(state)
        } else if state.running.isEmpty {
            endBetweenTests(state, tests)
        } else {
            endInTest(state, tests)
        }
        reportFaults(state, tests)
        failed = Set(state.running.filter(\.hasFailed).map(\.item.test))
    }

    private mutating func reportFaults(_ state: ProcessState, _ tests: [ListedTest]) {
        let survived = state.fatalFault == nil ? state.faults : state.faults.dropLast()
        for fault in survived where !fault.isForeignLeak {
            let test = state.batch.items.map { tests[$0.test].info }.filter(fault.passes).max {
                $0.location?.line ?? 0 < $1.location?.line ?? 0
            }
            let words = test.map { "\(fault.text)\nwhile \($0.id) ran" } ?? fault.text
            faults.append(TestIssue(test: nil, text: words, at: fault.places.first))
        }
    }

    private mutating func endStopped(_ state: ProcessState, _ stop: StopReason, _ tests: [ListedTest]) {
        let isHanging = state.running.map { state.hang?.isIn(tests[$0.item.test].parserID) ?? false }
        for (index, test) in state.running.enumerated() {
            if case .runTimeout = stop {
                // A test that waits for another test has no stack of its own.
                let shows = isHanging[index] || (index == 0 && !isHanging.contains(true))
                let issue = shows ? state.hang.map { self.issue(stop.description, $0, tests[test.item.test]) } : nil
                dispositions.append((test.item, .ended(.timedOut(after: state.duration(of: test)), issue)))
            } else {
                dispositions.append((test.item, .ended(.notRun(reason: "\(stop) while it ran"), nil)))
            }
        }
        dispositions += state.waiting.map { ($0, .ended(.notRun(reason: stop.description), nil)) }
    }

    func issue(_ text: String, _ hang: HangReport, _ test: ListedTest) -> TestIssue {
        let lines = [text] + hang.lines(for: [test.parserID])
        return TestIssue(test: test.id, text: lines.joined(separator: "\n"), at: test.info.location)
    }

    private mutating func endLate(_ state: ProcessState, _ tests: [ListedTest], _ timeout: Duration) {
        if state.mayBeUnheard, !state.unheard(tests).isEmpty {
            dispositions = (state.running.map(\.item) + state.waiting).map { ($0, .observed) }
            return
        }
        dispositions += state.waiting.map { ($0, .again($0.isolation)) }
        if state.progress.isCrowded {
            // The waiting tests are unknown, so all tests run again one after another.
            waited = state.running.map(\.item.test)
            dispositions += state.running.map { ($0.item, .again(.serial)) }
            return
        }
        for test in state.running {
            guard state.late.contains(test.item.test) else {
                dispositions.append((test.item, .again(test.item.isolation)))
                continue
            }
            let info = tests[test.item.test].info
            let timeout = tests[test.item.test].timeout ?? timeout
            let beside = state.isAlone ? "" : " together with other tests"
            let stacks = state.hang.map { $0.lines(for: [tests[test.item.test].parserID]) } ?? []
            let text = ["exceeded the time limit of \(timeout.inWords)\(beside) and was ended"] + stacks
            let issue = TestIssue(
                test: info.id, text: text.joined(separator: "\n"),
                at: state.location ?? info.location,
                argument: state.batch.isSerial
                    ? test.arguments.last : test.arguments.first { _ in test.arguments.count == 1 })
            dispositions.append(
                state.isAlone
                    ? (test.item, .ended(.timedOut(after: state.duration(of: test)), issue))
                    : (test.item, .late(Lateness(duration: state.duration(of: test), issue: issue))))
        }
    }

    private mutating func endInDoubt(_ state: ProcessState) {
        let items = state.running.map(\.item) + state.waiting
        dispositions = items.map { ($0, .observed) }
        guard state.report.termination == .exited(1), !state.progress.hasReportedFailure else { return }
        let text = "a test process ended with exit status 1, though its tests passed when they ran again"
        suspicion = (Set(items.map(\.test)), TestIssue(test: nil, text: text), isCrash: false)
    }

    private mutating func endInTest(_ state: ProcessState, _ tests: [ListedTest]) {
        dispositions += state.waiting.map { ($0, .again($0.isolation)) }
        let culprit = culprit(in: state, tests)
        if let culprit, state.mayHaveClosedEvents {
            for test in state.running {
                dispositions.append((test.item, test.item == culprit.item ? .observed : .again(test.item.isolation)))
            }
            return
        }
        guard let culprit else {
            for test in state.running { dispositions.append((test.item, .again(.serial))) }
            let names = list(state.running.map { "\(tests[$0.item.test].id)" }, most: 5)
            let text =
                "\(crashText(state)), while these tests were running, none of which crashes alone: \(names)"
            let issue = TestIssue(test: nil, text: text, at: state.location)
            suspicion = (Set(state.running.map(\.item.test)), issue, isCrash: true)
            return
        }
        for test in state.running where test.item != culprit.item {
            dispositions.append((test.item, .again(test.item.isolation)))
        }
        let info = tests[culprit.item.test].info
        let isKnown = state.batch.isSerial || culprit.arguments.count < 2
        let issue = TestIssue(
            test: info.id, text: crashText(state), at: state.location ?? info.location,
            argument: isKnown ? culprit.arguments.last : nil)
        let how = ProcessEnding(state.report).description
        dispositions.append(
            (
                culprit.item,
                isKnown ? .ended(.crashed(how: how), issue) : .crashed(CrashEvidence(how: how, issue: issue))
            ))
    }

    private func culprit(in state: ProcessState, _ tests: [ListedTest]) -> BatchProgress.RunningTest? {
        if state.running.count == 1 { return state.running[0] }
        // Tests run one after another, so the last event of other unfinished tests was lost.
        if state.batch.isSerial { return state.running.last }
        let seen = state.running.filter { state.crash?.passes(through: tests[$0.item.test].info) ?? false }
        return seen.count == 1 ? seen[0] : nil
    }

    private func crashText(_ state: ProcessState) -> String {
        if let crash = state.crash { return crash.text }
        if let fault = state.fatalFault { return fault.text }
        let plain = "the test process ended with \(ProcessEnding(state.report))"
        return state.running.isEmpty ? plain : plain + " within the test"
    }

    private mutating func endBetweenTests(_ state: ProcessState, _ tests: [ListedTest]) {
        let ending = ProcessEnding(state.report).description
        let isOrderly = state.report.termination == .exited(0) || state.report.termination == .exited(1)
        if state.endedForFaults {
            // The sanitizer report explains the end.
        } else if !isOrderly, state.progress.ended > 0 {
            runIssue = TestIssue(
                test: nil,
                text: "\(crashText(state))\nafter a test had finished and before the next one started (\(ending))",
                at: state.crash?.location)
        } else if state.report.termination == .exited(1), !state.progress.hasReportedFailure, state.waiting.isEmpty {
            runIssue = TestIssue(test: nil, text: "a test process ended with exit status 1, though its tests passed")
        }
        guard state.progress.ended == 0, !state.waiting.isEmpty else {
            dispositions += state.waiting.map { ($0, .again($0.isolation)) }
            return
        }
        endWithoutAnyTest(
            state, tests,
            isOrderly ? "its test process did not run it" : "its test process ended with \(ending) before it started")
    }

    /// Handles a process in which no test started, because of an error in loading or in a class's `setUp`.
    private mutating func endWithoutAnyTest(_ state: ProcessState, _ tests: [ListedTest], _ reason: String) {
        let suites = Set(state.waiting.map { tests[$0.test].id.suite })
        if suites.count > 1, state.batch.library == .xctest {
            // The class at fault runs separately, so that only its tests are lost. If it is unknown, each class runs
            // separately.
            let functions = (state.crash?.ownFrames ?? []).map(\.function)
            let suspect = suites.sorted().first { suite in functions.contains { $0.contains("\(suite).") } }
            let apart = suspect ?? tests[state.waiting[0].test].id.suite
            dispositions += state.waiting.map {
                ($0, .again(tests[$0.test].id.suite == apart ? .ownProcess : $0.isolation))
            }
            return
        }
        dispositions += state.waiting.map { ($0, .ended(.notRun(reason: reason), nil)) }
        // A suite whose traits threw an error has reported the error.
        if state.progress.hasReportedFailure, state.report.termination == .exited(1) { return }
        let text =
            "\(crashText(state))\nbefore the first test of \(suites.count == 1 ? "its suite" : "its process") started"
        runIssue = TestIssue(test: nil, text: text, at: state.crash?.location)
    }
}

/// The analysis of a process that was ended because no test was running for the time limit. It hung before its first
/// test, between two tests, or after its last one.
extension ExitAnalysis {
    mutating func endStalled(_ state: ProcessState, _ tests: [ListedTest], _ timeout: Duration) {
        let pending = state.running.map(\.item) + state.waiting
        let unheard = Set(state.unheard(tests).map(\.test))
        let suspects = suspects(state, tests)
        let mayHaveRun = !unheard.isEmpty || (state.progress.ended == 0 && suspects.isEmpty)
        if state.mayBeUnheard, !pending.isEmpty, mayHaveRun {
            dispositions = pending.map { ($0, .observed) }
            return
        }
        for item in pending {
            let test = tests[item.test]
            if unheard.contains(item.test) {
                let text = "exceeded the time limit of \(timeout.inWords) and was ended"
                let issue = state.hang.map { self.issue(text, $0, test) }
                dispositions.append((item, .ended(.timedOut(after: timeout), issue)))
            } else if suspects.contains(SuiteID(test.id)) || mayHaveRun && unheard.isEmpty {
                let reason = "its test process hung before it started"
                dispositions.append((item, .ended(.notRun(reason: reason), nil)))
            } else {
                dispositions.append((item, .again(item.isolation)))
            }
        }
        guard unheard.isEmpty else { return }
        let moment =
            state.waiting.isEmpty
            ? "after its last test" : state.progress.ended > 0 ? "between two tests" : "before its first test"
        let text = "a test process hung \(moment) and was ended"
        runIssue = TestIssue(test: nil, text: ([text] + (state.hang?.lines(for: []) ?? [])).joined(separator: "\n"))
    }

    /// Returns the suites of waiting tests of which a thread is in a function, such as a class's `setUp`.
    private func suspects(_ state: ProcessState, _ tests: [ListedTest]) -> Set<SuiteID> {
        let functions = state.hang?.functions ?? []
        guard !functions.isEmpty else { return [] }
        let suites = Set(state.waiting.map { SuiteID(tests[$0.test].id) })
        return suites.filter { suite in
            !suite.suite.isEmpty && functions.contains { $0.contains(".\(suite.functionPrefix).") }
        }
    }
}
