import Events
import OperatingSystem
import Synchronization
import ToolOutput

/// The run of tests whose results were missing.
extension TestWorker {
    /// Runs a single function of Swift Testing without the event stream, and parses its result from the text. The
    /// function may close all descriptors except the standard ones.
    func runSwiftTestingText(_ process: TestProcess) throws(TestEngineFailure) -> ExitReport {
        let test = run.tests[process.batch.items[0].test].parserID
        var log = SwiftTestReader(root: root)
        let take = { (kind: LaneEvent.Kind) in
            if case .test(let event) = kind, let event = event.asOnly(test) { process.receive(event) }
        }
        let arguments = ["--testing-library", "swift-testing", "--no-parallel"]
        let report = try start(
            process, arguments + TestArguments.swiftTesting(process.batch, all: listed, chosen: run.tests)
        ) { source, bytes in
            switch source {
            case .standardOutput: log.consumeOutput(bytes, emit: take)
            case .standardError:
                process.remember(bytes)
                log.consumeErrors(bytes, emit: take)
            }
        }
        log.finish(emit: take)
        return report
    }

    /// Runs XCTest cases with the observer, which reports the results. The text counts as output.
    func runObserved(_ process: TestProcess, _ library: String) throws(TestEngineFailure) -> ExitReport {
        let tests = process.batch.items.map { run.tests[$0.test] }
        let records = XCTestRecords(root: root, worker: number, tests: tests)
        // The events in the text. They are used if the observer writes nothing.
        let text = Mutex<[TestEvent]>([])
        let report = try followingEvents(
            through: "observed", take: { records.consume($0, process.receive) },
            body: {
                pipe throws(TestEngineFailure) in
                let binary = binaries[process.batch.binary].path
                let session = XCTestObserver.Session(library: library, pipe: pipe.path, binary: binary)
                return try runXCTest(process, observedBy: session) { event in
                    pipe.catchUp()
                    if case .output = event { process.receive(event) } else { text.withLock { $0.append(event) } }
                }
            })
        if !records.hasBegun { for event in text.withLock({ $0 }) { process.receive(event) } }
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
