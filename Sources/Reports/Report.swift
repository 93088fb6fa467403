package import LaneEvents

/// Shows or writes down what happens in a run. Every report of a run reads the same summary, so their numbers agree.
package protocol Report: AnyObject {
    /// `run` already holds the event.
    func receive(_ event: LaneEvent, _ run: RunSummary)

    /// Nothing happened but time went by.
    func tick(_ offset: Duration, _ run: RunSummary)
}

extension Report {
    package func tick(_ offset: Duration, _ run: RunSummary) {}
}

/// Where a report's bytes go; what comes in one call belongs together and is written at once.
package typealias Sink = ([UInt8]) -> Void

/// How much a screen says.
package enum ReportLevel: Int, Sendable, Comparable {
    /// Failures and the verdict.
    case quiet
    case normal
    /// Every test, with what it prints.
    case verbose

    package static func < (one: ReportLevel, other: ReportLevel) -> Bool { one.rawValue < other.rawValue }
}

/// The reports of one run and the summary that they share: the receiver to give to an `EventStream`.
package final class ReportSet: EventReceiver {
    private let reports: [any Report]
    /// Out of its place while an event is handled, so that it is changed and lent without a copy.
    private var held: RunSummary?

    /// With `forgetsPassing`, memory stays flat on a log of any length; reports of every test (JUnit, HTML) need
    /// them remembered.
    package init(_ reports: [any Report], forgetsPassing: Bool = false) {
        self.reports = reports
        held = RunSummary(forgetsPassing: forgetsPassing)
    }

    /// The run as far as it is known.
    package var summary: RunSummary { held ?? RunSummary() }

    /// Takes the event into the summary first, so that every report reads a summary which holds it.
    package func receive(_ event: LaneEvent) {
        guard var run = held.take() else { preconditionFailure("a report is handling another event") }
        run.receive(event)
        for report in reports { report.receive(event, run) }
        held = consume run
    }

    /// Lets live reports move on while no event comes.
    package func tick(_ offset: Duration) {
        let run = summary
        for report in reports { report.tick(offset, run) }
    }
}
