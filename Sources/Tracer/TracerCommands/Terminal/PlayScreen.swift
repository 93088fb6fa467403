import Text
import Tracer
import TracerPictures

/// The state of `tracer-demo play`. It handles events and renders lines of text, and needs no terminal.
struct PlayScreen {
    private let style: TextStyle
    private(set) var quiz: TraceQuiz
    /// The trace of an empty glyph. It proves that the settings are valid for all letters.
    private let empty: TraceSession
    /// The demonstration that is shown, and its start time.
    private var demonstration: (strokes: StrokeDemonstration, start: Double)?
    private var columns = 80
    private var rows = 24
    private var isMouseDown = false
    /// The cursor of the arrow keys, in cells of the picture, or `nil` until an arrow key is pressed.
    private var cursor: (column: Int, row: Int)?
    private var isPenDown = false
    /// The time in seconds since the start of the letter.
    var time = 0.0

    static let size = LetterArguments.size
    private static let statusRows = 2

    init(glyphs: [Glyph], settings: TraceSettings, style: TextStyle) throws {
        self.style = style
        empty = TraceSession(target: try makeTarget(glyphs[0], size: Self.size, settings: settings))
        quiz = TraceQuiz(glyphs: glyphs, settings: settings, size: Self.size)
    }

    var session: TraceSession { quiz.surface.session ?? empty }

    var glyph: Glyph { quiz.surface.glyph }

    var isDemonstrating: Bool { demonstration.map { time - $0.start <= $0.strokes.duration } ?? false }

    mutating func resize(columns: Int, rows: Int) {
        self.columns = max(columns, 1)
        self.rows = max(rows, 1)
    }

    /// Handles an event. Returns `false` if the user quits.
    mutating func handle(_ event: TerminalEvent) -> Bool {
        demonstration = nil
        switch event {
        case .interrupt, .escape, .key("q"): return false
        case .suspend: break
        case .press(let column, let row):
            isMouseDown = true
            isPenDown = false
            quiz.begin(at: point(column, row), time: time)
        case .drag(let column, let row):
            if isMouseDown { quiz.move(to: point(column, row), time: time) }
        case .release:
            isMouseDown = false
            quiz.end()
        case .arrow(let columns, let rows): moveCursor(columns, rows)
        case .key(" "): togglePen()
        case .key("u"):
            isPenDown = false
            quiz.end()
            quiz.surface.withSession { _ = $0.undo() }
        case .key("d"): demonstration = (StrokeDemonstration(session.target), time)
        case .key("r"): restart(quiz.position)
        case .key("n"): restart((quiz.position + 1) % quiz.glyphs.count)
        case .key("p"): restart((quiz.position + quiz.glyphs.count - 1) % quiz.glyphs.count)
        case .key: break
        }
        return true
    }

    private mutating func restart(_ number: Int) {
        quiz.showLetter(at: number)
        isPenDown = false
        isMouseDown = false
        time = 0
    }

    private mutating func moveCursor(_ columns: Int, _ rows: Int) {
        let (width, height) = pictureCells
        let old = cursor ?? startCell
        cursor = (min(max(old.column + columns, 0), width - 1), min(max(old.row + rows, 0), height - 1))
        if isPenDown, let cursor { quiz.move(to: point(cursor.column, cursor.row), time: time) }
    }

    private mutating func togglePen() {
        let cell = cursor ?? startCell
        cursor = cell
        isPenDown.toggle()
        if isPenDown { quiz.begin(at: point(cell.column, cell.row), time: time) } else { quiz.end() }
    }

    /// The cell of the start of the first path.
    private var startCell: (column: Int, row: Int) {
        let start = session.target.paths.first?.points.first ?? .zero
        return (Int(start.x / unit), Int(start.y / (2 * unit)))
    }

    /// The size of the picture in cells, which are twice as high as wide. The status line is below the picture.
    private var pictureCells: (columns: Int, rows: Int) {
        let most = Double(max(rows - Self.statusRows, 1)) * 2 * Self.size.width / Self.size.height
        let width = max(1, min(columns, Int(most)))
        let unit = Self.size.width / Double(width)
        return (width, max(1, Int((Self.size.height / (2 * unit)).rounded(.up))))
    }

    /// The width of a cell in view units.
    private var unit: Double { Self.size.width / Double(pictureCells.columns) }

    /// Returns the center of a cell, in view units.
    private func point(_ column: Int, _ row: Int) -> TracePoint {
        TracePoint((Double(column) + 0.5) * unit, (Double(row) + 0.5) * 2 * unit)
    }

    /// The position of the terminal's cursor, or `nil` if the cursor is hidden.
    var cursorCell: (column: Int, row: Int)? { cursor }

    /// The rows of the screen.
    var lines: [String] {
        let list = list
        let form: CellPicture.Form = !style.isUnicode ? .ascii : style.isColored ? .halfBlocks : .braille
        let picture = CellPicture(list, columns: pictureCells.columns, form: form, isColored: style.isColored)
        return Array(picture.lines.prefix(max(rows - Self.statusRows, 0))) + [status, help]
    }

    private var list: DisplayList {
        let picture = TracePicture()
        if let (strokes, start) = demonstration, isDemonstrating {
            return picture.displayList(of: strokes, at: time - start, on: session.target, size: Self.size)
        }
        var list = picture.displayList(of: session, size: Self.size)
        if let hint = quiz.hint { list.items += picture.hintItems(of: session.target, path: hint) }
        return list
    }

    private var status: String {
        let off = session.lines.count { $0.verdict != .onPath }
        var text = "\(glyph.name)  \(percent(session.completion)) drawn"
        if off > 0 { text += ", \(count(off, "line")) beside" }
        let mistakes = quiz.results[quiz.position].mistakes
        if mistakes > 0 { text += ", \(count(mistakes, "mistake"))" }
        if !session.scribbledPaths.isEmpty { text += ", but scribbled over: press u to undo" }
        if session.isComplete { text += ", \(TraceScore(session).points) of 100 points" }
        return style.apply(session.isComplete ? .green : .bold, to: String(text.prefix(columns)))
    }

    private var help: String {
        let help = "drag, or arrows and space; u undo, r reset, d show, n next, p previous, q quit"
        return style.apply(.faint, to: String(help.prefix(columns)))
    }
}
