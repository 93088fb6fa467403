import Events
import Text

/// The lines for finished suites.
///
/// A planned suite is finished when all its tests have a result. A log contains no plan. An XCTest class in a log is
/// finished when another class starts. Swift Testing suites in a log interleave, so they are finished at the end of the
/// run.
struct SuiteLines {
    private let results: ResultText
    /// A Boolean value that indicates whether long names are truncated.
    private let truncatesNames: Bool
    private var reported: Set<SuiteID> = []
    private var isPlanned = false
    private var nameColumns = 28
    private var openClass: SuiteID?

    init(results: ResultText, truncatesNames: Bool) {
        self.results = results
        self.truncatesNames = truncatesNames
    }

    /// Returns a Boolean value that indicates whether an event can finish a suite.
    static func matters(_ event: TestEvent) -> Bool {
        switch event {
        case .planned, .started, .ended, .counted, .finished: true
        case .sharded, .argumentStarted, .issue, .attached, .output, .slow, .totals, .origin: false
        }
    }

    /// Returns the lines of the suites that an event finishes.
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
        case .sharded, .argumentStarted, .issue, .attached, .output, .slow, .totals, .origin:
            return []
        }
    }

    private mutating func enter(_ suite: SuiteID, _ step: StepID?, _ run: RunSummary) -> [String] {
        guard suite.library == .xctest, suite != openClass else { return [] }
        defer { openClass = suite }
        return openClass.map { line(for: $0, run.tally(of: $0, in: step)) } ?? []
    }

    private mutating func line(for suite: SuiteID, _ tally: SuiteTally?) -> [String] {
        guard let tally, tally.isComplete, reported.insert(suite).inserted else { return [] }
        let symbol =
            tally.counts.unsuccessful > 0
            ? results.fail : tally.counts.passed == 0 ? results.skip : results.pass
        let columns = truncatesNames ? nameColumns : .max
        let name = TerminalText.padded(
            TerminalText.truncated(suite.title, to: columns, ellipsis: results.ellipsis), to: nameColumns)
        let time = TerminalText.rightAligned(tally.duration?.text ?? "", to: 9)
        return ["\(symbol) \(name)  \(results.faint(time))  \(results.tally(tally.counts))"]
    }
}
