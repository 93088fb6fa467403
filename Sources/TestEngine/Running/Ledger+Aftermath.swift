import LaneEvents

extension Ledger {
    /// Takes in what follows from the end of a process for the tests that it left unfinished.
    mutating func settle(_ aftermath: Aftermath) -> [TestEvent] {
        if let suspicion = aftermath.suspicion {
            suspect(suspicion.tests, of: suspicion.issue, isCrash: suspicion.isCrash)
        }
        for test in aftermath.failed { rememberFailure(of: test) }
        var events: [TestEvent] = []
        for (item, fate) in aftermath.fates {
            switch fate {
            case .ended(let outcome, let issue):
                if let issue { events.append(.issue(issue)) }
                // It is not known how much of a crash's time the process took to end.
                let duration: Duration? = if case .timedOut(let duration) = outcome { duration } else { nil }
                events += end(item, outcome, duration)
            case .again(let company):
                again([WorkItem(test: item.test, attempt: item.attempt, company: company, isObserved: item.isObserved)])
            case .observed:
                again([WorkItem(test: item.test, attempt: item.attempt, company: item.company, isObserved: true)])
            case .tells(let evidence):
                remember(evidence, of: item.test)
                again([WorkItem(test: item.test, attempt: item.attempt, company: .serial)])
            case .late(let lateness): events += endLate(item, lateness)
            }
        }
        return events
    }
}
