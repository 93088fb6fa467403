import Events

// The grammar of starts and ends of cases and suites.
extension XCTestLines {
    /// Parses `Test Case '<name>' started|passed|failed|skipped …`, possibly after output without a line break.
    @inline(__always)
    mutating func takeCase(_ line: Bytes, from start: Int, _ emit: (TestEvent) -> Void) -> Bool {
        let nameStart = start + 11
        guard let quote = line.firstIndex(of: UInt8(ascii: "'"), from: nameStart) else { return false }
        let name = line.between(nameStart, quote)
        if line.matches("' passed (", at: quote) { return end(name, .passed, line, start, timeAt: quote + 10, emit) }
        if line.matches("' started", at: quote) { return begin(name, line, start, emit) }
        if line.matches("' failed (", at: quote) { return end(name, .failed, line, start, timeAt: quote + 10, emit) }
        guard line.matches("' skipped (", at: quote) else { return false }
        return end(name, .skipped(reason: skip?.reason.stringIfAny), line, start, timeAt: quote + 11, emit)
    }

    private mutating func begin(_ name: Bytes, _ line: Bytes, _ start: Int, _ emit: (TestEvent) -> Void) -> Bool {
        if names.areKnown, isRunning, claim == nil { return false }
        // A test that starts again has another ID.
        let isAgain = current.isNamed(name)
        if isAgain { leaveRunning(for: line.upTo(start), emit) }
        guard let identity = names.identify(name) else { return false }
        settleClaim(emit)
        held = []
        if !isAgain {
            takeGluedPrint(line.upTo(start), emit)
            loseRunning(emit)
        }
        current.begin(
            identity.test, named: name, attempt: attempt + identity.repetition, isReported: identity.isAnnounced)
        hasBegun = true
        forgetLastEnded()
        // An assignment to an optional tuple takes longer than the check.
        if skip != nil { skip = nil }
        if namesPassing { emitStart(emit) }
        return true
    }

    @inline(__always)
    private mutating func forgetLastEnded() {
        if lastEnded != nil { lastEnded = nil }
    }

    @inline(__always)
    mutating func emitStart(_ emit: (TestEvent) -> Void) {
        guard !current.isReported, let test = running else { return }
        current.isReported = true
        if !namesPassing { tally.flush(emit) }
        emit(.started(test, attempt: current.attempt, worker: worker))
    }

    private mutating func leaveRunning(for print: Bytes, _ emit: (TestEvent) -> Void) {
        takeGluedPrint(print, emit)
        leaveRunning(emit)
    }

    /// Ends the running test without a result, because another test has started.
    private mutating func leaveRunning(_ emit: (TestEvent) -> Void) {
        flush(emit)
        if let left = takeRunning(emit) { unfinished.append(left) }
    }

    /// Leaves the running test without a result until the end of its suite, because XCTest has continued.
    private mutating func loseRunning(_ emit: (TestEvent) -> Void) {
        guard suites.isOpen, !names.areKnown else { return leaveRunning(emit) }
        flush(emit)
        let hasFailed = current.hasFailed
        if let left = takeRunning(emit) { lost.append((left, hasFailed)) }
    }

    /// Ends the tests whose ends were lost with the result of their suite.
    private mutating func settleLost(hasFailed: Bool, _ emit: (TestEvent) -> Void) {
        for (test, hasIssue) in lost {
            let outcome: TestResult.Outcome = hasIssue || hasFailed && !hasFailedTest ? .failed : .passed
            emit(.ended(TestResult(test: test.test, outcome: outcome, duration: nil, attempt: test.attempt)))
        }
        lost = []
        hasFailedTest = false
    }

    mutating func takeRunning(_ emit: (TestEvent) -> Void) -> UnfinishedTest? {
        guard let test = running else { return nil }
        emitStart(emit)
        emitHeld(emit)
        claim = nil
        current.end()
        names.settle(current.name)
        return UnfinishedTest(test: test, attempt: current.attempt)
    }

    @inline(__always)
    private mutating func end(
        _ name: Bytes, _ outcome: TestResult.Outcome, _ line: Bytes, _ start: Int, timeAt time: Int,
        _ emit: (TestEvent) -> Void
    ) -> Bool {
        guard let (duration, _) = line.seconds(at: time) else { return false }
        let hasPassed = if case .passed = outcome { true } else { false }
        let hasFailed = if case .failed = outcome { true } else { false }
        if hasFailed { hasFailedTest = true }
        if !isRunning, let last = lastEnded, name.equals(last.name) {
            // The output of the test contained a line that looked like its end. No other test has started since, so
            // this line is the actual end.
            takeGluedPrint(line.upTo(start), emit)
            flush(emit)
            if hasFailed { emitHeld(emit) }
            emit(.ended(TestResult(test: last.test, outcome: outcome, duration: duration, attempt: last.attempt)))
            return true
        }
        let hasStart = current.isNamed(name)
        if hasStart, names.areKnown {
            if failure != nil, hasPassed {
                // After a failure, this line is part of the message.
                failure?.text.append(line, onNewLine: true)
            } else {
                takeGluedPrint(line.upTo(start), emit)
            }
            flush(emit)
            // The lines after an earlier apparent end are output.
            if let claim { suites = claim.suites }
            claim = (outcome, duration, suites)
            held += heldLate
            heldLate = []
            return true
        }
        if hasStart, current.hasFailed, hasPassed { return false }
        if !hasStart {
            // The log does not contain the start.
            guard !names.areKnown, begin(name, line, start, emit) else { return false }
        } else {
            takeGluedPrint(line.upTo(start), emit)
        }
        guard let test = running else { return false }
        if case .skipped = outcome { skip = nil }
        flush(emit)
        if !current.isReported, current.attempt == attempt,
            hasPassed && tally.addPassed(test, duration, emit) || hasFailed && addFailed(test, duration, emit)
        {
            current.end()
            return true
        }
        if hasFailed { tally.failuresToName -= 1 }
        emitStart(emit)
        current.end()
        lastEnded = hasStart ? (current.name, test, current.attempt) : nil
        names.settle(current.name)
        emit(.ended(TestResult(test: test, outcome: outcome, duration: duration, attempt: current.attempt)))
        return true
    }

    /// Counts a failed test. Returns `false` if it is reported by name.
    private mutating func addFailed(_ test: TestID, _ duration: Duration, _ emit: (TestEvent) -> Void) -> Bool {
        if tally.namesFailures { return false }
        tally.addFailed(test, duration, emit)
        return true
    }

    mutating func takeSuite(_ line: Bytes, from start: Int, _ emit: (TestEvent) -> Void) -> Bool {
        guard let quote = line.firstIndex(of: UInt8(ascii: "'"), from: start + 12) else { return false }
        if names.areKnown, isRunning, claim == nil { return false }
        let hasFailed = line.matches("' failed at ", at: quote)
        let isEnd = hasFailed || line.matches("' passed at ", at: quote)
        guard isEnd || line.matches("' started at ", at: quote) || line.matches("' started.", at: quote) else {
            return false
        }
        takeGluedPrint(line.upTo(start), emit)
        flush(emit)
        hasBegun = true
        let name = line.between(start + 12, quote)
        let moment = line.from(line.firstIndex(of: " at ", from: quote).map { $0 + 4 } ?? line.count)
        // Tests may print such lines, so the end of a test counts only when XCTest continues.
        if isEnd {
            if !names.areKnown {
                loseRunning(emit)
                settleLost(hasFailed: hasFailed, emit)
            }
            suites.end(name, at: moment, hasFailed: hasFailed)
            if suites.isComplete { settleClaim(emit) }
        } else {
            if let claim, suites.hasClosed(innermostOf: claim.suites) { settleClaim(emit) }
            if isRunning, !names.areKnown { leaveRunning(emit) }
            unfinished += lost.map(\.test)
            (lost, hasFailedTest) = ([], false)
            suites.begin(name, at: moment)
        }
        if !isRunning { forgetLastEnded() }
        return true
    }

    mutating func takeTotals(_ line: Bytes, _ emit: (TestEvent) -> Void) -> Bool {
        guard let counted = XCTestTotals(line) else { return false }
        flush(emit)
        suites.count(counted)
        return true
    }
}
