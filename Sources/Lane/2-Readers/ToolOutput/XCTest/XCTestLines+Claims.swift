import Events

// The ends of tests in a run whose tests are known.
extension XCTestLines {
    /// Ends the running test with the result in its last line. Call this when XCTest has continued, or when other code
    /// has ended the process.
    mutating func settleClaim(_ emit: (TestEvent) -> Void) {
        guard let (outcome, duration, _) = claim, let test = running else { return }
        flush(emit)
        claim = nil
        emitStart(emit)
        if outcome == .failed {
            emitHeld(emit)
        } else {
            // XCTest reports that the test has not failed, so the apparent failures are output.
            for issue in held { emit(.output(test, Array("\(issue.text)\n".utf8))) }
        }
        current.end()
        lastEnded = (current.name, test, current.attempt)
        names.settle(current.name)
        emit(.ended(TestResult(test: test, outcome: outcome, duration: duration, attempt: current.attempt)))
        emitFailures(heldLate, emit)
        heldLate = []
    }

    /// Emits the buffered failures.
    mutating func emitHeld(_ emit: (TestEvent) -> Void) {
        emitFailures(held + heldLate, emit)
        (held, heldLate) = ([], [])
    }

    /// Emits and counts failures.
    mutating func emitFailures(_ issues: [TestIssue], _ emit: (TestEvent) -> Void) {
        failures += issues.count
        for issue in issues { emit(.issue(issue)) }
    }

    /// Buffers a failure that names an ended test while another test runs. It is a late failure or output.
    mutating func dispute(_ line: Bytes, _ mark: Int) {
        guard names.areKnown, let end = line.firstIndex(of: " : ", from: mark + 9) else { return }
        let name = line.between(mark + 9, end)
        guard names.hasBegun(name), let test = names.recall(name) else { return }
        let location = paths.location(line.between(startOfPlace(in: line, endingAt: mark), mark))
        let issue = TestIssue(test: test, text: line.from(end + 3).string, at: location)
        // A reader may parse a line twice.
        if disputed.last != issue { disputed.append(issue) }
    }

    /// Emits late failures if XCTest counts more failures than were emitted.
    mutating func settleDisputed(_ emit: (TestEvent) -> Void) {
        if suites.totals.failures > failures || suites.hasFailures && failures == 0 { emitFailures(disputed, emit) }
        disputed = []
    }
}
