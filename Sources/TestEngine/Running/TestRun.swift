import Diagnostics
import LaneEvents
import Processes
import Threads

/// A run under way: the ledger that its workers share, and the processes that are alive.
final class TestRun: Sendable {
    private struct State {
        var ledger: Ledger
        var processes: [TestProcess] = []
    }

    let tests: [ListedTest]
    let options: TestOptions
    private let state: Monitor<State>
    private let send: @Sendable (LaneEvent.Kind) -> Void

    init(
        tests: [ListedTest], options: TestOptions, workers: Int, history: TestHistory?, root: String,
        send: @escaping @Sendable (LaneEvent.Kind) -> Void
    ) {
        self.tests = tests
        self.options = options
        self.send = send
        var changed = ChangedFiles(options.choice.changedFiles, root: root)
        let hurried = tests.indices.filter { index in
            let hasFailed = options.choice.failedFirst && history?.isOutstanding(tests[index].id) == true
            return hasFailed || changed.touch(tests[index].info)
        }
        let ledger = Ledger(tests: tests, options: options, workers: workers, hurried: Set(hurried)) { test in
            history?.duration(of: test)
        }
        state = Monitor(State(ledger: ledger))
    }

    /// What a worker shall do next; waits while other workers may bring work back. `nil` when all is done.
    func next() -> Batch? {
        state.wait { state in state.ledger.next() }
    }

    /// Keeps a process in view until it has ended, so that a stop reaches it.
    func began(_ process: TestProcess) {
        let isStopped = state.withLock { state in
            state.processes.append(process)
            return state.ledger.stop != nil
        }
        if isStopped { process.cancellation.cancel() }
    }

    func ended(_ process: TestProcess) {
        state.withLock { state in
            state.processes.removeAll { $0 === process }
            state.ledger.batchEnded()
        }
        // Whoever waits for work that this one might have brought back looks again.
        state.signalAll()
    }

    var processes: [TestProcess] { state.withLock { $0.processes } }

    /// Ends every process; nothing new begins. The first reason stays.
    func halt(_ reason: StopReason) {
        let processes = state.withLock { state in
            state.ledger.halt(reason)
            return state.processes
        }
        state.signalAll()
        for process in processes { process.cancellation.cancel() }
    }

    var stop: StopReason? { state.withLock { $0.ledger.stop } }

    func emit(_ event: TestEvent) {
        if case .issue(let issue) = event, issue.test == nil, issue.severity == .failure {
            let isNew = state.withLock { $0.ledger.note(issue) }
            if !isNew { return }
        }
        send(.test(event))
    }

    /// Tells of a process that was lost, or of what a sanitizer found, where no test answers for it.
    func tellFault(_ issue: TestIssue) {
        noteFault()
        emit(.issue(issue))
    }

    /// What failed outside any test counts as a fault, whoever tells of it.
    func noteFault() { state.withLock { $0.ledger.noteFault() } }

    func tell(_ level: Message.Level, _ text: String) { send(.message(Message(level, text))) }

    func end(_ item: WorkItem, _ outcome: TestResult.Outcome, _ duration: Duration?) {
        let (events, stop) = state.withLock { state in
            (state.ledger.end(item, outcome, duration), state.ledger.stop)
        }
        // It may be tried again.
        if outcome.isFailure || options.attempts.repetitions > 1 { state.signalAll() }
        for event in events { send(.test(event)) }
        if let stop { halt(stop) }
    }

    /// Acts on what a process left behind.
    func settle(_ aftermath: Aftermath) {
        for issue in aftermath.faults { tellFault(issue) }
        if let issue = aftermath.runIssue { tellFault(issue) }
        warnWaited(aftermath.waited)
        let (events, stop) = state.withLock { state in (state.ledger.settle(aftermath), state.ledger.stop) }
        for event in events { send(.test(event)) }
        if let stop { halt(stop) }
    }

    private func warnWaited(_ waited: [Int]) {
        guard !waited.isEmpty else { return }
        let names = waited.prefix(5).map { "\(tests[$0].id)" }
        let more = waited.count > 5 ? " and \(waited.count - 5) more" : ""
        tell(
            .warning,
            "\(count(waited.count, "test")) had not ended when their process stood still and was ended; as some may only have "
                + "waited for a thread, they run again one after the other: \(names.joined(separator: ", "))\(more)")
    }

    /// Ends the run: nothing is left without a result.
    func close() -> (results: [TestResult], counts: TestCounts, outside: OutsideOfTests, stop: StopReason?) {
        let (events, ledger) = state.withLock { state in (state.ledger.close(), state.ledger) }
        for event in events { send(.test(event)) }
        return (ledger.results.compactMap { $0 }, ledger.counts, ledger.outside, ledger.stop)
    }
}
