package import Tracer

/// A display list as characters of a terminal.
package struct CellPicture: Sendable {
    /// What a cell can show.
    package enum Form: Sendable, CaseIterable {
        /// `▀`: one by two pixels a cell, each in its own colour.
        case halfBlocks
        /// Two by four dots a cell in one colour.
        case braille
        /// One letter a cell, for terminals without Unicode or colour.
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
    private let samples: [Color?]

    /// - Parameter columns: The width in cells; the height follows, with cells twice as high as wide.
    package init(_ list: DisplayList, columns: Int, form: Form, isColored: Bool) {
        let columns = max(1, min(columns, 1000))
        let unit = list.size.width > 0 && list.size.width.isFinite ? list.size.width / Double(columns) : 1
        let height = list.size.height.isFinite ? list.size.height / unit / 2 : 1
        self.columns = columns
        rows = Int(min(max(1, height.rounded(.up)), 1000))
        self.form = form
        self.isColored = isColored
        let grid = form.samplesPerCell
        samples = Self.sample(
            list.items, isColored: isColored, columns: columns * grid.columns, rows: rows * grid.rows,
            spacing: Size(unit / Double(grid.columns), 2 * unit / Double(grid.rows)))
    }

    /// The colour of the topmost item at each sample; lines are widened so that none falls between two samples.
    private static func sample(
        _ items: [DisplayList.Item], isColored: Bool, columns: Int, rows: Int, spacing: Size
    ) -> [Color?] {
        var samples = [Color?](repeating: nil, count: columns * rows)
        let slack = min(spacing.width, spacing.height) / 2
        func draw(_ points: [Point], _ reach: Double, _ color: Color) {
            for segment in Path(points: points.filter(\.isUsable)).segments {
                visit(segment, reach, columns, rows, spacing) { samples[$0] = color }
            }
        }
        for item in items {
            switch item {
            case .stroke(let points, let width, let color): draw(points, max(width / 2, slack), color)
            // A star is as good as a dot at this size.
            case .fill(let polygon, let color): draw(center(of: polygon), slack * 1.2, color)
            case .image(let image, let frame):
                show(image, in: frame, isColored, columns, rows, spacing, on: &samples)
            }
        }
        return samples
    }

    /// Without colours only what is dark is shown: the light of a picture is its paper.
    private static func show(
        _ image: PNGImage, in frame: Rect, _ isColored: Bool, _ columns: Int, _ rows: Int, _ spacing: Size,
        on samples: inout [Color?]
    ) {
        let size = frame.size
        guard size.width > 0, size.height > 0, let source = try? PNG.decode(image) else { return }
        let spread = (
            spacing.width / size.width * Double(source.width), spacing.height / size.height * Double(source.height)
        )
        for index in samples.indices {
            let x = ((Double(index % columns) + 0.5) * spacing.width - frame.origin.x) / size.width
            let y = ((Double(index / columns) + 0.5) * spacing.height - frame.origin.y) / size.height
            guard (0...1).contains(x), (0...1).contains(y) else { continue }
            let color = source.color(x: x, y: y, spread: spread)
            guard color.3 >= 128 else { continue }
            func byte(_ value: Float) -> UInt8 { UInt8(min(255, value * 255 / color.3 + 0.5)) }
            let shown = Color(byte(color.0), byte(color.1), byte(color.2))
            if isColored || shown.brightness < 128_000 { samples[index] = shown }
        }
    }

    private static func center(of polygon: [Point]) -> [Point] {
        Rect(around: polygon).map { [$0.center] } ?? []
    }

    private static func visit(
        _ segment: Segment, _ reach: Double, _ columns: Int, _ rows: Int, _ spacing: Size, _ body: (Int) -> Void
    ) {
        func range(_ a: Double, _ b: Double, _ step: Double, _ count: Int) -> Range<Int> {
            let low = min(max((min(a, b) - reach) / step - 1, 0), Double(count))
            let high = min(max((max(a, b) + reach) / step + 1, 0), Double(count))
            return low < high ? Int(low)..<Int(high) : 0..<0
        }
        for row in range(segment.start.y, segment.end.y, spacing.height, rows) {
            for column in range(segment.start.x, segment.end.x, spacing.width, columns) {
                let place = Point((Double(column) + 0.5) * spacing.width, (Double(row) + 0.5) * spacing.height)
                if segment.distance(to: place) <= reach { body(row * columns + column) }
            }
        }
    }

    /// The picture as lines, without line feeds.
    package var lines: [String] {
        (0..<rows).map { row in
            var line = TerminalLine(isColored: isColored)
            for column in 0..<columns { add(row, column, to: &line) }
            return line.finished
        }
    }

    private func add(_ row: Int, _ column: Int, to line: inout TerminalLine) {
        switch form {
        case .halfBlocks:
            let upper = samples[2 * row * columns + column]
            let lower = samples[(2 * row + 1) * columns + column]
            switch (upper, lower) {
            case (nil, nil): line.add(" ")
            case (let upper?, nil): line.add("▀", color: upper)
            case (nil, let lower?): line.add("▄", color: lower)
            case (let upper?, let lower?) where upper == lower: line.add("█", color: upper)
            case (let upper?, let lower?): line.add("▀", color: upper, behind: lower)
            }
        case .braille:
            var dots: UInt32 = 0
            var colors: [Color] = []
            for (bit, offset) in Self.brailleDots.enumerated() {
                guard let color = samples[(4 * row + offset.row) * 2 * columns + 2 * column + offset.column] else {
                    continue
                }
                dots |= 1 << UInt32(bit)
                colors.append(color)
            }
            // The cell has one colour: that of a line, where there is one, rather than of the pale guide.
            guard let color = colors.min(by: { $0.brightness < $1.brightness }) else { return line.add(" ") }
            let strongest = colors.contains { $0 != color }
            if strongest {
                dots = 0
                for (bit, offset) in Self.brailleDots.enumerated()
                where samples[(4 * row + offset.row) * 2 * columns + 2 * column + offset.column] == color {
                    dots |= 1 << UInt32(bit)
                }
            }
            line.add(Unicode.Scalar(0x2800 + dots).map(Character.init) ?? " ", color: color)
        case .ascii:
            let color = samples[row * columns + column]
            line.add(color.map(\.letter) ?? " ", color: color)
        }
    }

    /// Which dot each of the eight bits of a braille character stands for.
    private static let brailleDots: [(column: Int, row: Int)] = [
        (0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3),
    ]
}

/// One line of a terminal; colours are switched only where they change.
private struct TerminalLine {
    let isColored: Bool
    private var text = ""
    private var current = ""

    init(isColored: Bool) {
        self.isColored = isColored
    }

    mutating func add(_ character: Character, color: Color? = nil, behind: Color? = nil) {
        if isColored {
            let codes =
                (color.map { ";38;5;\($0.terminalIndex)" } ?? "") + (behind.map { ";48;5;\($0.terminalIndex)" } ?? "")
            if codes != current { text += "\u{1B}[0\(codes)m" }
            current = codes
        }
        text.append(character)
    }

    var finished: String { current.isEmpty ? text : text + "\u{1B}[0m" }
}

extension Color {
    var brightness: Int { 299 * Int(red) + 587 * Int(green) + 114 * Int(blue) }

    /// The nearest colour of the 6 by 6 by 6 cube or the grey ramp of 256-colour terminals.
    var terminalIndex: Int {
        if max(red, green, blue) - min(red, green, blue) < 12 {
            let level = (Int(red) + Int(green) + Int(blue)) / 3
            if level < 4 { return 16 }
            if level > 246 { return 231 }
            return 232 + min(23, max(0, (level - 3) / 10))
        }
        func step(_ value: UInt8) -> Int { value < 48 ? 0 : value < 115 ? 1 : (Int(value) - 35) / 40 }
        return 16 + 36 * step(red) + 6 * step(green) + step(blue)
    }

    /// What stands for the colour where there is none.
    var letter: Character {
        let standard = TracePicture()
        if self == standard.guide { return "." }
        if self == standard.star { return "*" }
        for (color, letter) in [(LineColor.red, Character("x")), (.green, "+"), (.amber, "o")]
        where self == TracePicture.standard(color) {
            return letter
        }
        return "#"
    }
}
