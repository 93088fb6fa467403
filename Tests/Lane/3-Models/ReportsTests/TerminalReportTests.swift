import Events
import Reports
import TestSupport
import Testing
import Text

@Suite struct TerminalReportTests {
    private static let colors = TextStyle(isColored: true, isUnicode: true)

    /// A terminal of a given width with its report.
    private final class Screen {
        var terminal: VirtualTerminal
        var width: Int {
            didSet { terminal.resize(to: width) }
        }
        private(set) var writes: [[UInt8]] = []
        private var run = RunSummary()
        private var report: TerminalReport?

        init(
            width: Int, height: Int = .max, style: TextStyle = TerminalReportTests.colors,
            level: ReportLevel = .normal
        ) {
            self.width = width
            terminal = VirtualTerminal(width: width)
            report = TerminalReport(
                style: style, level: level, size: { [unowned self] in TerminalSize(columns: self.width, rows: height) },
                write: { [unowned self] bytes in
                    terminal.write(bytes)
                    writes.append(bytes)
                })
        }

        func show(_ events: some Sequence<LaneEvent>) {
            for event in events {
                run.receive(event)
                report?.receive(event, run)
            }
        }

        func tick(_ offset: Duration) { report?.tick(offset, run) }
    }

    /// Steps without a name often begin with the same words.
    @Test func prefixesOfConcurrentStepsDiffer() {
        let names = ["swift build --product one", "swift build --product two", "swift build --product two", "short"]
        let ids = ["a/build", "a/build-2", "b/build-2", "a/run"].map { StepID($0) }
        var kinds: [(StepID?, LaneEvent.Kind)] = [
            (
                nil,
                .runStarted(RunStart(lane: "a", steps: zip(ids, names).map { .init(id: $0, name: $1) }, startedAt: 0))
            )
        ]
        kinds += zip(ids, names).map { ($0, .stepStarted(StepStart(name: $1, action: "run"))) }
        kinds += ids.map { ($0, .stepOutput(OutputChunk(stream: .standardOutput, bytes: Array("x\n".utf8)))) }
        let screen = Screen(width: 80, style: TextStyle(isColored: false, isUnicode: true))
        screen.show(
            kinds.enumerated().map { LaneEvent(number: $0, offset: .zero, step: $1.0, kind: $1.1) })
        let prefixes = screen.terminal.text.split(separator: "\n").filter { $0.hasSuffix(" x") }
            .map { String($0.prefix { $0 != " " }) }
        #expect(prefixes == ["build", "a/build-2", "b/build-2", "short"])
    }

    @Test func recapEqualsThatOfThePlainReport() throws {
        let screen = Screen(width: 100)
        screen.show(try ReportFixture.events())
        expectGolden(screen.terminal.text, "terminal.txt")
    }

    @Test func theBytesAreStable() throws {
        let screen = Screen(width: 80)
        screen.show(try ReportFixture.events().prefix(40))
        let text = String(decoding: screen.writes.joined(), as: UTF8.self)
        expectGolden(
            text.split(separator: "\u{1B}", omittingEmptySubsequences: false).joined(separator: "␛"),
            "terminal-bytes.txt")
    }

    @Test(arguments: [100, 40, 12, 1]) func liveRowsFitTheWidth(width: Int) throws {
        let screen = Screen(width: width)
        screen.show(try ReportFixture.events().prefix { $0.number < 52 })
        let before = screen.terminal.lines.count
        screen.tick(.seconds(7))
        screen.tick(.seconds(8))
        #expect(screen.terminal.lines.count == before)
    }

    @Test func runningTestsAndTimeLeftAreShown() throws {
        let screen = Screen(width: 72)
        let events = try ReportFixture.events()
        let slow = try #require(events.firstIndex { $0.kind.isSlow })
        screen.show(events[...slow])
        screen.tick(.seconds(8))
        let rows = screen.terminal.text.split(separator: "\n").suffix(2).joined(separator: "\n")
        expectGolden(rows + "\n", "terminal-live.txt")
    }

    @Test func resizingErasesAllRows() throws {
        let screen = Screen(width: 100)
        let events = try ReportFixture.events()
        let slow = try #require(events.firstIndex { $0.kind.isSlow })
        screen.show(events[...slow])
        let still = Screen(width: 100)
        still.show(events[...slow])
        screen.width = 30
        screen.tick(.seconds(20))
        // The remaining step uses the terminal alone, so the end of the other erases the rows.
        let end = StepEnd(name: "test", outcome: .passed, duration: .zero)
        for each in [screen, still] {
            each.show([LaneEvent(number: 99, offset: .seconds(21), step: StepID("ci/3"), kind: .stepEnded(end))])
        }
        still.width = 30
        #expect(screen.terminal.text == still.terminal.text)
    }

    @Test func framesAreRateLimited() throws {
        let screen = Screen(width: 80)
        screen.show(try ReportFixture.events().prefix { !$0.kind.isSlow })
        let before = screen.writes.count
        for millisecond in 0..<1000 { screen.tick(.seconds(30) + .milliseconds(millisecond)) }
        #expect(screen.writes.count - before <= 20)
    }

    @Test func linesOfConcurrentStepsHaveNames() throws {
        let screen = Screen(width: 60, style: .plain)
        screen.show(
            ReportFixture.events([
                (
                    nil,
                    .runStarted(
                        RunStart(
                            lane: "x", steps: [.init(id: StepID("a"), name: "a"), .init(id: StepID("b"), name: "bee")],
                            startedAt: 0))
                ),
                ("a", .stepStarted(StepStart(name: "a", action: "run"))),
                ("a", .stepOutput(OutputChunk(stream: .standardOutput, bytes: Array("alone\nhalf".utf8)))),
                ("b", .stepStarted(StepStart(name: "bee", action: "run"))),
                ("a", .stepOutput(OutputChunk(stream: .standardOutput, bytes: Array(" a line\nA1".utf8)))),
                ("b", .stepOutput(OutputChunk(stream: .standardError, bytes: Array("B1\r\nB2\n".utf8)))),
                ("a", .stepOutput(OutputChunk(stream: .standardOutput, bytes: Array("\u{1B}[2J\n".utf8)))),
                ("b", .stepOutput(OutputChunk(stream: .standardError, bytes: Array("1 %\r2 %".utf8)))),
            ]))
        screen.tick(.seconds(3))
        expectGolden(screen.terminal.text + "\n", "terminal-parallel.txt")
    }

    /// A step that builds, such as `package`, may run long without output.
    @Test func buildsOfOtherStepsReportProgress() {
        let screen = Screen(width: 60, style: .plain)
        let build = BuildProgress(finished: 3, total: 12, text: "Compiling Shape a.swift")
        screen.show(
            ReportFixture.events([
                ("p", .stepStarted(StepStart(name: "package", action: "package"))), ("p", .buildProgress(build)),
            ]))
        screen.tick(.seconds(3))
        #expect(
            screen.terminal.text.hasSuffix("▸ package  3/12  Compiling Shape a.swift  3 s"), "\(screen.terminal.text)")
    }

    /// Rows that scroll out of a terminal cannot be erased.
    @Test(arguments: [1, 2, 3, 8, 9]) func liveRowsFitTheHeight(height: Int) {
        let screen = Screen(width: 60, height: height)
        screen.show(
            ReportFixture.events((1...8).map { ("s\($0)", .stepStarted(StepStart(name: "s\($0)", action: "run"))) }))
        let before = screen.terminal.lines.count
        for second in 3...6 { screen.tick(.seconds(second)) }
        #expect(screen.terminal.lines.count == before)
        let rows = screen.terminal.text.split(separator: "\n").drop {
            !$0.hasPrefix("▸ s1  ") && !$0.hasPrefix("  and ")
        }
        #expect(rows.count == min(8, max(1, height - 1)))
        if height < 9 { #expect(rows.last?.hasSuffix("and \(8 - max(0, height - 2)) more rows") == true) }
    }

    @Test(arguments: [(9, "and 1 more step"), (12, "and 4 more steps")])
    func stepsWithoutARowAreCounted(steps: Int, words: String) {
        let screen = Screen(width: 60)
        screen.show(
            ReportFixture.events((1...steps).map { ("s\($0)", .stepStarted(StepStart(name: "s\($0)", action: "run"))) })
        )
        screen.tick(.seconds(3))
        #expect(screen.terminal.text.split(separator: "\n").contains { $0.hasSuffix(words) }, "\(screen.terminal.text)")
    }

    @Test func theStreamsOfAStepShareNoLine() {
        let screen = Screen(width: 60)
        screen.show(
            ReportFixture.events([
                ("a", .stepStarted(StepStart(name: "a", action: "run"))),
                ("b", .stepStarted(StepStart(name: "b", action: "run"))),
                ("a", .stepOutput(OutputChunk(stream: .standardOutput, bytes: Array("left ".utf8)))),
                ("a", .stepOutput(OutputChunk(stream: .standardError, bytes: Array("error\n".utf8)))),
                ("a", .stepOutput(OutputChunk(stream: .standardOutput, bytes: Array("right\n".utf8)))),
            ]))
        let lines = screen.terminal.text.split(separator: "\n")
        #expect(lines.contains { $0.hasSuffix(" error") } && lines.contains { $0.hasSuffix(" left right") }, "\(lines)")
    }

    /// The output of each stream in order, and the visible text. A line that the child overwrites is not changed.
    @Test(arguments: [
        (["left ", "error\n", "right\n"], "left\nerror\nright"),
        (["left\n", "half an error", "right\n"], "left\nhalf an error\nright"),
        (["", "10 %\r20 %", "right\n"], "20 %right"),
        (["\u{1B}[1mleft ", "error\n"], "left error"),
    ])
    func theStreamsOfAStepAloneShareNoLine(chunks: [String], seen: String) {
        let screen = Screen(width: 60)
        screen.show(ReportFixture.events([("a", .stepStarted(StepStart(name: "a", action: "run")))]))
        screen.show(
            ReportFixture.events(
                chunks.enumerated().map { index, text in
                    let stream: OutputChunk.Stream = index.isMultiple(of: 2) ? .standardOutput : .standardError
                    return ("a", .stepOutput(OutputChunk(stream: stream, bytes: Array(text.utf8))))
                }))
        #expect(screen.terminal.text == "▸ a\n\(seen)\n", "\(screen.terminal.text)")
    }

    @Test func colorsAreReset() {
        let screen = Screen(width: 60)
        screen.show(
            ReportFixture.events([
                ("a", .stepStarted(StepStart(name: "a", action: "run"))),
                ("a", .stepOutput(OutputChunk(stream: .standardOutput, bytes: Array("\u{1B}[31mred".utf8)))),
                (nil, .message(Message(.note, "plain"))),
            ]))
        #expect(String(decoding: screen.writes.last ?? [], as: UTF8.self).hasPrefix("\u{1B}[0m\n"))
    }

    @Test func singleStepsUseTheTerminalAlone() {
        let screen = Screen(width: 60)
        let output = Array("\u{1B}[31mred\u{1B}[0m 1 %\r2 %".utf8)
        screen.show(
            ReportFixture.events([
                ("a", .stepStarted(StepStart(name: "a", action: "run"))),
                ("a", .stepOutput(OutputChunk(stream: .standardOutput, bytes: output))),
            ]))
        screen.tick(.seconds(9))
        #expect(screen.writes.last == output)
    }
}

extension LaneEvent.Kind {
    fileprivate var isSlow: Bool {
        if case .test(.slow) = self { true } else { false }
    }
}
