import ToolOutput

/// A coverage file in Cobertura's XML format (`coverage-04.dtd`), which GitLab, Azure Pipelines and Jenkins read.
///
/// The format is made for Java. Here, a `package` is a directory, and a `class` is a source file without methods.
struct CoberturaFile {
    let coverage: MeasuredCoverage

    /// The bytes of the file.
    var bytes: [UInt8] {
        let report = coverage.report
        var writer = XMLWriter()
        writer.declaration()
        writer.start(
            "coverage",
            Self.rates(report.covered, of: report.lines) + [
                ("lines-covered", "\(report.covered)"), ("lines-valid", "\(report.lines)"),
                ("branches-covered", "0"), ("branches-valid", "0"), ("complexity", "0"), ("version", "lane"),
                ("timestamp", "\(Int(coverage.date))"),
            ])
        writer.start("sources")
        writer.text("source", [], coverage.root)
        writer.end()
        writer.start("packages")
        for (directory, files) in Self.directories(of: report) { Self.write(directory, files, to: &writer) }
        writer.end()
        writer.end()
        return writer.bytes
    }

    /// Writes the `package` of a directory with a `class` for each file.
    private static func write(_ directory: String, _ files: [FileCoverage], to writer: inout XMLWriter) {
        let all = CoverageReport(files: files)
        writer.start("package", [("name", directory)] + rates(all.covered, of: all.lines) + [("complexity", "0")])
        writer.start("classes")
        for file in files {
            let name = file.path.split(separator: "/").last.map(String.init) ?? file.path
            writer.start(
                "class",
                [("name", name), ("filename", file.path)] + rates(file.covered, of: file.lines.count)
                    + [("complexity", "0")])
            writer.empty("methods")
            writer.start("lines")
            for line in file.lines {
                writer.empty("line", [("number", "\(line.number)"), ("hits", "\(line.count)"), ("branch", "false")])
            }
            writer.end()
            writer.end()
        }
        writer.end()
        writer.end()
    }

    /// Returns the files of each directory, sorted by directory.
    private static func directories(of report: CoverageReport) -> [(directory: String, files: [FileCoverage])] {
        var directories: [String: [FileCoverage]] = [:]
        for file in report.files {
            let directory = file.path.split(separator: "/").dropLast().joined(separator: "/")
            directories[directory, default: []].append(file)
        }
        return directories.sorted { $0.key < $1.key }.map { (directory: $0.key, files: $0.value) }
    }

    /// Returns the attributes `line-rate` and `branch-rate`. Swift does not measure the coverage of branches.
    private static func rates(_ covered: Int, of lines: Int) -> [(String, String?)] {
        [("line-rate", "\(lines == 0 ? 1 : Double(covered) / Double(lines))"), ("branch-rate", "0")]
    }
}
