import Diagnostics
import TestSupport
import Testing
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
        #expect(events("q\u{3}") == [.key("q"), .interrupt])
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
        .press(column: 22, row: 3), .drag(column: 22, row: 14), .drag(column: 22, row: 24), .release,
        .press(column: 5, row: 3), .drag(column: 38, row: 3), .release,
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

    @Test func aTerminalIsRequired() {
        let result = demo("play", "T")
        // The standard input of the test process is never a terminal.
        #expect(result.status == 69)
        #expect(result.errors.contains("play requires a terminal"))
    }
}
