package import Events

/// A format of report files. To add a format, add a line to `all`, here and in `ReportOption`.
package struct ReportFormat: Sendable {
    /// The name of the setting and option, as in `ReportOption`.
    package let name: String
    /// The data of passed tests that the report needs.
    package let passed: PassedTestDetail
    /// A closure that creates a report. The report passes the bytes of its file to the sink.
    let makeReport: @Sendable (@escaping Sink, ReportSources) -> any Report

    /// All formats, in the order of their options in help.
    package static let all = [
        ReportFormat(name: "junit", passed: .names) { JUnitReport(root: $1.root, write: $0) },
        ReportFormat(name: "summary", passed: .counts) { write, _ in MarkdownSummary(write: write) },
        ReportFormat(name: "html", passed: .names) { HTMLReport(sources: $1, write: $0) },
        ReportFormat(name: "sarif", passed: .counts) { SARIFReport(root: $1.root, write: $0) },
    ]
}
