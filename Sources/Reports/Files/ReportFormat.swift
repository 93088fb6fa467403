package import LaneEvents

/// A format of report files. The table of them, with `ReportFile` of lane files, is all that a new one needs.
package struct ReportFormat: Sendable {
    /// The name of the setting and option, as in `ReportFile`.
    package let name: String
    /// The data of passed tests that the report needs.
    package let passed: PassedTestDetail
    /// Creates a report that writes its file to a sink.
    package let makeReport: @Sendable (@escaping Sink) -> any Report

    /// All formats, in the order of their options in help.
    package static let all = [
        ReportFormat(name: "junit", passed: .names) { JUnitReport(write: $0) },
        ReportFormat(name: "summary", passed: .counts) { MarkdownSummary(write: $0) },
        ReportFormat(name: "html", passed: .records) { HTMLReport(write: $0) },
        ReportFormat(name: "sarif", passed: .counts) { SARIFReport(write: $0) },
    ]
}
