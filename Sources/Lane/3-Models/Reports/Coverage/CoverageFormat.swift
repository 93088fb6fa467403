package import ToolOutput

/// A format of coverage files. The setting of a `test` step is `coverage-` and the name.
package struct CoverageFormat: Sendable {
    /// The name of the format.
    package let name: String
    /// A closure that returns the bytes of the file.
    package let bytes: @Sendable (MeasuredCoverage) -> [UInt8]

    /// All formats.
    package static let all = [
        CoverageFormat(name: "lcov") { Array(LCOVFile(coverage: $0.report).text.utf8) },
        CoverageFormat(name: "cobertura") { CoberturaFile(coverage: $0).bytes },
        CoverageFormat(name: "html") { Array(CoveragePage(coverage: $0).html.utf8) },
    ]
}

/// The coverage of a run, with the data that the formats need.
package struct MeasuredCoverage: Sendable {
    package let report: CoverageReport
    /// The absolute path of the package. Paths in the report are relative to it.
    let root: String
    /// The end of the run in seconds since 1970.
    let date: Double
    /// A closure that returns the lines of a file by its path in the report, or `nil` if the file cannot be read.
    package let source: @Sendable (String) -> [String]?
    /// The coverage of the changed lines, if it is measured.
    let changed: Changed?

    /// The coverage of the lines that differ from a base.
    package struct Changed: Sendable {
        /// The part of the report that contains only the changed lines.
        let report: CoverageReport
        /// The description of the base.
        let base: String

        package init(_ report: CoverageReport, since base: String) {
            self.report = report
            self.base = base
        }
    }

    package init(
        _ report: CoverageReport, changed: Changed? = nil, root: String, date: Double,
        source: @escaping @Sendable (String) -> [String]?
    ) {
        self.report = report
        self.changed = changed
        self.root = root
        self.date = date
        self.source = source
    }
}
