/// A format of report files. The table of them, with `ReportFile` of lane files, is all that a new one needs.
package struct ReportFormat: Sendable {
    /// The name of the setting and option, as in `ReportFile`.
    package let name: String
    /// A Boolean value that indicates whether the report lists tests that passed, so that a run must remember them.
    package let needsEveryTest: Bool
    /// Creates a report that writes its file to a sink.
    package let makeReport: @Sendable (@escaping Sink) -> any Report

    /// All formats, in the order of their options in help.
    package static let all = [
        ReportFormat(name: "junit", needsEveryTest: true) { JUnitReport(write: $0) },
        ReportFormat(name: "summary", needsEveryTest: false) { MarkdownSummary(write: $0) },
        ReportFormat(name: "html", needsEveryTest: true) { HTMLReport(write: $0) },
        ReportFormat(name: "sarif", needsEveryTest: false) { SARIFReport(write: $0) },
    ]
}
