import Events

// The grammar of failures, skips, and lines after output without a line break.
extension XCTestLines {
    /// Parses totals, failures, skips, and lines after output without a line break.
    mutating func takeRare(_ line: Bytes, _ emit: (TestEvent) -> Void) -> Bool {
        let isPrint = names.areKnown && isRunning && claim == nil
        if line[0] == 0x09, !isPrint, takeTotals(line, emit) { return true }
        var from = 0
        while let colon = line.firstIndex(of: UInt8(ascii: ":"), from: from) {
            if line.matches(": error: ", at: colon), takeFailure(line, colon, emit) { return true }
            if line.matches(": Test skipped", at: colon), takeSkip(line, colon, emit) { return true }
            from = colon + 1
        }
        return takeGlued(line, emit)
    }

    /// Parses `<path>:<line>: error: <name> : <text>`.
    private mutating func takeFailure(_ line: Bytes, _ mark: Int, _ emit: (TestEvent) -> Void) -> Bool {
        guard let (test, textStart) = subject(of: line, at: mark + 9) else {
            dispute(line, mark)
            return false
        }
        if isMuted {
            current.hasFailed = true
            return true
        }
        let pathStart = startOfPlace(in: line, endingAt: mark)
        takeGluedPrint(line.upTo(pathStart), emit)
        flush(emit)
        if isRunning { current.hasFailed = true }
        failure = (XCTestMessage(line.from(textStart)), paths.location(line.between(pathStart, mark)), test)
        settleFailure(emit)
        return true
    }

    /// Parses `<path>:<line>: <name> : Test skipped[: <detail>] - <reason>`.
    private mutating func takeSkip(_ line: Bytes, _ mark: Int, _ emit: (TestEvent) -> Void) -> Bool {
        guard isRunning, let place = line.upTo(mark).lastIndex(of: ": "),
            line.between(place + 2, mark - 1).equals(current.name)
        else { return false }
        takeGluedPrint(line.upTo(startOfPlace(in: line, endingAt: place)), emit)
        flush(emit)
        let rest = line.from(mark + 14)
        let reason = rest.hasPrefix(" - ") ? rest.from(3) : rest.from(2)
        skip = (GatheredText(reason), reason.count)
        return true
    }

    /// Emits the lines after a skip message as output, because the test was not skipped.
    mutating func flushSkip(_ emit: (TestEvent) -> Void) {
        guard let (reason, firstLine) = skip else { return }
        skip = nil
        let rest = reason.bytes.dropFirst(firstLine + 1)
        if !rest.isEmpty { emit(.output(running, Array(rest) + [0x0A])) }
    }

    /// Returns the test in a failure line and the start of the text. While a test runs, a line that names another test
    /// is either a late failure or output, and counts as output at first.
    private mutating func subject(of line: Bytes, at index: Int) -> (TestID, Int)? {
        if let running {
            let isMatch =
                line.from(index).hasPrefix(current.name) && line.matches(" : ", at: index + current.name.count)
            return isMatch ? (running, index + current.name.count + 3) : nil
        }
        guard let end = line.firstIndex(of: " : ", from: index), let test = names.recall(line.between(index, end))
        else {
            return nil
        }
        return (test, end + 3)
    }

    func startOfPlace(in line: Bytes, endingAt end: Int) -> Int {
        line[0] == UInt8(ascii: "/") && (paths.root.isEmpty || line.hasPrefix(paths.root))
            ? 0 : paths.start(ofPathIn: line, endingAt: end)
    }

    /// Parses a result line after output without a line break.
    private mutating func takeGlued(_ line: Bytes, _ emit: (TestEvent) -> Void) -> Bool {
        if isRunning {
            if claim != nil, let start = line.lastIndex(of: "Test Suite '"), start > 0,
                takeSuite(line, from: start, emit)
            {
                return true
            }
            guard line.hasSuffix(" seconds)") || line.hasSuffix(" seconds).") else { return false }
            guard let start = line.lastIndex(of: "Test Case '"), line.from(start + 11).hasPrefix(current.name) else {
                return false
            }
            return takeCase(line, from: start, emit)
        }
        if let start = line.firstIndex(of: "Test Case '"), start > 0, takeCase(line, from: start, emit) { return true }
        guard let start = line.firstIndex(of: "Test Suite '"), start > 0 else { return false }
        return takeSuite(line, from: start, emit)
    }

    /// Emits the buffered failure, because its text cannot continue.
    mutating func settleFailure(_ emit: (TestEvent) -> Void) {
        if failure?.text.isComplete == true { flush(emit) }
    }
}
