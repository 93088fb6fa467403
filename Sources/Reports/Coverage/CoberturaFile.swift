import Coverage

/// Coverage as Cobertura XML (`coverage-04.dtd`), for GitLab, Azure Pipelines and Jenkins.
struct CoberturaFile {
    let coverage: MeasuredCoverage

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
        for (directory, files) in Self.directories(of: report) { Self.add(directory, files, to: &writer) }
        writer.end()
        writer.end()
        return writer.bytes
    }

    /// Adds the files of a directory. In the format, a directory is a package, and a file is a class.
    private static func add(_ directory: String, _ files: [FileCoverage], to writer: inout XMLWriter) {
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

    private static func directories(of report: CoverageReport) -> [(directory: String, files: [FileCoverage])] {
        var directories: [String: [FileCoverage]] = [:]
        for file in report.files {
            let directory = file.path.split(separator: "/").dropLast().joined(separator: "/")
            directories[directory, default: []].append(file)
        }
        return directories.sorted { $0.key < $1.key }.map { (directory: $0.key, files: $0.value) }
    }

    /// Returns the rates of lines and branches. The branch rate is 0, because Swift's coverage does not measure
    /// branches.
    private static func rates(_ covered: Int, of lines: Int) -> [(String, String?)] {
        [("line-rate", "\(lines == 0 ? 1 : Double(covered) / Double(lines))"), ("branch-rate", "0")]
    }
}
