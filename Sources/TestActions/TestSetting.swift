/// The names of the settings of tests that only the command line has.
package enum TestSetting {
    package static let failed = "failed"
    package static let skipBuild = "skip-build"
    package static let archive = "archive"
    package static let withSources = "with-sources"
    package static let from = "from"
    package static let timings = "timings"
}
