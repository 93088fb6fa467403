import Events

// The grammar of issues with their following lines, and of lines after output without a line break.
extension SwiftTestingLines {
    mutating func begin(
        _ word: SwiftTestingSentence.TestIssueWord, _ sentence: SwiftTestingSentence, _ emit: (TestEvent) -> Void
    ) {
        let slot = hashOf(sentence.name.buffer)
        var test: TestID?
        if sentence.isOfSuite || sentence.name.equals(SwiftTestingSentence.unknownTest) {
            guard reportsIssuesOutsideTests else { return }
        } else {
            if running[slot] == nil { start(sentence.name, isImplied: true, emit) }
            guard let subject = running[slot] else { return }
            if case .issue = word, !subject.isReported, !subject.isImplied, !tally.namesFailures {
                running.update(slot) { $0.hasFailed = true }
                return
            }
            emitStart(subject, emit)
            running.update(slot) { $0.isReported = true }
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
            location: parts.place.flatMap(paths.location), argument: parts.arguments?.string,
            openLines: parts.openLines, suite: sentence.isOfSuite ? sentence.name.string : nil)
        if parts.arguments != nil, parts.place == nil { issue?.open = SwiftTestingOpenArguments(from: sentence.rest) }
    }

    /// Adds a line to a value of the preceding issue, because line breaks in values are not escaped. Returns `false` if
    /// the line is not part of a value.
    mutating func takeBroken(_ line: Line) -> Bool {
        guard issue != nil else { return false }
        let text = line.text
        guard !text.isDetail, !text.isOfCrash else {
            issue?.open?.close()
            issue?.openLines = 0
            return false
        }
        if issue?.open?.add(line) == true {
            closeArguments()
            return true
        }
        guard let left = issue?.openLines, left > 0, text.symbol(at: 0) == 0 else { return false }
        issue?.text.append(text, onNewLine: !line.continuesPiece)
        let isOpen = issue?.text.bytes.withUnsafeBytes { SwiftTestingIssueParts.isOpen(Bytes($0)) }
        issue?.openLines = isOpen == true ? left - 1 : 0
        return true
    }

    /// Parses the head of an issue at the end of its arguments.
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

    /// Parses details of an issue (`↳ <comment>`, `± <difference>`) with their indented following lines, and the header
    /// of the run.
    mutating func takeDetail(_ text: Bytes, _ symbol: Int) -> Bool {
        if text.hasPrefix("  "), issue != nil {
            issue?.text.append(text.from(2), onNewLine: true)
            return true
        }
        // Apple's symbols are in a private-use plane of Unicode.
        let isDetail = text.isDetail || symbol > 0 && text[0] == 0xF4
        guard isDetail, isWithinRun || issue != nil else { return false }
        issue?.text.append(text.hasPrefix("± ") ? text : text.from(symbol), onNewLine: true)
        return true
    }

    /// Parses a line that follows output without a line break.
    mutating func takeGlued(_ line: Line, _ emit: (TestEvent) -> Void) -> Bool {
        guard isWithinRun else { return false }
        let text = line.text
        var from = 1
        var search = SymbolSearch(text)
        while let start = search.next(from: from) {
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
        // The lines are output, not arguments.
        if let open = settled.open { output.append(open.lines) }
        emit(
            .issue(
                TestIssue(
                    test: settled.test, severity: settled.severity,
                    text: settled.text.string + (settled.suite.map { "\nin the suite \($0)" } ?? ""),
                    at: settled.location, argument: settled.argument)))
    }
}
