/// A report file. A setting of `test` steps and an option of every lane request it.
package struct ReportFile: Sendable {
    /// The name of the setting and of the option.
    package let name: String
    /// One sentence without a full stop.
    package let help: String

    /// All report files, in the order in which help lists them.
    package static let all = [
        ReportFile(name: "junit", help: "Write a JUnit report to this file"),
        ReportFile(name: "summary", help: "Write a summary in Markdown to this file"),
        ReportFile(name: "html", help: "Write a report as one HTML page to this file"),
        ReportFile(name: "sarif", help: "Write failures and warnings as SARIF 2.1.0 to this file"),
    ]

    /// The setting of a `test` step.
    var setting: SettingSchema { SettingSchema(name, .path, help) }
}
