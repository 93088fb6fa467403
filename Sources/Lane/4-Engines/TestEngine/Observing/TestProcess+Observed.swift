import Events
import OperatingSystem
import Synchronization
import ToolOutput

/// The run of tests whose results were missing.
extension TestProcess {
    /// Runs a single function of Swift Testing without the event stream, and parses its result from the text. The
    /// function may close all descriptors except the standard ones.
    func runSwiftTestingText() throws(TestEngineFailure) -> ExitReport {
        let test = tests[0].parserID
        var log = SwiftTestReader(root: setup.package.sourceRoot)
        let take = { [self] (kind: LaneEvent.Kind) in
            if case .test(let event) = kind, let event = event.asOnly(test) { receive(event) }
        }
        let arguments = ["--testing-library", "swift-testing", "--no-parallel"]
        let report = try start(
            arguments + TestArguments.swiftTesting(batch, all: setup.listed, chosen: run.tests)
        ) { source, bytes in
            switch source {
            case .standardOutput: log.consumeOutput(bytes, emit: take)
            case .standardError:
                remember(bytes)
                log.consumeErrors(bytes, emit: take)
            }
        }
        log.finish(emit: take)
        return report
    }

    /// Runs XCTest cases with the observer, which reports the results. The text counts as output.
    func runObserved(_ library: String) throws(TestEngineFailure) -> ExitReport {
        let records = XCTestRecords(root: setup.package.sourceRoot, worker: worker, tests: tests)
        // The events in the text. They are used if the observer writes nothing.
        let text = Mutex<[TestEvent]>([])
        let report = try followingEvents(
            through: "observed", take: { [self] in records.consume($0, receive) },
            body: {
                pipe throws(TestEngineFailure) in
                let binary = setup.binaries[batch.binary].path
                let session = XCTestObserver.Session(library: library, pipe: pipe.path, binary: binary)
                return try runXCTest(observedBy: session) { event in
                    pipe.catchUp()
                    if case .output = event { receive(event) } else { text.withLock { $0.append(event) } }
                }
            })
        if !records.hasBegun { for event in text.withLock({ $0 }) { receive(event) } }
        return report
    }
}

extension TestEvent {
    /// Returns an event of the log of a single test with the ID of this test, or `nil` if it is no event of a test or
    /// does not follow from a line.
    fileprivate func asOnly(_ test: TestID) -> TestEvent? {
        switch self {
        case .started(let started, let attempt, let worker) where started.library == test.library:
            return .started(test, attempt: attempt, worker: worker)
        case .issue(var issue):
            issue.test = issue.test.map { _ in test }
            return .issue(issue)
        case .ended(var result) where result.test.library == test.library:
            switch result.outcome {
            case .passed, .failed, .skipped:
                result.test = test
                return .ended(result)
            default: return nil
            }
        case .output(_, let bytes): return .output(nil, bytes)
        default: return nil
        }
    }
}
