/// The names of test settings that exist only on the command line, and of coverage settings.
package enum TestSetting {
    package static let failed = "failed"
    package static let skipBuild = "skip-build"
    package static let noCapture = "no-capture"
    package static let debugger = "debugger"
    package static let archive = "archive"
    package static let withSources = "with-sources"
    package static let from = "from"
    package static let timings = "timings"
    /// The settings that make sense only if all tests run.
    package static let ofAllTests = [coverageThreshold, changedThreshold]
    /// The settings that select tests by changed files, or name the commit to compare with.
    package static let ofChanges = ["changed", "changed-base", changedBase]
    static let coverageThreshold = "coverage-threshold"
    /// The minimum percentage of the changed lines that tests cover.
    static let changedThreshold = "coverage-changed-threshold"
    /// The branch or commit to compare lines with.
    static let changedBase = "coverage-changed-base"
}
