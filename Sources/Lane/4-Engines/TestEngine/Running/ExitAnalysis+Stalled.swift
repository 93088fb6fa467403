import Events
import Text

/// The analysis of a process that was ended because no test was running for the time limit. It hung before its first
/// test, between two tests, or after its last one.
extension ExitAnalysis {
    mutating func endStalled(_ state: ProcessState, _ tests: [ListedTest], _ timeout: Duration) {
        let pending = state.running.map(\.item) + state.waiting
        let unheard = Set(state.unheard(tests).map(\.test))
        let suspects = suspects(state, tests)
        let mayHaveRun = !unheard.isEmpty || (state.ended == 0 && suspects.isEmpty)
        if state.mayBeUnheard, !pending.isEmpty, mayHaveRun {
            dispositions = pending.map { ($0, .observed) }
            return
        }
        for item in pending {
            let test = tests[item.test]
            if unheard.contains(item.test) {
                let text = "exceeded the time limit of \(timeout.inWords) and was ended"
                let issue = state.hang.map { self.issue(text, $0, test) }
                dispositions.append((item, .ended(.timedOut(after: timeout), issue)))
            } else if suspects.contains(SuiteID(test.id)) || mayHaveRun && unheard.isEmpty {
                let reason = "its test process hung before it started"
                dispositions.append((item, .ended(.notRun(reason: reason), nil)))
            } else {
                dispositions.append((item, .again(item.isolation)))
            }
        }
        guard unheard.isEmpty else { return }
        let moment =
            state.waiting.isEmpty
            ? "after its last test" : state.ended > 0 ? "between two tests" : "before its first test"
        let text = "a test process hung \(moment) and was ended"
        runIssue = TestIssue(test: nil, text: ([text] + (state.hang?.lines(for: []) ?? [])).joined(separator: "\n"))
    }

    /// Returns the suites of waiting tests of which a thread is in a function, such as a class's `setUp`.
    private func suspects(_ state: ProcessState, _ tests: [ListedTest]) -> Set<SuiteID> {
        let functions = state.hang?.functions ?? []
        guard !functions.isEmpty else { return [] }
        let suites = Set(state.waiting.map { SuiteID(tests[$0.test].id) })
        return suites.filter { suite in
            !suite.suite.isEmpty && functions.contains { $0.contains(".\(suite.functionPrefix).") }
        }
    }
}
