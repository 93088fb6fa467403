/// The options of every lane, and the settings of `test` steps, that request report files.
package enum ReportOption {
    /// The options in the order in which help lists them.
    package static let all = [
        SettingSchema("junit", .path, "Write a JUnit report to this file"),
        SettingSchema("summary", .path, "Write a summary in Markdown to this file"),
        SettingSchema("html", .path, "Write a report as one HTML page to this file"),
        SettingSchema("sarif", .path, "Write failures and warnings as SARIF 2.1.0 to this file"),
    ]
}
