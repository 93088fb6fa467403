package import Events
package import Text

/// A report for files, pipes and logs of CI services.
///
/// The output of one of the concurrent steps is shown while the step runs. The output of the others is kept until it
/// ends. With `commands`, each step is a group of the log, and output that looks like a command of the service is
/// escaped. A color that a step leaves active ends before other lines.
package final class PlainReport: EventReceiver {
    private var narration: RunNarration
    private let recap: RunRecap
    private let level: ReportLevel
    private let commands: (any LogCommands)?
    private let write: Sink
    private var onStage: StepID?
    private var waiting: [StepID] = []
    /// The kept output by the text of the step's ID, as in `RunSummary`.
    private var parts: [String: Part] = [:]
    private var isAtLineStart = true

    /// The kept output of a step.
    private struct Part {
        let name: String
        var text = CappedOutput(head: 256 * 1024, tail: 256 * 1024)
        var commandGuard = CommandGuard()
        var isAtLineStart = true
        var lastStream = OutputChunk.Stream.standardOutput
        var isColored = false
        var isEnded = false
    }

    package init(
        style: TextStyle, level: ReportLevel = .normal, commands: (any LogCommands)? = nil, write: @escaping Sink
    ) {
        narration = RunNarration(style: style, level: level, isLive: false)
        recap = RunRecap(style: style, level: level)
        self.level = level
        self.commands = commands
        self.write = write
    }

    package func receive(_ event: LaneEvent, _ run: RunSummary) {
        if case .stepStarted(let start) = event.kind, let step = event.step { begin(step, start.name) }
        if case .stepOutput(let chunk) = event.kind {
            guard run.step(event.step)?.showsOutput(level) != false else { return }
            narration.noteOutput(at: event.offset)
            return print(chunk, from: event.step)
        }
        var lines = narration.lines(for: event, run)
        if case .stepEnded(let end) = event.kind, let step = event.step {
            if end.outcome.isFailure { lines += narration.outputTail(of: step, run) }
            printLines(lines, from: step)
            self.end(step)
        } else {
            printLines(lines, from: event.step)
        }
        if case .runEnded = event.kind {
            let onStage = onStage
            for step in waiting { end(step) }
            if let onStage { end(onStage) }
            printLines(recap.lines(for: run), from: nil)
        }
    }

    private func begin(_ step: StepID, _ name: String) {
        parts[step.description] = Part(name: name)
        if onStage == nil { enter(step) } else { waiting.append(step) }
    }

    private func end(_ step: StepID) {
        guard let rest = parts[step.description]?.commandGuard.flush() else { return }
        deliver(rest, from: step)
        // A command of the service must be at the start of a line.
        if endColor(of: step), commands != nil, step == onStage { isAtLineStart = false }
        guard step == onStage else {
            parts[step.description]?.isEnded = true
            return
        }
        leave(step)
        // Steps that have ended are shown first, in order.
        while onStage == nil, !waiting.isEmpty {
            let next = waiting.remove(at: waiting.firstIndex { parts[$0.description]?.isEnded == true } ?? 0)
            enter(next)
            if parts[next.description]?.isEnded != false { leave(next) }
        }
    }

    private func enter(_ step: StepID) {
        onStage = step
        guard let part = parts[step.description] else { return }
        if let commands, level > .quiet { putOnNewLine(Array(commands.groupStart(part.name).utf8)) }
        guard !part.text.isEmpty else { return }
        put(Array(part.text.text.utf8))
        parts[step.description]?.text = CappedOutput(head: 0, tail: 0)
    }

    private func leave(_ step: StepID) {
        if let commands, level > .quiet, parts[step.description] != nil {
            putOnNewLine(Array(commands.groupEnd.utf8))
        }
        // The next output starts on a new line.
        if !isAtLineStart { put([0x0A]) }
        parts[step.description] = nil
        onStage = nil
    }

    private func printLines(_ lines: [String], from step: StepID?) {
        guard !lines.isEmpty else { return }
        endColor(of: step ?? onStage)
        var bytes: [UInt8] = []
        for line in lines {
            bytes += TerminalText.printable(line).utf8
            bytes.append(0x0A)
        }
        if commands != nil { bytes = CommandGuard.guarded(bytes) }
        guard let step, let part = parts[step.description] else { return putOnNewLine(bytes) }
        if isInsideLine(part, of: step) { print([0x0A], from: step) }
        deliver(bytes, from: step)
    }

    /// Ends the color that the output of a step has left active. Returns `false` if there is none.
    @discardableResult private func endColor(of step: StepID?) -> Bool {
        guard let step, parts[step.description]?.isColored == true else { return false }
        parts[step.description]?.isColored = false
        let reset = Array("\u{1B}[0m".utf8)
        if step == onStage { write(reset) } else { parts[step.description]?.text.append(reset) }
        return true
    }

    private func isInsideLine(_ part: Part, of step: StepID) -> Bool {
        !(step == onStage ? isAtLineStart : part.isAtLineStart) || part.commandGuard.isHoldingBack
    }

    /// Adds output of a child process. An unterminated line of one stream is terminated before output of the other
    /// stream.
    private func print(_ chunk: OutputChunk, from step: StepID?) {
        if let step, let part = parts[step.description], part.lastStream != chunk.stream {
            if isInsideLine(part, of: step) { print([0x0A], from: step) }
            parts[step.description]?.lastStream = chunk.stream
        }
        if let step, let isColored = chunk.leavesColor { parts[step.description]?.isColored = isColored }
        print(chunk.bytes, from: step)
    }

    private func print(_ bytes: [UInt8], from step: StepID?) {
        guard commands != nil, let step, parts[step.description] != nil else { return deliver(bytes, from: step) }
        deliver(parts[step.description]?.commandGuard.append(bytes) ?? [], from: step)
    }

    private func deliver(_ bytes: [UInt8], from step: StepID?) {
        guard let last = bytes.last else { return }
        guard let step, step != onStage, parts[step.description] != nil else { return put(bytes) }
        parts[step.description]?.text.append(bytes)
        parts[step.description]?.isAtLineStart = last == 0x0A
    }

    private func putOnNewLine(_ bytes: [UInt8]) {
        put(isAtLineStart ? bytes : [0x0A] + bytes)
    }

    private func put(_ bytes: [UInt8]) {
        guard let last = bytes.last else { return }
        isAtLineStart = last == 0x0A
        write(bytes)
    }
}

extension OutputChunk {
    /// A Boolean value that indicates whether the last sequence for colors leaves one active, or `nil` if there is no
    /// sequence.
    fileprivate var leavesColor: Bool? {
        var end = bytes.endIndex
        while let start = bytes[..<end].lastIndex(of: 0x1B) {
            let sequence = bytes[start..<end].dropFirst()
            let codes = sequence.dropFirst().prefix { (0x30...0x3B).contains($0) }
            // The rest of the sequence may be in the next chunk.
            guard codes.endIndex < bytes.endIndex else { return true }
            if sequence.first == UInt8(ascii: "["), bytes[codes.endIndex] == UInt8(ascii: "m") {
                return !codes.split(separator: UInt8(ascii: ";")).allSatisfy {
                    Int(String(decoding: $0, as: UTF8.self)).map { $0 == 0 || (22...29).contains($0) || $0 % 10 == 9 }
                        ?? false
                }
            }
            end = start
        }
        return nil
    }
}

extension StepSummary {
    /// Returns a Boolean value that indicates whether output is shown while the step runs. Builds and tests are shown
    /// by their events instead.
    func showsOutput(_ level: ReportLevel) -> Bool {
        switch level {
        case .quiet: false
        case .normal: start.map { !["build", "test"].contains($0.action) } ?? true
        case .verbose: true
        }
    }
}

extension RunNarration {
    /// Returns the end of a failed step's output, unless it was shown or the events explain the failure.
    func outputTail(of id: StepID, _ run: RunSummary) -> [String] {
        guard let step = run.step(id), !step.showsOutput(level) else { return [] }
        let hasFailedTests = run.tests(of: id).map { $0.counts.unsuccessful > 0 } ?? false
        let hasErrors = run.diagnostics.contains { $0.severity == .error } && step.start?.action != "run"
        return hasFailedTests || hasErrors ? [] : outputTail(of: step)
    }
}
