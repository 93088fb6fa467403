import Diagnostics

/// The line coverage of the package's sources.
package struct CoverageReport: Sendable, Equatable {
    /// The coverage of a file.
    package struct File: Sendable, Equatable {
        /// The path relative to the package's root.
        package let path: String
        let lines: Int
        let covered: Int

        var percent: Double { lines == 0 ? 100 : Double(covered) * 100 / Double(lines) }
    }

    /// The files sorted by path, without tests, generated files and dependencies.
    package let files: [File]

    /// The number of lines with code in all files.
    package var lines: Int { files.reduce(0) { $0 + $1.lines } }
    /// The number of covered lines.
    package var covered: Int { files.reduce(0) { $0 + $1.covered } }
    /// The percentage of covered lines, or 100 without any lines.
    package var percent: Double { lines == 0 ? 100 : Double(covered) * 100 / Double(lines) }
}

extension CoverageReport {
    /// A table with one line per file, lowest coverage first, and a total of several files.
    package var table: [String] {
        let rows = files.sorted { ($0.percent, $0.path) < ($1.percent, $1.path) }
        let width = rows.map { String($0.lines).utf8.count }.max() ?? 1
        func line(_ percent: Double, _ covered: Int, _ lines: Int, _ name: String) -> String {
            let share = Self.percentText(percent)
            let reached = TerminalText.rightAligned(String(covered), to: width)
            return "\(TerminalText.rightAligned(share, to: 7))  \(reached)/\(lines)  \(name)"
        }
        // The total of a single file would repeat its line.
        let sum = rows.count == 1 ? [] : [line(percent, covered, lines, "all \(rows.count) files")]
        return rows.map { line($0.percent, $0.covered, $0.lines, $0.path) } + sum
    }

    /// Returns a percentage such as `71.4 %`, rounded down so that `100 %` means all lines.
    package static func percentText(_ percent: Double) -> String {
        let tenths = Int(percent * 10)
        return "\(tenths / 10).\(tenths % 10) %"
    }
}
