import TestSupport
import Testing
import Text
import Tracer

@testable import TracerCommands

@Suite struct PlayTests {
    private func events(_ pieces: String...) -> [TerminalEvent] {
        var input = TerminalInput()
        return pieces.flatMap { input.events(from: Array($0.utf8)) }
    }

    @Test func mouseReportsAndKeysAreParsed() {
        #expect(
            events("\u{1B}[<0;6;4M\u{1B}[<32;7;5M\u{1B}[<0;7;5m") == [
                .press(column: 5, row: 3), .drag(column: 6, row: 4), .release,
            ])
        #expect(
            events("\u{1B}[A\u{1B}OB\u{1B}[C\u{1B}[D") == [
                .arrow(columns: 0, rows: -1), .arrow(columns: 0, rows: 1), .arrow(columns: 1, rows: 0),
                .arrow(columns: -1, rows: 0),
            ])
        #expect(events("q\u{3}\u{1A}") == [.key("q"), .interrupt, .suspend])
    }

    @Test func aSequenceMayBeSplit() {
        #expect(events("\u{1B}", "[<0;1", "2;3M", "x") == [.press(column: 11, row: 2), .key("x")])
        var input = TerminalInput()
        #expect(input.events(from: [0x1B]).isEmpty)
        #expect(input.isWaiting)
        #expect(input.flush() == [.escape])
    }

    @Test func otherInputIsIgnored() {
        #expect(events("\u{1B}[<64;1;1M\u{1B}[<2;1;1M\u{1B}[<0;0;0M\u{1B}[<0;1M\u{1B}[5~\u{1B}[<;;M").isEmpty)
        checkProperty("no bytes trap", Generator.bytes(), cases: 500) { bytes in
            var input = TerminalInput()
            _ = input.events(from: bytes)
            _ = input.flush()
            return true
        }
    }

    private func screen(_ letters: String...) throws -> PlayScreen {
        let glyphs = try letters.map { try #require(Alphabet.glyph($0)) }
        var screen = try PlayScreen(glyphs: glyphs, settings: TraceSettings(), style: .plain)
        screen.resize(columns: 60, rows: 30)
        return screen
    }

    private func play(_ screen: inout PlayScreen, _ events: [TerminalEvent]) {
        for event in events {
            let goesOn = screen.handle(event)
            #expect(goesOn)
        }
    }

    private let strokes: [TerminalEvent] = [
        .press(column: 22, row: 2), .drag(column: 22, row: 14), .drag(column: 22, row: 19), .release,
        .press(column: 9, row: 2), .drag(column: 36, row: 2), .release,
    ]

    @Test func draggingAlongBothStrokesCompletesTheT() throws {
        var screen = try screen("T", "l")
        play(&screen, Array(strokes.prefix(4)))
        #expect(!screen.session.isComplete)
        play(&screen, Array(strokes.dropFirst(4)))
        #expect(screen.session.isComplete)
        #expect(screen.lines[screen.lines.count - 2].hasPrefix("T  100 % drawn, "))
        play(&screen, [.key("u")])
        #expect(!screen.session.isComplete)
        play(&screen, [.key("n")])
        #expect(screen.glyph.name == "l" && screen.session.lines.isEmpty)
        play(&screen, [.key("p")])
        #expect(screen.glyph.name == "T")
    }

    @Test func theArrowKeysDrawAsWell() throws {
        var screen = try screen("l")
        let down = Array(repeating: TerminalEvent.arrow(columns: 0, rows: 1), count: 26)
        play(&screen, down)
        #expect(screen.session.lines.isEmpty)
        var fresh = try self.screen("l")
        play(&fresh, [.key(" ")] + down)
        #expect(fresh.session.isComplete)
        #expect(fresh.cursorCell?.row == 27)
    }

    @Test func orderedModeShowsWhereToBegin() throws {
        let glyph = try #require(Alphabet.glyph("T"))
        func lines(_ mode: TraceSettings.Mode) throws -> [String] {
            try PlayScreen(glyphs: [glyph], settings: TraceSettings(mode: mode), style: .plain).lines
        }
        #expect(try lines(.ordered) != lines(.free))
        #expect(try lines(.free).contains { $0.contains("1") } && lines(.free).contains { $0.contains("2") })
    }

    @Test func aLineIsSeenOnTheGuideWithoutColor() throws {
        var screen = try PlayScreen(
            glyphs: [#require(Alphabet.glyph("l"))], settings: TraceSettings(),
            style: TextStyle(isColored: false, isUnicode: true))
        screen.resize(columns: 60, rows: 30)
        let before = screen.lines.joined()
        play(&screen, [.press(column: 22, row: 4), .drag(column: 22, row: 24), .release])
        func heavy(_ text: String) -> Int { text.count { "⠿⡇⢸⣿⣇⣸⡏⢹".contains($0) } }
        #expect(heavy(screen.lines.joined()) > heavy(before) + 10)
    }

    @Test func threeMistakesShowAHintAndAreCounted() throws {
        var screen = try screen("T", "l")
        let mistake: [TerminalEvent] = [.press(column: 1, row: 27), .drag(column: 30, row: 27), .release, .key("u")]
        play(&screen, mistake + mistake)
        let before = screen.lines
        #expect(screen.quiz.hint == nil)
        play(&screen, mistake)
        #expect(screen.quiz.hint == 0 && screen.lines != before)
        #expect(screen.lines[screen.lines.count - 2] == "T  0 % drawn, 3 mistakes")
        play(&screen, [.key("n")])
        #expect(screen.quiz.hint == nil && screen.quiz.mistakes == 3)
    }

    @Test func aDemonstrationMovesUntilAKey() throws {
        var screen = try screen("T")
        let still = screen.lines
        play(&screen, [.key("d")])
        #expect(screen.isDemonstrating)
        screen.time = 1
        let first = screen.lines
        screen.time = 2
        #expect(first != still && screen.lines != first)
        screen.time = 60
        #expect(!screen.isDemonstrating && screen.lines == still)
        play(&screen, [.key("d"), .key(" ")])
        #expect(!screen.isDemonstrating)
    }

    @Test func qEscapeAndInterruptQuit() throws {
        var screen = try screen("T")
        for event in [TerminalEvent.key("q"), .escape, .interrupt] {
            let goesOn = screen.handle(event)
            #expect(!goesOn)
        }
    }

    @Test func anyScreenSizeHasAPicture() throws {
        for (columns, rows) in [(1, 1), (0, 0), (500, 3), (20, 200), (-4, -4)] {
            var screen = try screen("g")
            screen.resize(columns: columns, rows: rows)
            play(&screen, strokes + [.arrow(columns: 1, rows: 1), .key(" ")])
            #expect((2...max(2, rows)).contains(screen.lines.count))
            #expect(screen.cursorCell.map { $0.column >= 0 && $0.row >= 0 } == true)
        }
    }

    @Test func theFileIsCheckedFirst() {
        let result = demo("play", "T", "--save", "/no-such-directory/trace.json")
        #expect(result.status == 74 && result.errors == "error: there is no directory '/no-such-directory'\n")
        #expect(demo("play", "T", "--save", "/", "--force").errors == "error: '/' is a directory\n")
    }

    @Test func aTerminalIsRequired() {
        let result = demo("play", "T")
        // The standard input of the test process is never a terminal.
        #expect(result.status == 69)
        #expect(
            result.errors == "error: play requires a terminal\nhint: use 'tracer-demo trace' for a recorded trace\n")
    }
}
