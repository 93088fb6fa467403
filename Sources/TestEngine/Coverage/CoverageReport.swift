/// Which lines of the package's own sources the tests reached.
package struct CoverageReport: Sendable, Equatable {
    package struct File: Sendable, Equatable {
        /// Relative to the package's root.
        package let path: String
        package let lines: Int
        package let covered: Int

        package var percent: Double { lines == 0 ? 100 : Double(covered) * 100 / Double(lines) }
    }

    /// Sorted by path; tests, generated files and dependencies left out.
    package let files: [File]

    package var lines: Int { files.reduce(0) { $0 + $1.lines } }
    package var covered: Int { files.reduce(0) { $0 + $1.covered } }
    package var percent: Double { lines == 0 ? 100 : Double(covered) * 100 / Double(lines) }
}
