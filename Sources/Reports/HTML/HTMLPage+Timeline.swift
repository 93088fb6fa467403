import LaneEvents

extension HTMLPage {
    /// The timeline of all attempts, by worker.
    var timeline: String {
        var groups: [(name: String, bars: [HTMLTimeline.Bar], title: (Int) -> String)] = []
        for (step, tests) in run.tests {
            let bars = TimelineBars(tests)
            let name = run.tests.count > 1 ? run.step(step)?.name ?? "" : ""
            for (worker, own) in bars.workers.sorted(by: { $0.key < $1.key }) {
                let number = MergedWorkers.name(worker)
                groups.append((name.isEmpty ? number : "\(name) \(number)", own, bars.title))
            }
        }
        guard !groups.isEmpty else { return "" }
        let bars = groups.lazy.flatMap(\.bars)
        var timeline = HTMLTimeline(from: bars.map(\.start).min() ?? 0, to: bars.map(\.end).max() ?? 0)
        for group in groups { timeline.add(group.name, group.bars, title: group.title) }
        return HTML.heading("Timeline") + "<div class=\"chart\">\n\(timeline.svg())</div>\n"
    }
}

/// The bars of a summary's attempts by the numbers of their workers.
private struct TimelineBars {
    private(set) var workers: [Int: [HTMLTimeline.Bar]] = [:]
    private let tests: TestSummary
    private var records: [(test: TestRecord, attempt: TestRecord.Attempt)] = []
    /// The suites of tests without records, with the number of the first test of each.
    private var suites: [(first: Int, suite: SuiteID)] = []

    init(_ tests: TestSummary) {
        self.tests = tests
        for test in tests.tests {
            for attempt in test.attempts {
                guard let worker = attempt.worker, let start = attempt.startedAt?.seconds,
                    let duration = attempt.duration
                else { continue }
                workers[worker, default: []].append(
                    HTMLTimeline.Bar(
                        start: start, end: start + duration.seconds, kind: HTML.kind(test, attempt),
                        number: records.count))
                records.append((test, attempt))
            }
        }
        var number = records.count
        for suite in tests.passedTests.suites.sorted() {
            suites.append((number, suite))
            for index in 0..<tests.passedTests.count(of: suite) {
                defer { number += 1 }
                guard let test = tests.passedTests.test(index, of: suite), let worker = test.worker,
                    let start = test.startedAt, let duration = test.duration
                else { continue }
                workers[worker, default: []].append(
                    HTMLTimeline.Bar(start: start, end: start + duration.seconds, kind: "passed", number: number))
            }
        }
    }

    /// Returns the title of a bar by its number.
    func title(_ number: Int) -> String {
        if number < records.count {
            let (test, attempt) = records[number]
            let again = attempt.number > 1 ? ", attempt \(attempt.number)" : ""
            return "\(test.id)\n\(attempt.outcome?.word ?? "running"), \((attempt.duration ?? .zero).text)\(again)"
        }
        guard let (first, suite) = suites.last(where: { $0.first <= number }),
            let test = tests.passedTests.test(number - first, of: suite)
        else { return "" }
        let id = TestID(library: suite.library, module: suite.module, suite: suite.suite, name: test.name)
        return "\(id)\npassed, \((test.duration ?? .zero).text)"
    }
}
