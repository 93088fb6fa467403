package import Coverage

/// A format of coverage files. The setting of a `test` step is `coverage-` and the name.
package struct CoverageFormat: Sendable {
    /// The name of the format.
    package let name: String
    /// Returns the bytes of the file.
    package let bytes: @Sendable (MeasuredCoverage) -> [UInt8]

    /// All formats.
    package static let all = [
        CoverageFormat(name: "lcov") { Array(LCOVFile(coverage: $0.report).text.utf8) },
        CoverageFormat(name: "cobertura") { CoberturaFile(coverage: $0).bytes },
        CoverageFormat(name: "html") { Array(CoveragePage(coverage: $0).html.utf8) },
    ]
}

/// The coverage of a run, with everything that its files need.
package struct MeasuredCoverage: Sendable {
    package let report: CoverageReport
    /// The absolute path of the directory that the paths of the report are relative to.
    package let root: String
    /// The end of the run in seconds since 1970.
    package let date: Double
    /// Returns the lines of a file by its path in the report, or `nil` if it cannot be read.
    package let source: @Sendable (String) -> [String]?

    package init(
        _ report: CoverageReport, root: String, date: Double, source: @escaping @Sendable (String) -> [String]?
    ) {
        self.report = report
        self.root = root
        self.date = date
        self.source = source
    }
}
