import Text

/// The line coverage of the package's sources.
package struct CoverageReport: Sendable, Equatable {
    /// The files sorted by path, without tests, generated files and dependencies.
    package let files: [FileCoverage]

    /// Creates a report. Merges the results of a file in several runs. Each line gets its highest count.
    package init(files: [FileCoverage]) {
        var merged: [String: FileCoverage] = [:]
        for file in files { merged[file.path] = merged[file.path]?.merged(with: file) ?? file }
        self.files = merged.values.sorted { $0.path < $1.path }
    }

    /// The number of lines with code in all files.
    package var lines: Int { files.reduce(0) { $0 + $1.lines.count } }
    /// The number of covered lines.
    package var covered: Int { files.reduce(0) { $0 + $1.covered } }
    /// The percentage of covered lines, or 100 without any lines.
    package var percent: Double { Self.percent(covered, of: lines) }

    /// Returns the reason why the coverage is too low, or `nil` if it reaches the threshold.
    ///
    /// - Parameter lines: The name of the lines in the report.
    package func shortfall(below threshold: Double, of lines: String = "lines") -> String? {
        guard percent < threshold else { return nil }
        return "the tests cover \(Self.percentText(percent)) of the \(lines), less than \(Self.percentText(threshold))"
    }

    static func percent(_ covered: Int, of lines: Int) -> Double {
        lines == 0 ? 100 : Double(covered) * 100 / Double(lines)
    }
}

/// The line coverage of a file.
package struct FileCoverage: Sendable, Equatable {
    /// A line with code.
    package struct Line: Sendable, Equatable {
        /// The line number, starting at 1.
        package let number: Int
        /// The number of executions: the highest of its regions.
        package let count: Int
        /// The number of executions of each region that is on the line, in order.
        package let regions: [Int]

        package init(_ number: Int, count: Int) { self.init(number, regions: [count]) }

        package init(_ number: Int, regions: [Int]) {
            self.number = number
            self.regions = regions
            count = regions.max() ?? 0
        }
    }

    /// The path relative to the package's root.
    package let path: String
    /// The lines with code, in order. A line with several regions, such as a closure, occurs once.
    package let lines: [Line]

    package init(path: String, lines: [Line]) {
        self.path = path
        self.lines = lines
    }

    /// The number of covered lines.
    package var covered: Int { lines.count { $0.count > 0 } }
    /// The percentage of covered lines, or 100 without any lines.
    package var percent: Double { CoverageReport.percent(covered, of: lines.count) }

    /// The ranges of uncovered lines.
    package var uncovered: [ClosedRange<Int>] {
        var ranges: [ClosedRange<Int>] = []
        for line in lines where line.count == 0 {
            if let last = ranges.last, last.upperBound == line.number - 1 {
                ranges[ranges.count - 1] = last.lowerBound...line.number
            } else {
                ranges.append(line.number...line.number)
            }
        }
        return ranges
    }

    /// The uncovered lines as text: `3-5,8`.
    var uncoveredRanges: String {
        uncovered.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
            .joined(separator: ",")
    }

    func merged(with other: FileCoverage) -> FileCoverage {
        var counts: [Int: Int] = [:]
        for line in lines + other.lines { counts[line.number] = max(counts[line.number] ?? 0, line.count) }
        return FileCoverage(path: path, lines: counts.sorted { $0.key < $1.key }.map { Line($0.key, count: $0.value) })
    }
}

extension CoverageReport {
    /// A table with a row for each file, lowest coverage first, and a total if there are several files.
    package var table: [String] { table { _ in "" } }

    /// The table with uncovered lines after the paths: `Sources/A.swift:3-5,8`.
    package var tableWithUncovered: [String] {
        table { file in
            let ranges = file.uncoveredRanges
            return ranges.isEmpty ? "" : ":\(ranges)"
        }
    }

    private func table(_ remark: (FileCoverage) -> String) -> [String] {
        guard lines > 0 else { return ["there are no lines with code"] }
        let rows = files.sorted { ($0.percent, $0.path) < ($1.percent, $1.path) }
        let width = rows.map { String($0.lines.count).utf8.count }.max() ?? 1
        func line(_ percent: Double, _ covered: Int, _ lines: Int, _ name: String) -> String {
            let share = Self.percentText(percent)
            let reached = TerminalText.rightAligned(String(covered), to: width)
            return "\(TerminalText.rightAligned(share, to: 7))  \(reached)/\(lines)  \(name)"
        }
        // The total of a single file would repeat its line.
        let sum = rows.count == 1 ? [] : [line(percent, covered, lines, "all \(rows.count) files")]
        return rows.map { line($0.percent, $0.covered, $0.lines.count, $0.path + remark($0)) } + sum
    }

    /// Returns a percentage such as `71.4 %`. It is rounded down, so `100 %` means all lines.
    package static func percentText(_ percent: Double) -> String {
        let tenths = Int(percent * 10)
        return "\(tenths / 10).\(tenths % 10) %"
    }
}
