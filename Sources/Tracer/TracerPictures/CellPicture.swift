package import Tracer

/// A display list rendered as characters of a terminal.
package struct CellPicture: Sendable {
    /// The characters for a cell.
    package enum Form: Sendable, CaseIterable {
        /// `▀`: one by two pixels per cell, each in its own color.
        case halfBlocks
        /// Braille patterns: two by four dots per cell in a single color.
        case braille
        /// A letter per cell, for terminals without Unicode or color.
        case ascii

        var samplesPerCell: (columns: Int, rows: Int) {
            switch self {
            case .halfBlocks: (1, 2)
            case .braille: (2, 4)
            case .ascii: (1, 1)
            }
        }
    }

    let columns: Int
    let rows: Int
    private let form: Form
    private let isColored: Bool
    private let samples: SampleGrid
    /// The digits of numbers, by the index of their cell.
    private var digits: [Int: (character: Character, color: TraceColor)] = [:]

    /// - Parameter columns: The width in cells. The height follows from the width, because cells are twice as high as
    ///   wide.
    package init(_ list: DisplayList, columns: Int, form: Form, isColored: Bool) {
        let columns = max(1, min(columns, 1000))
        let unit = list.size.width > 0 && list.size.width.isFinite ? list.size.width / Double(columns) : 1
        let height = list.size.height.isFinite ? list.size.height / unit / 2 : 1
        self.columns = columns
        rows = Int(min(max(1, height.rounded(.up)), 1000))
        self.form = form
        self.isColored = isColored
        let cell = form.samplesPerCell
        var samples = SampleGrid(
            columns: columns * cell.columns, rows: rows * cell.rows,
            spacing: TraceSize(unit / Double(cell.columns), 2 * unit / Double(cell.rows)))
        for item in list.items { samples.draw(item, isColored: isColored) }
        self.samples = samples
        for case .number(let number, let center, _, let color) in list.items where center.isUsable {
            let text = String(number)
            let left = Int((center.x / unit - Double(text.count) / 2).rounded())
            let row = Int((center.y / unit / 2).rounded(.down))
            for (offset, digit) in text.enumerated()
            where (0..<columns).contains(left + offset) && (0..<rows).contains(row) {
                digits[row * columns + left + offset] = (digit, color)
            }
        }
    }

    /// The lines of the picture, without line feeds.
    package var lines: [String] {
        (0..<rows).map { row in
            var line = TerminalLine(isColored: isColored)
            for column in 0..<columns { add(row, column, to: &line) }
            return line.finished
        }
    }

    private func add(_ row: Int, _ column: Int, to line: inout TerminalLine) {
        if let digit = digits[row * columns + column] { return line.add(digit.character, color: digit.color) }
        switch form {
        case .halfBlocks:
            switch (samples[column, 2 * row], samples[column, 2 * row + 1]) {
            case (nil, nil): line.add(" ")
            case (let upper?, nil): line.add("▀", color: upper)
            case (nil, let lower?): line.add("▄", color: lower)
            case (let upper?, let lower?) where upper == lower: line.add("█", color: upper)
            case (let upper?, let lower?): line.add("▀", color: upper, behind: lower)
            }
        case .braille: addBraille(row, column, to: &line)
        case .ascii:
            let color = samples[column, row]
            line.add(color.map(\.letter) ?? " ", color: color)
        }
    }

    /// Appends a cell in the color of the line, or of the guide if the cell contains no line.
    private func addBraille(_ row: Int, _ column: Int, to line: inout TerminalLine) {
        let colors = Self.brailleDots.map { samples[2 * column + $0.column, 4 * row + $0.row] }
        guard let shown = colors.compactMap(\.self).min(by: { $0.brightness < $1.brightness }) else {
            return line.add(" ")
        }
        var dots: UInt32 = 0
        // Without color, the guide is sparse. A line remains visible on it.
        let isSparse = !isColored && shown.brightness > Self.lightest
        for (bit, color) in colors.enumerated()
        where color == shown && (!isSparse || Self.sparseDots.contains(bit)) {
            dots |= 1 << UInt32(bit)
        }
        guard dots > 0 else { return line.add(" ") }
        line.add(Unicode.Scalar(0x2800 + dots).map(Character.init) ?? " ", color: shown)
    }

    /// The bits of the dots that are drawn in light areas of a picture without color.
    private static let sparseDots = [0, 5]
    /// The brightness above which an area is light.
    private static let lightest = 190_000

    /// The dots of the eight bits of a braille character, starting at the least significant bit.
    private static let brailleDots: [(column: Int, row: Int)] = [
        (0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3),
    ]
}
