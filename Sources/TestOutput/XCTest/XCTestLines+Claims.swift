import LaneEvents

// The end of a test, where it is known which tests run.
extension XCTestLines {
    /// Ends the running test as its last line said: XCTest has gone on, or something else than the test ended the process.
    mutating func settleClaim(_ emit: (TestEvent) -> Void) {
        guard let (outcome, duration) = claim, let test = running else { return }
        flush(emit)
        claim = nil
        tellStart(emit)
        if outcome == .failed {
            tellHeld(emit)
        } else {
            // XCTest says that it has not failed, so it printed what looked like failures.
            for issue in held { emit(.output(test, Array("\(issue.text)\n".utf8))) }
        }
        current.end()
        lastEnded = (current.name, test, current.attempt)
        names.settle(current.name)
        emit(.ended(TestResult(test: test, outcome: outcome, duration: duration, attempt: current.attempt)))
        for issue in heldLate { emit(.issue(issue)) }
        heldLate = []
    }

    /// Hands on the failures that were held back.
    mutating func tellHeld(_ emit: (TestEvent) -> Void) {
        for issue in held + heldLate { emit(.issue(issue)) }
        (held, heldLate) = ([], [])
    }
}
