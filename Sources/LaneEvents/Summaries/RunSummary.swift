/// One step of the run as far as it is known.
package struct StepSummary: Sendable {
    /// As its events carry it.
    package let id: StepID
    /// What people see.
    package let name: String
    /// `nil` until its turn came, and for good when it was skipped.
    package internal(set) var start: StepStart?
    /// When it began, since the run began.
    package internal(set) var startedAt: Duration?
    /// 1 as long as it was not tried again, also before it has begun.
    package internal(set) var attempts = 1
    /// `nil` until it has ended.
    package internal(set) var end: StepEnd?
    /// The end of what it printed.
    package internal(set) var output = CappedOutput(head: 0, tail: 16 * 1024)
    /// Of its build, the latest that was told; `nil` where none was.
    package internal(set) var progress: BuildProgress?
}

/// What is known of a run at some moment: the reducer of its events. Every report reads the same one.
package struct RunSummary: Sendable {
    /// As it was asked for; empty before the run has begun.
    package private(set) var lane = ""
    /// Seconds since 1970; 0 before the run has begun.
    package private(set) var startedAt = 0.0
    /// In the order of the plan; steps that were not in it follow.
    package private(set) var steps: [StepSummary] = []
    /// The tests of each step that ran any, in the order in which they began.
    package private(set) var tests: [(step: StepID?, summary: TestSummary)] = []
    /// Each one once, however often it was told.
    package private(set) var diagnostics: [BuildDiagnostic] = []
    /// What `lane` itself had to say, oldest first.
    package private(set) var messages: [Message] = []
    /// In the order of their making.
    package private(set) var artifacts: [Artifact] = []
    /// `nil` while the run goes on.
    package private(set) var end: RunEnd?

    private var places = StepPlaces()
    /// The steps of `tests`, to be searched without touching the summaries.
    private var testSteps: [StepID?] = []
    private var toldDiagnostics: Set<DiagnosticKey> = []
    private let forgetsPassing: Bool

    private struct DiagnosticKey: Hashable {
        let severity: BuildDiagnostic.Severity
        let message: String
        let location: SourceLocation?
    }

    /// `forgetsPassing` is `TestSummary`'s.
    package init(forgetsPassing: Bool = false) {
        self.forgetsPassing = forgetsPassing
    }

    /// Over all steps.
    package var counts: TestCounts { tests.reduce(TestCounts()) { $0 + $1.summary.counts } }

    /// How often tests have passed: more than `counts.passed` where they are repeated.
    package var passes: Int { tests.reduce(0) { $0 + $1.summary.passes } }

    /// What went wrong while tests ran without being any test's fault.
    package var failuresOutsideOfTests: [TestIssue] {
        tests.flatMap(\.summary.issues).filter { $0.severity == .failure }
    }

    /// A Boolean value that indicates whether the totals hold a failed test, a failure outside any test, or an error.
    package var hasFailures: Bool {
        counts.unsuccessful > 0 || !failuresOutsideOfTests.isEmpty || diagnostics.contains { $0.severity == .error }
    }

    /// `nil` for what the plan does not know.
    package func step(_ id: StepID?) -> StepSummary? {
        id.flatMap { places.place(of: $0, among: steps) }.map { steps[$0] }
    }

    /// `nil` where no test was heard of.
    package func tests(of step: StepID?) -> TestSummary? {
        testSteps.firstIndex(of: step).map { tests[$0].summary }
    }

    /// What is known of one test; `nil` where it is not known or was forgotten.
    package func record(of test: TestID, in step: StepID?) -> TestRecord? {
        guard let place = testSteps.firstIndex(of: step) else { return nil }
        return tests[place].summary[test]
    }

    /// `nil` where no test of that suite was heard of.
    package func tally(of suite: SuiteID, in step: StepID?) -> SuiteTally? {
        guard let place = testSteps.firstIndex(of: step) else { return nil }
        return tests[place].summary.suites[suite]
    }

    /// Each test of each step that `chosen` picks, with the step that ran it.
    package func tests(where chosen: (TestRecord) -> Bool) -> [(step: StepID?, test: TestRecord)] {
        tests.flatMap { part in
            part.summary.tests(where: chosen).map { (step: part.step, test: $0) }
        }
    }

    /// Takes in the next event; they must come in the order of their numbers.
    package mutating func receive(_ event: LaneEvent) {
        switch event.kind {
        case .runStarted(let start):
            (lane, startedAt) = (start.lane, start.startedAt)
            steps.reserveCapacity(start.steps.count)
            for step in start.steps { steps.append(StepSummary(id: step.id, name: step.name)) }
        case .stepStarted(let start):
            update(event.step, name: start.name) { step in
                step.start = start
                step.startedAt = event.offset
            }
        case .stepOutput(let chunk): update(event.step) { $0.output.append(chunk.bytes) }
        case .stepRetried(let retry):
            update(event.step) { $0.attempts = retry.attempt + 1 }
            if let place = testSteps.firstIndex(of: event.step) { tests[place].summary.beginAgain() }
        case .stepEnded(let end):
            update(event.step, name: end.name) { step in
                step.end = end
                step.progress = nil
                if !end.outcome.isFailure { step.output = CappedOutput(head: 0, tail: 0) }
            }
        case .buildProgress(let progress): update(event.step) { $0.progress = progress }
        case .buildDiagnostic(let diagnostic): add(diagnostic)
        case .test(let testEvent):
            tests[placeOfTests(in: event.step)].summary.receive(testEvent, at: event.offset)
        case .message(let message): messages.append(message)
        case .artifact(let artifact): artifacts.append(artifact)
        case .runEnded(let end):
            self.end = end
            // A run that was cut short must not leave a test without a result, which would look green.
            for place in tests.indices { tests[place].summary.finish() }
        }
    }

    private mutating func add(_ diagnostic: BuildDiagnostic) {
        let key = DiagnosticKey(
            severity: diagnostic.severity, message: diagnostic.message, location: diagnostic.location)
        if toldDiagnostics.insert(key).inserted { diagnostics.append(diagnostic) }
    }

    private mutating func place(of step: StepID, name: String) -> Int {
        if let place = places.find(step, among: steps) { return place }
        steps.append(StepSummary(id: step, name: name))
        return steps.count - 1
    }

    private mutating func update(_ step: StepID?, name: String? = nil, _ change: (inout StepSummary) -> Void) {
        guard let step else { return }
        change(&steps[place(of: step, name: name ?? step.description)])
    }

    private mutating func placeOfTests(in step: StepID?) -> Int {
        if let place = testSteps.firstIndex(of: step) { return place }
        testSteps.append(step)
        tests.append((step: step, summary: TestSummary(forgetsPassing: forgetsPassing)))
        return tests.count - 1
    }
}

extension StepEnd.Outcome {
    /// Whether it counts against the run, unless it is forgiven.
    package var isFailure: Bool {
        switch self {
        case .failed, .timedOut, .cancelled: true
        case .passed, .skipped, .upToDate: false
        }
    }
}
