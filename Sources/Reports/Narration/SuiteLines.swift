import Diagnostics
import LaneEvents

/// One line for each suite when its last test has ended.
///
/// Where the tests were planned, a suite is finished when all of its tests have a result. A log tells no plan: there an
/// XCTest class is finished when another one begins, and Swift Testing suites, which interleave, when the run ends.
struct SuiteLines {
    private let wording: Wording
    private var told: Set<SuiteID> = []
    private var isPlanned = false
    private var nameColumns = 28
    private var openClass: SuiteID?

    init(wording: Wording) {
        self.wording = wording
    }

    /// Whether an event can bring about a line at all.
    static func matters(_ event: TestEvent) -> Bool {
        switch event {
        case .planned, .started, .ended, .counted, .finished: true
        case .argumentStarted, .issue, .output, .slow, .totals: false
        }
    }

    /// The lines that an event of a step's tests brings about.
    mutating func lines(for event: TestEvent, _ step: StepID?, _ run: RunSummary) -> [String] {
        switch event {
        case .planned:
            isPlanned = true
            let longest = run.tests(of: step)?.suites.keys.map { TerminalText.columns($0.title) }.max() ?? 0
            nameColumns = min(max(nameColumns, longest), 56)
            return []
        case .started(let test, _, _): return isPlanned ? [] : enter(SuiteID(test), step, run)
        case .counted(let tests): return isPlanned ? [] : enter(tests.suite, step, run)
        case .ended(let result):
            guard isPlanned else { return [] }
            let suite = SuiteID(result.test)
            return line(for: suite, run.tally(of: suite, in: step))
        case .finished:
            guard let suites = run.tests(of: step)?.suites else { return [] }
            return suites.keys.sorted().flatMap { line(for: $0, suites[$0]) }
        case .argumentStarted, .issue, .output, .slow, .totals:
            return []
        }
    }

    private mutating func enter(_ suite: SuiteID, _ step: StepID?, _ run: RunSummary) -> [String] {
        guard suite.library == .xctest, suite != openClass else { return [] }
        defer { openClass = suite }
        return openClass.map { line(for: $0, run.tally(of: $0, in: step)) } ?? []
    }

    private mutating func line(for suite: SuiteID, _ tally: SuiteTally?) -> [String] {
        guard let tally, tally.isComplete, told.insert(suite).inserted else { return [] }
        let symbol =
            tally.counts.unsuccessful > 0
            ? wording.fail : tally.counts.passed == 0 ? wording.skip : wording.pass
        let name = TerminalText.padded(
            TerminalText.truncated(suite.title, to: nameColumns, ellipsis: wording.ellipsis), to: nameColumns)
        let time = TerminalText.rightAligned(tally.duration?.text ?? "", to: 9)
        return ["\(symbol) \(name)  \(wording.faint(time))  \(wording.tally(tally.counts))"]
    }
}
