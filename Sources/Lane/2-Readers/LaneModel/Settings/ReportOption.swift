/// The option of every lane, and the setting of `test` steps, that requests a report file.
package struct ReportOption: Sendable {
    /// The name of the setting and of the option.
    package let name: String
    /// One sentence without a full stop.
    package let help: String

    /// The options of all report files, in the order in which help lists them.
    package static let all = [
        ReportOption(name: "junit", help: "Write a JUnit report to this file"),
        ReportOption(name: "summary", help: "Write a summary in Markdown to this file"),
        ReportOption(name: "html", help: "Write a report as one HTML page to this file"),
        ReportOption(name: "sarif", help: "Write failures and warnings as SARIF 2.1.0 to this file"),
    ]

    /// The setting of a `test` step.
    package var setting: SettingSchema { SettingSchema(name, .path, help) }
}
