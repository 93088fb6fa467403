import ToolOutput

/// Consecutive lines of a source file on a coverage page.
struct CoverageExcerpt {
    struct Line {
        let number: Int
        let text: String
        let isMissed: Bool
        let isChanged: Bool
    }

    private(set) var lines: [Line] = []

    /// Returns the uncovered lines of a file with the lines around them.
    ///
    /// - Parameter changed: The numbers of the changed lines.
    static func all(
        of file: FileCoverage, in source: [String], changed: Set<Int>, context: Int
    ) -> [CoverageExcerpt] {
        let missed = Set(file.lines.filter { $0.count == 0 }.map(\.number))
        var excerpts: [CoverageExcerpt] = []
        var last = 0
        for range in file.uncovered where range.lowerBound <= source.count {
            let start = max(1, range.lowerBound - context)
            let end = min(source.count, range.upperBound + context)
            if excerpts.isEmpty || start > last + 1 { excerpts.append(CoverageExcerpt()) }
            for number in max(start, last + 1)...max(end, last + 1) where number <= end {
                excerpts[excerpts.count - 1].lines.append(
                    Line(
                        number: number, text: source[number - 1], isMissed: missed.contains(number),
                        isChanged: changed.contains(number)))
            }
            last = max(last, end)
        }
        return excerpts
    }

    /// Returns the lines with their numbers. An uncovered or changed line has a mark in addition to its color, and a
    /// line that is both can be the target of a link.
    ///
    /// - Parameter file: The number of the file on the page.
    func html(file: Int) -> String {
        let rows = lines.map { line in
            let classes = [(line.isMissed, "missed"), (line.isChanged, "changed")].filter(\.0).map(\.1)
            let style = classes.isEmpty ? "" : " class=\"\(classes.joined(separator: " "))\""
            let target = classes.count == 2 ? " id=\"file-\(file)-\(line.number)\"" : ""
            let mark = (line.isChanged ? "+" : " ") + (line.isMissed ? "✘" : " ")
            return "<span\(target)\(style)><i>\(line.number)</i><b>\(mark)</b>\(HTML.escaped(line.text))</span>"
        }
        return "<pre class=\"source\">\(rows.joined())</pre>"
    }
}
