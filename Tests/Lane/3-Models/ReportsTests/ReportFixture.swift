import Events
import Reports
import TestSupport
import Testing
import Text

/// The events of `Golden/run.jsonl`, which all reports render.
enum ReportFixture {
    static func events(filePath: String = #filePath) throws -> [LaneEvent] {
        let directory = filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(
            separator: "/")
        let lines = try contents(of: "\(directory)/Golden/run.jsonl").split(separator: UInt8(ascii: "\n"))
        return try lines.map { try #require(try EventLineDecoder.decode(Array($0))) }
    }

    /// Returns the output of a report for events.
    static func text(
        of events: [LaneEvent], passed: PassedTestDetail = .records, _ makeReport: (@escaping Sink) -> any EventReceiver
    ) -> String {
        var bytes: [UInt8] = []
        let report = makeReport { bytes += $0 }
        var run = RunSummary(passed: passed)
        for event in events {
            run.receive(event)
            report.receive(event, run)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns numbered events at intervals of 10 ms.
    static func events(_ kinds: [(step: String?, kind: LaneEvent.Kind)]) -> [LaneEvent] {
        kinds.enumerated().map { index, event in
            LaneEvent(
                number: index + 1, offset: .milliseconds(10 * index), step: event.step.map { StepID($0) },
                kind: event.kind)
        }
    }
}

@Suite struct ReportFixtureTests {
    @Test func fixtureMatchesTheEncoder() throws {
        var encoder = EventLineEncoder()
        let lines = try ReportFixture.events().map { String(decoding: encoder.line(for: $0), as: UTF8.self) }
        expectGolden(lines.joined(), "run.jsonl")
    }
}
