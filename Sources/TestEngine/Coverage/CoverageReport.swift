import Diagnostics

/// Which lines of the package's own sources the tests reached.
package struct CoverageReport: Sendable, Equatable {
    /// How much of one file was reached.
    package struct File: Sendable, Equatable {
        /// Relative to the package's root.
        package let path: String
        let lines: Int
        let covered: Int

        var percent: Double { lines == 0 ? 100 : Double(covered) * 100 / Double(lines) }
    }

    /// Sorted by path; tests, generated files and dependencies left out.
    package let files: [File]

    /// Of all files, as far as they hold code.
    package var lines: Int { files.reduce(0) { $0 + $1.lines } }
    /// Those of them that the tests reached.
    package var covered: Int { files.reduce(0) { $0 + $1.covered } }
    /// From 0 to 100; where there is nothing to reach, all of it was.
    package var percent: Double { lines == 0 ? 100 : Double(covered) * 100 / Double(lines) }
}

extension CoverageReport {
    /// A table for people: one line a file, the least covered first, and the sum of several.
    package var table: [String] {
        let rows = files.sorted { ($0.percent, $0.path) < ($1.percent, $1.path) }
        let width = rows.map { String($0.lines).utf8.count }.max() ?? 1
        func line(_ percent: Double, _ covered: Int, _ lines: Int, _ name: String) -> String {
            let share = Self.percentText(percent)
            let reached = TerminalText.rightAligned(String(covered), to: width)
            return "\(TerminalText.rightAligned(share, to: 7))  \(reached)/\(lines)  \(name)"
        }
        // Of one file the sum would only repeat the line.
        let sum = rows.count == 1 ? [] : [line(percent, covered, lines, "all \(rows.count) files")]
        return rows.map { line($0.percent, $0.covered, $0.lines, $0.path) } + sum
    }

    /// `71.4 %`, rounded down so that only all of it is 100 %.
    package static func percentText(_ percent: Double) -> String {
        let tenths = Int(percent * 10)
        return "\(tenths / 10).\(tenths % 10) %"
    }
}
