import Events
import Text

/// A timeline of tests by worker, as inline SVG.
struct HTMLTimeline {
    /// The attempt of a test. A large run has many, so a bar is small.
    struct Bar {
        let start: Double
        let end: Double
        /// The number of the bar, by which its title is found.
        let number: Int32
        let kind: HTML.Kind
        /// The number of the row in its group.
        fileprivate var row: UInt8 = 0

        init(start: Double, duration: Duration, kind: HTML.Kind, number: Int) {
            (self.start, end, self.kind, self.number) = (start, start + duration.seconds, kind, Int32(number))
        }
    }

    /// A drawn interval.
    private struct Mark {
        let start: Double
        let end: Double
        let kind: HTML.Kind
        let title: String
    }

    /// The bars of one worker, in rows without overlaps.
    private struct Group {
        let name: String
        let bars: [Bar]
        let rowCount: Int
        let title: (Int) -> String
    }

    private var first = Double.infinity
    private var last = -Double.infinity
    private var groups: [Group] = []

    private static let width = 1000.0
    private static let labelWidth = 110.0
    private static let rowHeight = 15.0
    /// The width of the shortest bar.
    private static let leastWidth = 1.5
    /// The maximum number of rows of a worker whose tests run in parallel.
    private static let maximumRows = 24
    /// The overlap in seconds that is ignored. Start times and durations come from different clocks.
    private static let tolerance = 0.002

    /// A Boolean value that indicates whether the timeline has no bars.
    var isEmpty: Bool { groups.isEmpty }

    /// Adds bars under a common name, in as many rows as necessary to avoid overlaps.
    mutating func add(_ name: String, _ bars: consuming [Bar], title: @escaping (Int) -> String) {
        guard !bars.isEmpty else { return }
        bars.sort { $0.start < $1.start }
        /// The end of the last bar of each row.
        var ends: [Double] = []
        for index in bars.indices {
            let bar = bars[index]
            (first, last) = (min(first, bar.start), max(last, bar.end))
            var row = ends.firstIndex { $0 <= bar.start + Self.tolerance } ?? ends.count
            if row == Self.maximumRows { row = ends.indices.min { ends[$0] < ends[$1] } ?? 0 }
            if row == ends.count { ends.append(bar.end) } else { ends[row] = bar.end }
            bars[index].row = UInt8(row)
        }
        groups.append(Group(name: name, bars: bars, rowCount: ends.count, title: title))
    }

    /// Returns the marks of a row. Passed tests that would share a pixel are one mark.
    private func marks(of bars: [Bar], _ title: (Int) -> String) -> [Mark] {
        var marks: [Mark] = []
        var index = 0
        while index < bars.count {
            let bar = bars[index]
            var next = index + 1
            if bar.kind == .passed {
                while next < bars.count, bars[next].kind == .passed,
                    position(bars[next].end) - position(bar.start) < Self.leastWidth
                { next += 1 }
            }
            let count = next - index
            let text = count == 1 ? title(Int(bar.number)) : "\(grouped(count)) tests\npassed"
            marks.append(Mark(start: bar.start, end: bars[next - 1].end, kind: bar.kind, title: text))
            index = next
        }
        return marks
    }

    /// Writes the image in parts, because that of many tests is large.
    func writeSVG(_ write: (String) -> Void) {
        let rowCount = groups.reduce(0) { $0 + $1.rowCount }
        let height = Double(rowCount) * Self.rowHeight + Double(groups.count) * 6 + 28
        write("<svg viewBox=\"0 0 \(Int(Self.width)) \(Int(height))\" role=\"img\">\n")
        write(axis(height: height))
        var y = 22.0
        for group in groups {
            let label = HTML.escaped(TerminalText.truncated(group.name, to: 16))
            write("<text x=\"8\" y=\"\(Self.number(y + 11))\">\(label)</text>\n")
            for row in 0..<group.rowCount {
                let marks = marks(of: group.bars.filter { $0.row == row }, group.title)
                // Failures are drawn last, on top of others.
                for mark in marks where mark.kind != .failed { write(rectangle(mark, y: y)) }
                for mark in marks where mark.kind == .failed { write(rectangle(mark, y: y)) }
                y += Self.rowHeight
            }
            y += 6
        }
        write("</svg>\n")
    }

    private func axis(height: Double) -> String {
        let span = max(last - first, 0.001)
        // The smallest of 1, 2, 5, 10, 20, 50 … milliseconds with at most eight marks.
        var decade = 0.001
        while span / (5 * decade) > 8 { decade *= 10 }
        let step = [1.0, 2, 5].map { $0 * decade }.first { span / $0 <= 8 } ?? 5 * decade
        var svg = ""
        var mark = 0
        while Double(mark) * step <= span {
            let x = Self.number(position(first + Double(mark) * step))
            svg += "<line class=\"grid\" x1=\"\(x)\" x2=\"\(x)\" y1=\"18\" y2=\"\(Self.number(height))\"/>"
            svg += "<text x=\"\(x)\" y=\"12\">\(Self.label(Double(mark) * step, step: step))</text>\n"
            mark += 1
        }
        return svg
    }

    private func rectangle(_ bar: Mark, y: Double) -> String {
        let start = position(bar.start)
        let width = max(Self.leastWidth, position(bar.end) - start)
        return "<rect class=\"\(bar.kind.rawValue)\" x=\"\(Self.number(start))\" y=\"\(Self.number(y + 1.5))\" "
            + "width=\"\(Self.number(width))\" height=\"\(Self.number(Self.rowHeight - 3))\" rx=\"2\">"
            + "<title>\(HTML.escaped(bar.title))</title></rect>\n"
    }

    private func position(_ time: Double) -> Double {
        Self.labelWidth + (time - first) / max(last - first, 0.001) * (Self.width - Self.labelWidth - 50)
    }

    /// Returns a number with one decimal, a tenth of a pixel.
    private static func number(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return tenths.isMultiple(of: 10) ? "\(tenths / 10)" : "\(tenths / 10).\(abs(tenths % 10))"
    }

    private static func label(_ seconds: Double, step: Double) -> String {
        if step >= 1 { return "\(Int(seconds.rounded())) s" }
        return "\(Int((seconds * 1000).rounded())) ms"
    }
}

extension Duration {
    var seconds: Double { self / .seconds(1) }
}
