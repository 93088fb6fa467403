import LaneEvents

// The ends of tests if it is known which tests run.
extension XCTestLines {
    /// Ends the running test with the result in its last line, because XCTest has continued, or the process was ended
    /// by other code.
    mutating func settleClaim(_ emit: (TestEvent) -> Void) {
        guard let (outcome, duration) = claim, let test = running else { return }
        flush(emit)
        claim = nil
        emitStart(emit)
        if outcome == .failed {
            emitHeld(emit)
        } else {
            // XCTest reports that the test has not failed, so the apparent failures were output.
            for issue in held { emit(.output(test, Array("\(issue.text)\n".utf8))) }
        }
        current.end()
        lastEnded = (current.name, test, current.attempt)
        names.settle(current.name)
        emit(.ended(TestResult(test: test, outcome: outcome, duration: duration, attempt: current.attempt)))
        for issue in heldLate { emit(.issue(issue)) }
        heldLate = []
    }

    /// Emits the buffered failures.
    mutating func emitHeld(_ emit: (TestEvent) -> Void) {
        for issue in held + heldLate { emit(.issue(issue)) }
        (held, heldLate) = ([], [])
    }
}
