import Coverage

/// Coverage as a tracefile of lcov, for editors and services.
struct LCOVFile {
    let coverage: CoverageReport

    /// The lines of each file, with paths relative to the package's root.
    var text: String {
        coverage.files.map { file in
            let lines = file.lines.map { "DA:\($0.number),\($0.count)\n" }.joined()
            return "SF:\(file.path)\n\(lines)LF:\(file.lines.count)\nLH:\(file.covered)\nend_of_record\n"
        }.joined()
    }
}
