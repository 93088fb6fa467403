import Text

/// An encoder of events as lines of JSON: the event log, version 1.
///
/// Each line is a JSON object in UTF-8 (RFC 8259). Readers ignore unknown members and events. The version increases
/// with each change that breaks readers. Members in brackets are optional. Times and durations are in seconds with at
/// most nine decimals. Paths in the package are relative to its root.
///
///     line               = { event: word, number: integer, at: seconds, [step: string], … }
///     runStarted         = version: 1, lane: string, startedAt: seconds since 1970, steps: [{ id, name }]
///     stepStarted        = name, action, [command], [repeat], [log]
///     stepOutput         = stream: "stdout" | "stderr", bytes
///     stepRetried        = attempt: integer, attempts: integer, reason, delay: seconds
///     stepEnded          = name, duration: seconds, [forgiven: true], outcome: "passed" | "upToDate" | "cancelled"
///                        | … outcome: "failed", status: integer, message
///                        | … outcome: "skipped", reason
///                        | … outcome: "timedOut", after: seconds
///     buildProgress      = finished: integer, total: integer, text
///     buildDiagnostic    = severity: "error" | "warning" | "note", message, [location], [excerpt: [string]]
///     testsSharded       = index: integer, count: integer, total: integer, digest
///     testsPlanned       = tests: [{ test, [displayName], [location], [parameterized: true],
///                          [usualDuration: seconds] }]
///     testStarted        = test, attempt: integer, worker: integer
///     testArgument       = test, argument
///     testIssue          = [test], severity: "failure" | "known" | "warning", text, [location], [argument],
///                          [source: [string]]
///     testAttachment     = test, path
///     testOutput         = [test], bytes
///     testSlow           = test, after: seconds
///     testEnded          = test, attempt: integer, [duration: seconds], outcome: "passed" | "failed"
///                        | … outcome: "skipped", [reason], [excused: true]
///                        | … outcome: "crashed", how
///                        | … outcome: "timedOut", after: seconds
///                        | … outcome: "notRun", reason
///     testsCounted       = library, module, suite, passed: integer, failed: integer, duration: seconds
///     testTotals         = library, suites: integer, duration: seconds
///     testsFinished      =
///     testsOrigin        = [commit], [modified: true], machine
///     message            = level: "note" | "warning" | "error", text, [location]
///     artifact           = path, size: integer, [sha256]
///     coverage           = files: [{ path, lines: counts, [changed: counts] }], [threshold: integer],
///                          [changedThreshold: integer], [base]
///     runEnded           = status: integer, duration: seconds
///     test               = test: { library: "xctest" | "swift-testing", module, suite, name }
///     location           = location: { path, line: integer, [column: integer] }
///     bytes              = text: string                    (the bytes are UTF-8)
///                        | text: string, base64: string    (they are not: `text` is repaired, `base64` exact)
///     counts             = string: ranges of lines and how often their regions were executed, such as "3-4:2,9:0+1"
package struct EventLineEncoder: ~Copyable {
    package static let version = 1

    private var writer = JSONWriter(.compact)

    package init() {}

    /// Returns the line of an event, with its line feed.
    package mutating func line(for event: LaneEvent) -> [UInt8] {
        writer.removeAll()
        writer.object { writer in
            writer.member("event", event.kind.word)
            writer.member("number", event.number)
            writer.member("at", event.offset)
            writer.optional("step", event.step?.description)
            event.kind.write(to: &writer)
        }
        return writer.bytes + [UInt8(ascii: "\n")]
    }
}

/// A receiver that writes each event as a line of JSON, for `--events`.
package final class EventLog: EventReceiver {
    private var encoder = EventLineEncoder()
    private let write: ([UInt8]) -> Void

    /// Creates a log. Calls `write` with one complete line at a time.
    package init(write: @escaping ([UInt8]) -> Void) {
        self.write = write
    }

    package func receive(_ event: LaneEvent, _ run: RunSummary) {
        write(encoder.line(for: event))
    }
}
