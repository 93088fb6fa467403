import ToolOutput

/// A coverage file in lcov's tracefile format, which editors, Codecov and Coveralls read.
struct LCOVFile {
    let coverage: CoverageReport

    /// The text of the file: for each source file, its path relative to the package's root, the execution count of each
    /// line, and the numbers of lines and covered lines.
    var text: String {
        coverage.files.map { file in
            let lines = file.lines.map { "DA:\($0.number),\($0.count)\n" }.joined()
            return "SF:\(file.path)\n\(lines)LF:\(file.lines.count)\nLH:\(file.covered)\nend_of_record\n"
        }.joined()
    }
}
