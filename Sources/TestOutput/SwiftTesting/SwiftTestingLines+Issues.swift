import LaneEvents

// Issues with their further lines, and what is glued behind a print.
extension SwiftTestingLines {
    mutating func begin(
        _ word: SwiftTestingSentence.TestIssueWord, _ sentence: SwiftTestingSentence, _ emit: (TestEvent) -> Void
    ) {
        let slot = hashOf(sentence.name.buffer)
        var test: TestID?
        if sentence.name.equals(SwiftTestingSentence.unknownTest) {
            guard tellsIssuesOfNoTest else { return }
        } else {
            let subject = running[slot] ?? start(sentence.name, isImplied: true, emit)
            if case .issue = word, !subject.isTold, !subject.isImplied, !tally.namesFailures {
                running.update(slot) { $0.hasFailed = true }
                return
            }
            tellStart(subject, emit)
            running.update(slot) { $0.isTold = true }
            test = subject.test
        }
        let severity: TestIssue.Severity
        switch word {
        case .issue:
            severity = .failure
            running.update(slot) { $0.hasFailed = true }
        case .known: severity = .known
        case .warning: severity = .warning
        }
        let parts = SwiftTestingIssueParts(sentence.rest)
        issue = Issue(
            test: test, severity: severity, text: GatheredText(parts.text),
            location: parts.place.flatMap(paths.location), argument: parts.arguments?.string, openLines: parts.openLines
        )
        if parts.arguments != nil, parts.place == nil { issue?.open = SwiftTestingOpenArguments(from: sentence.rest) }
    }

    /// Whether a line goes on with a value that the issue above it tells: line breaks in values are printed as they are.
    mutating func takeBroken(_ line: Line) -> Bool {
        guard issue != nil else { return false }
        let text = line.text
        guard !text.isDetail, !CrashedTests.isProcessEnd(text), !text.hasPrefix("*** ") else {
            issue?.open?.close()
            issue?.openLines = 0
            return false
        }
        if issue?.open?.add(line) == true {
            closeArguments()
            return true
        }
        guard let left = issue?.openLines, left > 0 else { return false }
        issue?.text.append(text, onNewLine: !line.continuesPiece)
        issue?.openLines = text.hasOpenQuotation ? 0 : left - 1
        return true
    }

    /// Reads the head of an issue whose arguments have come to their end.
    private mutating func closeArguments() {
        guard let whole = issue?.open?.whole else { return }
        issue?.open = nil
        whole.withUnsafeBytes { bytes in
            let parts = SwiftTestingIssueParts(Bytes(bytes))
            issue?.text = GatheredText(parts.text)
            issue?.openLines = parts.openLines
            issue?.location = parts.place.flatMap(paths.location)
            issue?.argument = parts.arguments?.string
        }
    }

    /// `↳ <comment>`, `± <difference>`, and their further lines behind two spaces, below an issue; the run's header.
    mutating func takeDetail(_ text: Bytes, _ symbol: Int) -> Bool {
        if text.hasPrefix("  "), issue != nil {
            issue?.text.append(text.from(2), onNewLine: true)
            return true
        }
        // Apple's symbols lie in a private plane.
        let isDetail = text.isDetail || symbol > 0 && text[0] == 0xF4
        guard isDetail, isWithinRun || issue != nil else { return false }
        issue?.text.append(text.hasPrefix("± ") ? text : text.from(symbol), onNewLine: true)
        return true
    }

    /// A line of the reporter's behind a print without newline.
    mutating func takeGlued(_ line: Line, _ emit: (TestEvent) -> Void) -> Bool {
        guard isWithinRun else { return false }
        let text = line.text
        var from = 1
        while let start = text.firstIndex(of: 0xE2, from: from) {
            let symbol = text.symbol(at: start)
            if symbol > 0, let sentence = SwiftTestingSentence(text.from(start + symbol)) {
                takePrint(Line(text: text.upTo(start), ending: .cut, continuesPiece: line.continuesPiece), emit)
                take(sentence, emit)
                return true
            }
            from = start + 1
        }
        return false
    }

    mutating func settleIssue(_ emit: (TestEvent) -> Void) {
        guard let settled = issue else { return }
        issue = nil
        // They were prints.
        if let open = settled.open { output.append(open.lines) }
        emit(
            .issue(
                TestIssue(
                    test: settled.test, severity: settled.severity, text: settled.text.string,
                    at: settled.location, argument: settled.argument)))
    }
}
