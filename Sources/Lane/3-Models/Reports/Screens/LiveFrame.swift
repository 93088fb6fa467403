import Text

/// The rows at the bottom of a terminal that are redrawn. Each update is a single write, so the terminal never shows a
/// partial frame.
struct LiveFrame {
    private let ellipsis: String
    private var shownColumns: [Int] = []
    private var shownRows: [String] = []

    init(ellipsis: String) {
        self.ellipsis = ellipsis
    }

    /// Returns the bytes that erase the frame, print permanent text, and draw the rows, or no bytes if nothing changes.
    ///
    /// `text` is empty or ends with a line break, unless `rows` is empty.
    mutating func update(text: [UInt8], rows: [String], width: Int, height: Int) -> [UInt8] {
        let rows = fitting(rows, height: height)
        guard !text.isEmpty || rows != shownRows else { return [] }
        var bytes = erasure(width: width)
        bytes += text
        // The last column remains empty, because some terminals wrap after it.
        shownRows = rows
        let fitting = rows.map { TerminalText.truncated($0, to: max(1, width - 1), ellipsis: ellipsis) }
        shownColumns = fitting.map(TerminalText.columns)
        bytes += fitting.joined(separator: "\n").utf8
        return bytes
    }

    /// Returns the rows that fit into the terminal, and a row with the number of others. Rows that scroll out of the
    /// terminal cannot be erased.
    private func fitting(_ rows: [String], height: Int) -> [String] {
        guard rows.count > height - 1 else { return rows }
        let shown = max(0, height - 2)
        return rows.prefix(shown) + ["  and \(grouped(rows.count - shown, "more row"))"]
    }

    /// Returns the bytes that erase the rows. A terminal that became narrower has wrapped the rows, so their number is
    /// computed for its current width.
    private func erasure(width: Int) -> [UInt8] {
        guard !shownColumns.isEmpty else { return [] }
        let lines = shownColumns.reduce(0) { $0 + max(1, ($1 + max(1, width) - 1) / max(1, width)) }
        return Array((lines > 1 ? "\r\u{1B}[\(lines - 1)A\u{1B}[J" : "\r\u{1B}[J").utf8)
    }
}

/// A progress bar of three tracks: finished, running, and remaining.
struct ProgressBar {
    let finished: Int
    let inFlight: Int
    let total: Int

    /// Returns the number of cells of each track. The running track is visible if there is room.
    func tracks(cells: Int) -> (finished: Int, inFlight: Int, rest: Int) {
        guard total > 0, cells > 0 else { return (0, 0, max(0, cells)) }
        let done = min(cells, cells * min(finished, total) / total)
        let both = min(cells, (cells * min(finished + inFlight, total) + total - 1) / total)
        let moving = inFlight > 0 ? max(both - done, min(1, cells - done)) : 0
        return (done, moving, cells - done - moving)
    }
}
