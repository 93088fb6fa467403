import Diagnostics
import Tracer
import TracerPictures

/// The game of tracing letters in a terminal, without the terminal: events go in, lines of text come out.
struct PlayScreen {
    private let glyphs: [Glyph]
    private let settings: TraceSettings
    private let style: TextStyle
    private var number = 0
    private(set) var session: TraceSession
    private var columns = 80
    private var rows = 24
    private var isMouseDown = false
    /// Where the arrow keys are, in cells of the picture; nil until one is pressed.
    private var cursor: (column: Int, row: Int)?
    private var isPenDown = false
    /// Seconds since the letter was begun.
    var time = 0.0

    static let size = LetterArguments.size
    private static let statusRows = 2

    init(glyphs: [Glyph], settings: TraceSettings, style: TextStyle) throws {
        self.glyphs = glyphs
        self.settings = settings
        self.style = style
        session = TraceSession(target: try makeTarget(glyphs[0], size: Self.size, settings: settings))
    }

    var glyph: Glyph { glyphs[number] }

    mutating func resize(columns: Int, rows: Int) {
        self.columns = max(columns, 1)
        self.rows = max(rows, 1)
    }

    /// - Returns: Whether the game goes on.
    mutating func handle(_ event: TerminalEvent) -> Bool {
        switch event {
        case .interrupt, .escape, .key("q"): return false
        case .press(let column, let row):
            isMouseDown = true
            isPenDown = false
            session.begin(at: place(column, row), time: time)
        case .drag(let column, let row):
            if isMouseDown { session.move(to: place(column, row), time: time) }
        case .release:
            isMouseDown = false
            session.end()
        case .arrow(let columns, let rows): moveCursor(columns, rows)
        case .key(" "): togglePen()
        case .key("u"):
            isPenDown = false
            session.end()
            session.undo()
        case .key("r"): restart(number)
        case .key("n"): restart((number + 1) % glyphs.count)
        case .key("p"): restart((number + glyphs.count - 1) % glyphs.count)
        case .key: break
        }
        return true
    }

    private mutating func restart(_ number: Int) {
        self.number = number
        // The settings were good for the first letter, so they are for every other.
        if let target = try? glyphs[number].target(in: Self.size, settings: settings) {
            session = TraceSession(target: target)
        }
        isPenDown = false
        isMouseDown = false
        time = 0
    }

    private mutating func moveCursor(_ columns: Int, _ rows: Int) {
        let (width, height) = pictureCells
        let old = cursor ?? startCell
        cursor = (min(max(old.column + columns, 0), width - 1), min(max(old.row + rows, 0), height - 1))
        if isPenDown, let cursor { session.move(to: place(cursor.column, cursor.row), time: time) }
    }

    private mutating func togglePen() {
        let cell = cursor ?? startCell
        cursor = cell
        isPenDown.toggle()
        if isPenDown { session.begin(at: place(cell.column, cell.row), time: time) } else { session.end() }
    }

    /// The cell of the first path's start.
    private var startCell: (column: Int, row: Int) {
        let start = session.target.paths.first?.points.first ?? .zero
        return (Int(start.x / unit), Int(start.y / (2 * unit)))
    }

    /// The cells of the picture: as many as fit with the status below, cells being twice as high as wide.
    private var pictureCells: (columns: Int, rows: Int) {
        let most = Double(max(rows - Self.statusRows, 1)) * 2 * Self.size.width / Self.size.height
        let width = max(1, min(columns, Int(most)))
        let unit = Self.size.width / Double(width)
        return (width, max(1, Int((Self.size.height / (2 * unit)).rounded(.up))))
    }

    /// The width of a cell in view units.
    private var unit: Double { Self.size.width / Double(pictureCells.columns) }

    /// The middle of a cell, in view units.
    private func place(_ column: Int, _ row: Int) -> Point {
        Point((Double(column) + 0.5) * unit, (Double(row) + 0.5) * 2 * unit)
    }

    /// Where the terminal's cursor belongs; nil to hide it.
    var cursorCell: (column: Int, row: Int)? { cursor }

    /// What the screen shows, a line a row.
    var lines: [String] {
        let list = TracePicture().displayList(of: session, size: Self.size)
        let form: CellPicture.Form = !style.isUnicode ? .ascii : style.isColored ? .halfBlocks : .braille
        let picture = CellPicture(list, columns: pictureCells.columns, form: form, isColored: style.isColored)
        return Array(picture.lines.prefix(max(rows - Self.statusRows, 0))) + [status, help]
    }

    private var status: String {
        let off = session.lines.count { $0.verdict != .onPath }
        var text = "\(glyph.name)  \(percent(session.completion)) drawn"
        if off > 0 { text += ", \(count(off, "line")) beside" }
        if !session.scribbledPaths.isEmpty { text += ", but scribbled over: u takes it back" }
        if session.isComplete { text += ", \(TraceScore(session).points) of 100 points" }
        return style.apply(session.isComplete ? .green : .bold, to: String(text.prefix(columns)))
    }

    private var help: String {
        let help = "drag, or arrows and space; u undo, r again, n next, p previous, q quit"
        return style.apply(.faint, to: String(help.prefix(columns)))
    }
}
