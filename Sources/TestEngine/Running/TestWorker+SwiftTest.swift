import LaneEvents
import Processes
import TestOutput

/// Runs tests through `swift test` and reads what it prints: for systems on which the built binary cannot be run
/// directly. Swift Testing still tells by its event stream, which `swift test` passes on.
extension TestWorker {
    func runSwiftTest(_ process: TestProcess) throws(TestEngineFailure) -> ExitReport {
        try followingEvents(of: process) { pipe throws(TestEngineFailure) in
            let cases = process.batch.items.map { run.tests[$0.test] }.filter { $0.id.library == .xctest }
            var log = SwiftTestReader(root: root, cases: cases.flatMap(\.printedNames))
            let take = { (kind: LaneEvent.Kind) in
                if case .test(let event) = kind, Self.isOfLogAlone(event) { process.receive(event) }
            }
            let command = package.swift("test", swiftTestArguments(process.batch, events: pipe))
            let report = try start(process, command) { source, bytes in
                process.remember(bytes)
                switch source {
                case .standardOutput: log.consumeOutput(bytes, emit: take)
                case .standardError: log.consumeErrors(bytes, emit: take)
                }
            }
            log.finish(emit: take)
            try coverage?.keepReportOfSwiftTest()
            return report
        }
    }

    private func swiftTestArguments(_ batch: Batch, events pipe: EventPipe) -> [String] {
        var arguments = ["--skip-build"] + (swiftTestEvents?.arguments(writingTo: pipe.path) ?? [])
        if batch.isSerial { arguments.append("--no-parallel") }
        return arguments + TestArguments.swiftTest(batch, all: listed, chosen: run.tests)
    }

    /// Whether the event stream does not tell it, too.
    private static func isOfLogAlone(_ event: TestEvent) -> Bool {
        switch event {
        case .issue(let issue): return issue.test?.library != .swiftTesting
        case .started(let test, _, _): return test.library == .xctest
        case .ended(let result):
            // What never began stays to be done.
            if case .notRun = result.outcome { return false }
            return result.test.library == .xctest
        case .output: return true
        default: return false
        }
    }
}
