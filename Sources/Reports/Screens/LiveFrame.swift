import Diagnostics

/// The rows at the bottom of a terminal that are drawn over and over. Everything goes out in one piece, so that a
/// terminal never shows half of a frame.
struct LiveFrame {
    private let ellipsis: String
    private var shownColumns: [Int] = []
    private var shownRows: [String] = []

    init(ellipsis: String) {
        self.ellipsis = ellipsis
    }

    /// The bytes that take the frame away, print text for good and draw the rows; none when nothing changes.
    ///
    /// `text` is empty or ends a line, unless no rows follow it.
    mutating func update(text: [UInt8], rows: [String], width: Int, height: Int) -> [UInt8] {
        let rows = fitting(rows, height: height)
        guard !text.isEmpty || rows != shownRows else { return [] }
        var bytes = erasure(width: width)
        bytes += text
        // One column stays free: a terminal may wrap when the last one is written.
        shownRows = rows
        let fitting = rows.map { TerminalText.truncated($0, to: max(1, width - 1), ellipsis: ellipsis) }
        shownColumns = fitting.map(TerminalText.columns)
        bytes += fitting.joined(separator: "\n").utf8
        return bytes
    }

    /// What scrolls out at the top could not be taken away any more, so the rows that do not fit are only counted.
    private func fitting(_ rows: [String], height: Int) -> [String] {
        guard rows.count > height - 1 else { return rows }
        let shown = max(0, height - 2)
        return rows.prefix(shown) + ["  and \(grouped(rows.count - shown, "more row"))"]
    }

    /// A terminal that became narrower since has wrapped the rows, so they are counted at its width now.
    private func erasure(width: Int) -> [UInt8] {
        guard !shownColumns.isEmpty else { return [] }
        let lines = shownColumns.reduce(0) { $0 + max(1, ($1 + max(1, width) - 1) / max(1, width)) }
        return Array((lines > 1 ? "\r\u{1B}[\(lines - 1)A\u{1B}[J" : "\r\u{1B}[J").utf8)
    }
}

/// A bar of three tracks: finished, in flight, and the rest.
struct ProgressBar {
    let finished: Int
    let inFlight: Int
    let total: Int

    /// How many of `cells` each track takes; whatever runs is to be seen as long as there is room.
    func tracks(cells: Int) -> (finished: Int, inFlight: Int, rest: Int) {
        guard total > 0, cells > 0 else { return (0, 0, max(0, cells)) }
        let done = min(cells, cells * min(finished, total) / total)
        let both = min(cells, (cells * min(finished + inFlight, total) + total - 1) / total)
        let moving = inFlight > 0 ? max(both - done, min(1, cells - done)) : 0
        return (done, moving, cells - done - moving)
    }
}
