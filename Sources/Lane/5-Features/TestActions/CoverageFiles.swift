import Actions
package import Events
package import LaneModel
package import OperatingSystem
import Records
import Reports
import ToolOutput

/// The coverage files in the settings of a `test` step.
package struct CoverageFiles {
    private let files: [(format: CoverageFormat, path: String)]
    /// The root of the package. Paths in the files are relative to it.
    private let package: String

    /// The settings of a `test` step for the files.
    package static let settings = TestAction.schema.settings.filter { setting in
        CoverageFormat.all.contains { "coverage-\($0.name)" == setting.name }
    }

    /// Relative paths in the settings are relative to the root of the lanes.
    init(_ settings: Settings, in context: StepContext) {
        files = CoverageFormat.all.compactMap { format in
            settings.string("coverage-\(format.name)").map { (format, absolutePath($0, from: context.root)) }
        }
        package = context.directory
    }

    /// Creates the files of `lane merge`.
    ///
    /// - Parameters:
    ///   - paths: The absolute paths of the files by the names of their formats.
    ///   - package: The absolute path of the package.
    package init(_ paths: [String: String], package: String) {
        files = CoverageFormat.all.compactMap { format in paths[format.name].map { (format, $0) } }
        self.package = package
    }

    /// The absolute paths of the files.
    var paths: [String] { files.map(\.path) }

    /// Writes the files, and returns the errors. Writes no files without coverage.
    ///
    /// - Parameters:
    ///   - changed: The changed lines, if their coverage is measured.
    ///   - date: The time in seconds since 1970.
    func write(_ report: CoverageReport?, changed: ChangedCoverage?, date: Double) -> [FileError] {
        guard let report else { return [] }
        let changed = changed.map { MeasuredCoverage.Changed($0.report(in: report), since: $0.base) }
        return write(report, changed: changed, date: date)
    }

    /// Writes the coverage of all shards. Returns the errors.
    package func write(_ coverage: ShardCoverage, date: Double) -> [FileError] {
        let changed = coverage.base.map { MeasuredCoverage.Changed(coverage.changedReport, since: $0) }
        return write(coverage.report, changed: changed, date: date)
    }

    private func write(
        _ report: CoverageReport, changed: MeasuredCoverage.Changed?, date: Double
    ) -> [FileError] {
        let coverage = MeasuredCoverage(report, changed: changed, root: package, date: date) { [package] path in
            (try? readFile("\(package)/\(path)")).map { bytes in
                String(decoding: bytes, as: UTF8.self)
                    .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
            }
        }
        var failures: [FileError] = []
        for (format, path) in files {
            do throws(FileError) {
                try makeDirectories(parentDirectory(path))
                try writeFile(format.bytes(coverage), to: path)
            } catch {
                failures.append(error)
            }
        }
        return failures
    }
}

extension ShardCoverage {
    /// Creates the coverage of a shard from its report.
    ///
    /// - Parameters:
    ///   - threshold: The minimum percentage of covered lines in all shards.
    ///   - changed: The changed lines, if their coverage is measured.
    init(_ report: CoverageReport, threshold: Int?, changed: ChangedCoverage?) {
        let lines = Dictionary(
            uniqueKeysWithValues: (changed?.report(in: report).files ?? []).map { ($0.path, $0.lines.map(\.number)) })
        self.init(
            files: report.files.map { file in
                let counts = file.lines.map { ($0.number, $0.regions) }
                return File(
                    path: file.path, counts: Dictionary(uniqueKeysWithValues: counts),
                    changed: Set(lines[file.path] ?? []))
            },
            threshold: threshold, changedThreshold: changed?.threshold, base: changed?.base)
    }
}
