package import Events

/// A report of a run. All reports read the same summary, so their numbers agree.
package protocol Report: AnyObject {
    /// Handles an event. `run` already includes the event.
    func receive(_ event: LaneEvent, _ run: RunSummary)

    /// Updates live output between events.
    func tick(_ offset: Duration, _ run: RunSummary)
}

extension Report {
    package func tick(_ offset: Duration, _ run: RunSummary) {}
}

/// A function that writes the bytes of a report. The bytes of one call belong together.
package typealias Sink = ([UInt8]) -> Void

/// The amount of output.
package enum ReportLevel: Int, Sendable, Comparable {
    /// Only failures and the result.
    case quiet
    case normal
    /// All tests with their output.
    case verbose

    package static func < (one: ReportLevel, other: ReportLevel) -> Bool { one.rawValue < other.rawValue }
}

/// The reports of a run with their shared summary. It receives the events of an `EventStream`.
package final class ReportSet: EventReceiver {
    private let reports: [any Report]
    /// The summary, or `nil` while it is passed to reports. Moving it saves a copy.
    private var held: RunSummary?

    /// Creates a set of reports.
    ///
    /// - Parameter passed: The data to keep of tests that passed at the first attempt. It must be sufficient for each
    ///   report.
    package init(_ reports: [any Report], passed: PassedTestDetail = .records) {
        self.reports = reports
        held = RunSummary(passed: passed)
    }

    /// The current state of the run.
    package var summary: RunSummary { held ?? RunSummary() }

    /// Updates the summary with an event, and passes both to the reports.
    package func receive(_ event: LaneEvent) {
        guard var run = held.take() else { preconditionFailure("a report is handling another event") }
        run.receive(event)
        for report in reports { report.receive(event, run) }
        held = consume run
    }

    /// Updates live reports between events.
    package func tick(_ offset: Duration) {
        let run = summary
        for report in reports { report.tick(offset, run) }
    }
}
