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

    /// The lines that an event of a step's tests brings about.
    mutating func lines(for event: TestEvent, _ tests: TestSummary) -> [String] {
        switch event {
        case .planned:
            isPlanned = true
            let longest = tests.suites.keys.map { TerminalText.columns($0.title) }.max() ?? 0
            nameColumns = min(max(nameColumns, longest), 56)
            return []
        case .started(let test, _, _) where !isPlanned: return enter(SuiteID(test), tests)
        case .passed(let passed) where !isPlanned: return enter(passed.suite, tests)
        case .ended(let result) where isPlanned:
            return line(for: SuiteID(result.test), tests)
        case .finished:
            return tests.suites.keys.sorted().flatMap { line(for: $0, tests) }
        default:
            return []
        }
    }

    private mutating func enter(_ suite: SuiteID, _ tests: TestSummary) -> [String] {
        guard suite.library == .xctest, suite != openClass else { return [] }
        defer { openClass = suite }
        return openClass.map { line(for: $0, tests) } ?? []
    }

    private mutating func line(for suite: SuiteID, _ tests: TestSummary) -> [String] {
        guard let tally = tests.suites[suite], tally.isComplete, told.insert(suite).inserted else { return [] }
        let symbol =
            tally.counts.unsuccessful > 0
            ? wording.fail : tally.counts.passed == 0 ? wording.skip : wording.pass
        let name = TerminalText.padded(
            TerminalText.truncated(suite.title, to: nameColumns, ellipsis: wording.ellipsis), to: nameColumns)
        let time = TerminalText.rightAligned(tally.duration.text, to: 9)
        return ["\(symbol) \(name)  \(wording.faint(time))  \(wording.tally(tally.counts))"]
    }
}
