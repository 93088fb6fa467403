import Events

extension TestTracker {
    /// Updates the tests that were unfinished at the end of a process. Returns their events.
    mutating func settle(_ analysis: ExitAnalysis) -> [TestEvent] {
        if let suspicion = analysis.suspicion {
            recordSuspicion(suspicion.tests, of: suspicion.issue, isCrash: suspicion.isCrash)
        }
        for test in analysis.failed { rememberFailure(of: test) }
        var events: [TestEvent] = []
        for (item, disposition) in analysis.dispositions {
            switch disposition {
            case .ended(let outcome, let issue):
                if let issue { events.append(.issue(issue)) }
                // The measured time of a crash includes the end of the process, so the test's duration is unknown.
                let duration: Duration? = if case .timedOut(let duration) = outcome { duration } else { nil }
                events += end(item, outcome, duration)
            case .again(let isolation):
                again([
                    WorkItem(test: item.test, attempt: item.attempt, isolation: isolation, isObserved: item.isObserved)
                ])
            case .observed:
                let isFunction = tests[item.test].id.library == .swiftTesting
                again([
                    WorkItem(
                        test: item.test, attempt: item.attempt, isolation: isFunction ? .ownProcess : item.isolation,
                        isObserved: true)
                ])
            case .crashed(let evidence):
                remember(evidence, of: item.test)
                again([WorkItem(test: item.test, attempt: item.attempt, isolation: .serial)])
            case .late(let lateness): events += endLate(item, lateness)
            }
        }
        return events
    }
}
