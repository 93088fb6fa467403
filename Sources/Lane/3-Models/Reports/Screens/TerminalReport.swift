package import Events
package import Text

/// A report for terminals: permanent lines with live rows below them.
///
/// A step that runs alone writes directly to the terminal if its output is shown, which preserves its colors and
/// carriage returns. The lines of concurrent steps start with their names.
package final class TerminalReport: EventReceiver {
    private static let frameInterval = Duration.milliseconds(50)
    /// The maximum number of columns of the names before the lines of concurrent steps.
    private static let prefixWidth = 20

    private var narration: RunNarration
    private let recap: RunRecap
    private let style: TextStyle
    private let level: ReportLevel
    private let size: () -> TerminalSize
    private let write: Sink

    private var frame: LiveFrame
    private var lastFrame: Duration?
    private var active: [StepID] = []
    private var shared: [StepID: SharedScreen] = [:]
    private var remaining: [StepID: RemainingTime] = [:]
    private var openLine = OpenLine()
    private var nameColumns = 0
    /// The names of steps before their lines if the usual ones would not differ.
    private var prefixes: [StepID: String] = [:]

    /// The output of a step that shares the terminal.
    private struct SharedScreen {
        let name: String
        /// The buffer of standard output. Standard error has its own buffer, so that lines do not mix.
        var output = LineBuffer()
        var errors = LineBuffer()

        mutating func append(_ chunk: OutputChunk) -> [String] {
            chunk.stream == .standardOutput ? output.append(chunk.bytes) : errors.append(chunk.bytes)
        }

        /// The unterminated lines.
        var partial: [String] { [output, errors].filter { !$0.isEmpty }.map(\.partial) }
    }

    /// Creates a report. `size` is called for each frame, because the window may be resized.
    package init(
        style: TextStyle, level: ReportLevel = .normal, size: @escaping () -> TerminalSize, write: @escaping Sink
    ) {
        narration = RunNarration(style: style, level: level, isLive: true)
        recap = RunRecap(style: style, level: level) { size().columns }
        frame = LiveFrame(ellipsis: ResultText(style: style).ellipsis)
        self.style = style
        self.level = level
        self.size = size
        self.write = write
    }

    package func receive(_ event: LaneEvent, _ run: RunSummary) {
        note(event, run)
        var text: [UInt8] = []
        if case .stepOutput(let chunk) = event.kind {
            if run.step(event.step)?.showsOutput(level) != false {
                narration.noteOutput(at: event.offset)
                text = output(chunk, from: event.step)
            }
        } else {
            var lines = narration.lines(for: event, run)
            if case .stepEnded(let end) = event.kind, let step = event.step {
                if end.outcome.isFailure { lines += narration.outputTail(of: step, run) }
                text += rest(of: step)
            }
            if case .runEnded = event.kind { lines += recap.lines(for: run) }
            text += permanent(lines, from: event.step)
        }
        if case .stepEnded = event.kind, let step = event.step { forget(step) }
        draw(text, run, at: event.offset, isLast: run.end != nil)
    }

    package func tick(_ offset: Duration, _ run: RunSummary) {
        draw([], run, at: offset, isLast: false)
    }

    private func note(_ event: LaneEvent, _ run: RunSummary) {
        switch event.kind {
        case .runStarted(let start):
            nameColumns = min(Self.prefixWidth, start.steps.map { TerminalText.columns($0.name) }.max() ?? 0)
            prefixes = prefixes(of: start.steps)
        case .stepStarted(let start):
            guard let step = event.step else { return }
            active.append(step)
            // When a second step starts, the lines of all running steps need names, even after one of them has ended.
            if active.count > 1 {
                for step in active where shared[step] == nil {
                    shared[step] = SharedScreen(name: prefixes[step] ?? run.step(step)?.name ?? start.name)
                }
            }
        case .test(let testEvent):
            guard let step = event.step else { return }
            remaining[step, default: RemainingTime()].receive(testEvent, at: event.offset)
        default: break
        }
    }

    /// Returns the prefixes of the steps whose names begin with the same text: the keys or the ends of their IDs.
    private func prefixes(of steps: [StepSummary]) -> [StepID: String] {
        let ellipsis = ResultText(style: style).ellipsis
        func isRepeated(_ texts: [String]) -> [Bool] {
            let counts = texts.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
            return texts.map { counts[$0] != 1 }
        }
        let names = steps.map { TerminalText.truncated($0.name, to: Self.prefixWidth, ellipsis: ellipsis) }
        let ids = steps.map(\.id.description)
        let keys = ids.map { String($0[($0.lastIndex(of: "/").map($0.index(after:)) ?? $0.startIndex)...]) }
        let ends = ids.map { String($0.suffix(Self.prefixWidth)) }
        var found: [StepID: String] = [:]
        for (index, (nameIsRepeated, keyIsRepeated)) in zip(isRepeated(names), isRepeated(keys)).enumerated()
        where nameIsRepeated {
            found[steps[index].id] = keyIsRepeated ? ends[index] : keys[index]
        }
        return found
    }

    private func forget(_ step: StepID) {
        active.removeAll { $0 == step }
        shared[step] = nil
        remaining[step] = nil
    }

    private func output(_ chunk: OutputChunk, from step: StepID?) -> [UInt8] {
        guard let step, let name = shared[step]?.name else {
            return openLine.pass(chunk)
        }
        let whole = shared[step]?.append(chunk) ?? []
        return openLine.follow(with: marked(whole.map(row), name))
    }

    /// Returns the unterminated lines of a step that has ended.
    private func rest(of step: StepID) -> [UInt8] {
        guard let part = shared[step] else { return [] }
        return openLine.follow(with: marked(part.partial.map(row), part.name))
    }

    private func permanent(_ lines: [String], from step: StepID?) -> [UInt8] {
        guard !lines.isEmpty else { return [] }
        var lines = lines.map(TerminalText.printable)
        if let step, let name = shared[step]?.name {
            let width = size().columns - TerminalText.columns(marked([""], name)) + 1
            return openLine.follow(with: marked(lines.filter { !$0.isEmpty }.flatMap { folded($0, to: width) }, name))
        }
        lines = lines.flatMap { folded($0, to: size().columns) }
        return openLine.follow(with: lines.map { $0 + "\n" }.joined())
    }

    /// Returns the rows of a line. The output of tests, which has a margin, is unchanged.
    private func folded(_ line: String, to width: Int) -> [String] {
        let isOutput = line.drop { $0 == " " }.hasPrefix(ResultText(style: style).margin)
        return isOutput ? [line] : TerminalText.folded(line, to: width)
    }

    private func row(_ line: String) -> String {
        TerminalText.row(line, keepsColor: style.isColored)
    }

    private func marked(_ lines: [String], _ name: String) -> String {
        let results = ResultText(style: style)
        let short = TerminalText.truncated(name, to: max(nameColumns, 8), ellipsis: results.ellipsis)
        let head = "\(style.apply(.cyan, to: TerminalText.padded(short, to: nameColumns))) \(results.margin) "
        var text = ""
        for line in lines {
            text += head
            text += line
            text += "\n"
        }
        return text
    }

    private func draw(_ text: [UInt8], _ run: RunSummary, at offset: Duration, isLast: Bool) {
        if text.isEmpty, !isLast, let lastFrame, offset - lastFrame < Self.frameInterval { return }
        lastFrame = offset
        let size = size()
        let rows = isLast ? [] : rows(run, at: offset, width: size.columns)
        var text = text
        if !rows.isEmpty { text += openLine.end() }
        let bytes = frame.update(text: text, rows: rows, width: size.columns, height: size.rows)
        if !bytes.isEmpty { write(bytes) }
    }

    private func rows(_ run: RunSummary, at offset: Duration, width: Int) -> [String] {
        let steps = active.compactMap { run.step($0) }
        if steps.count == 1, shared.isEmpty, steps[0].showsOutput(level), steps[0].progress == nil,
            run.tests(of: steps[0].id) == nil
        {
            return []
        }
        let partial = active.compactMap { shared[$0] }.flatMap { part in
            part.partial.map { String(marked([row($0)], part.name).dropLast()) }
        }
        return partial
            + LiveRows(style: style, offset: offset, width: width)
            .rows(for: run, steps: steps) { remaining[$0]?.left(at: offset) }
    }
}
