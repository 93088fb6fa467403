import Events
import Text

extension HTMLPage {
    /// Writes the timeline of all attempts, by worker.
    func writeTimeline(_ write: (String) -> Void) {
        // The events of a log have the times at which it was read.
        guard !run.steps.isEmpty else { return }
        var timeline = HTMLTimeline()
        for (step, tests) in run.tests {
            var bars = TimelineBars(tests)
            let name = run.tests.count > 1 ? run.step(step)?.name ?? "" : ""
            for worker in bars.workers.keys.sorted() {
                let number = MergedWorkers.name(worker)
                // The bars exist once, because a large run has many.
                let own = bars.workers.removeValue(forKey: worker) ?? []
                timeline.add(name.isEmpty ? number : "\(name) \(number)", own, title: bars.titles.title)
            }
        }
        guard !timeline.isEmpty else { return }
        write(HTML.heading("Timeline") + "<div class=\"chart\">\n")
        timeline.writeSVG(write)
        write("</div>\n")
    }
}

/// The bars of a summary's attempts by the numbers of their workers.
private struct TimelineBars {
    var workers: [Int: [HTMLTimeline.Bar]] = [:]
    let titles: TimelineTitles

    init(_ tests: TestSummary) {
        var records: [(test: TestRecord, attempt: TestRecord.Attempt)] = []
        var suites: [(first: Int, suite: SuiteID)] = []
        for test in tests.tests {
            for attempt in test.attempts {
                guard let worker = attempt.worker, let start = attempt.startedAt?.seconds,
                    let duration = attempt.duration
                else { continue }
                workers[worker, default: []].append(
                    HTMLTimeline.Bar(
                        start: start, duration: duration, kind: HTML.kind(test, attempt), number: records.count))
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
                    HTMLTimeline.Bar(start: start, duration: duration, kind: .passed, number: number))
            }
        }
        titles = TimelineTitles(tests: tests.passedTests, records: records, suites: suites)
    }
}

/// The titles of a summary's attempts.
private struct TimelineTitles {
    let tests: PassedTests
    let records: [(test: TestRecord, attempt: TestRecord.Attempt)]
    /// The suites of tests without records, with the number of the first test of each.
    let suites: [(first: Int, suite: SuiteID)]

    /// Returns the title of a bar by its number.
    func title(_ number: Int) -> String {
        if number < records.count {
            let (test, attempt) = records[number]
            let again = attempt.number > 1 ? ", attempt \(attempt.number)" : ""
            return "\(test.id)\n\(attempt.outcome?.word ?? "running"), \((attempt.duration ?? .zero).text)\(again)"
        }
        guard let (first, suite) = suites.last(where: { $0.first <= number }),
            let test = tests.test(number - first, of: suite)
        else { return "" }
        let id = TestID(library: suite.library, module: suite.module, suite: suite.suite, name: test.name)
        return "\(id)\npassed, \((test.duration ?? .zero).text)"
    }
}
