/// The state of a step: at the start of the run, its ID and name, and then what its events say.
package struct StepSummary: Sendable, Equatable {
    /// The identifier in the events of the step.
    package let id: StepID
    /// The name for the output, with masked secrets.
    package internal(set) var name: String
    /// The start of the step, or `nil` before it starts or if it is skipped.
    package internal(set) var start: StepStart?
    /// The time from the start of the run to the start of the step.
    package internal(set) var startedAt: Duration?
    /// The number of the current attempt, from 1.
    package internal(set) var attempts = 1
    /// The end of the step, or `nil` before it ends.
    package internal(set) var end: StepEnd?
    /// The end of the output.
    package internal(set) var output = CappedOutput(head: 0, tail: 16 * 1024)
    /// The latest progress of the step's build, if any.
    package internal(set) var progress: BuildProgress?

    /// Creates the state of a step before its first event.
    package init(id: StepID, name: String) {
        self.id = id
        self.name = name
    }
}

/// The current state of a run, computed from its events. All reports read the same summary.
package struct RunSummary: Sendable {
    /// The name of the requested lane, or an empty string before the start.
    package private(set) var lane = ""
    /// The start time in seconds since 1970, or 0 before the start.
    package private(set) var startedAt = 0.0
    /// The steps in the order of the plan, followed by steps outside the plan.
    package private(set) var steps: [StepSummary] = []
    /// The test summaries of steps that ran tests, in the order of their first events.
    package private(set) var tests: [(step: StepID?, summary: TestSummary)] = []
    /// The diagnostics of builds, without duplicates.
    package private(set) var diagnostics: [BuildDiagnostic] = []
    /// The messages of `lane`, in order.
    package private(set) var messages: [Message] = []
    /// The artifacts in the order of their creation.
    package private(set) var artifacts: [Artifact] = []
    /// The end of the run, or `nil` before it.
    package private(set) var end: RunEnd?

    /// The positions of steps by the text of the ID. A custom key type would make each start of `lane` search for its
    /// conformance.
    private var positions: [String: Int] = [:]
    /// The steps of `tests`, in an array that is fast to search.
    private var testSteps: [StepID?] = []
    private var seenDiagnostics: Set<DiagnosticKey> = []
    private let passed: PassedTestDetail

    private struct DiagnosticKey: Hashable {
        let severity: BuildDiagnostic.Severity
        let message: String
        let location: SourceLocation?
    }

    /// Creates a summary.
    ///
    /// - Parameter passed: The data to keep about tests that passed at the first attempt.
    package init(passed: PassedTestDetail = .records) {
        self.passed = passed
    }

    /// The totals of all steps.
    package var counts: TestCounts { tests.reduce(TestCounts()) { $0 + $1.summary.counts } }

    /// The number of passes, which exceeds `counts.passed` if tests are repeated.
    package var passes: Int { tests.reduce(0) { $0 + $1.summary.passes } }

    /// The failures outside any test.
    package var failuresOutsideTests: [TestIssue] {
        tests.flatMap(\.summary.issues).filter { $0.severity == .failure }
    }

    /// A Boolean value that indicates whether the totals contain a failed test, a failure outside any test, or an error.
    package var hasFailures: Bool {
        counts.unsuccessful > 0 || !failuresOutsideTests.isEmpty || diagnostics.contains { $0.severity == .error }
    }

    /// Returns the state of a step, or `nil` if the step is unknown.
    package func step(_ id: StepID?) -> StepSummary? {
        id.flatMap { positions[$0.description] }.map { steps[$0] }
    }

    /// Returns the test summary of a step, or `nil` if no test of the step is known.
    package func tests(of step: StepID?) -> TestSummary? {
        testSteps.firstIndex(of: step).map { tests[$0].summary }
    }

    /// Returns the record of a test, or `nil` if the test is unknown or its record was discarded.
    package func record(of test: TestID, in step: StepID?) -> TestRecord? {
        guard let position = testSteps.firstIndex(of: step) else { return nil }
        return tests[position].summary[test]
    }

    /// Returns the totals of a suite, or `nil` if no test of the suite is known.
    package func tally(of suite: SuiteID, in step: StepID?) -> SuiteTally? {
        guard let position = testSteps.firstIndex(of: step) else { return nil }
        return tests[position].summary.suites[suite]
    }

    /// Returns the tests that satisfy a predicate, each with its step.
    package func tests(where chosen: (TestRecord) -> Bool) -> [(step: StepID?, test: TestRecord)] {
        tests.flatMap { part in
            part.summary.tests(where: chosen).map { (step: part.step, test: $0) }
        }
    }

    /// Updates the summary with the next event. Events must arrive in the order of their numbers.
    package mutating func receive(_ event: LaneEvent) {
        switch event.kind {
        case .runStarted(let start):
            (lane, startedAt) = (start.lane, start.startedAt)
            steps.reserveCapacity(start.steps.count)
            for step in start.steps { _ = position(of: step.id, name: step.name) }
        case .stepStarted(let start):
            update(event.step, name: start.name) { step in
                step.name = start.name
                step.start = start
                step.startedAt = event.offset
            }
        case .stepOutput(let chunk): update(event.step) { $0.output.append(chunk.bytes) }
        case .stepRetried(let retry):
            update(event.step) { $0.attempts = retry.attempt + 1 }
            if let position = testSteps.firstIndex(of: event.step) { tests[position].summary.beginAttempt() }
        case .stepEnded(let end):
            update(event.step, name: end.name) { step in
                step.name = end.name
                step.end = end
                step.progress = nil
                if !end.outcome.isFailure { step.output = CappedOutput(head: 0, tail: 0) }
            }
        case .buildProgress(let progress): update(event.step) { $0.progress = progress }
        case .buildDiagnostic(let diagnostic): add(diagnostic)
        case .test(let testEvent):
            tests[positionOfTests(in: event.step)].summary.receive(testEvent, at: event.offset)
        case .message(let message): messages.append(message)
        case .artifact(let artifact): artifacts.append(artifact)
        case .coverage: break
        case .runEnded(let end):
            self.end = end
            // A test without a result in an aborted run must not count as passed.
            for position in tests.indices { tests[position].summary.finish() }
        }
    }

    private mutating func add(_ diagnostic: BuildDiagnostic) {
        let key = DiagnosticKey(
            severity: diagnostic.severity, message: diagnostic.message, location: diagnostic.location)
        if seenDiagnostics.insert(key).inserted { diagnostics.append(diagnostic) }
    }

    private mutating func position(of step: StepID, name: String) -> Int {
        if let position = positions[step.description] { return position }
        positions[step.description] = steps.count
        steps.append(StepSummary(id: step, name: name))
        return steps.count - 1
    }

    private mutating func update(_ step: StepID?, name: String? = nil, _ change: (inout StepSummary) -> Void) {
        guard let step else { return }
        change(&steps[position(of: step, name: name ?? step.description)])
    }

    private mutating func positionOfTests(in step: StepID?) -> Int {
        if let position = testSteps.firstIndex(of: step) { return position }
        testSteps.append(step)
        tests.append((step: step, summary: TestSummary(passed: passed)))
        return tests.count - 1
    }
}

extension StepEnd.Outcome {
    /// A Boolean value that indicates whether the step failed.
    package var isFailure: Bool {
        switch self {
        case .failed, .timedOut, .cancelled: true
        case .passed, .skipped, .upToDate: false
        }
    }
}
