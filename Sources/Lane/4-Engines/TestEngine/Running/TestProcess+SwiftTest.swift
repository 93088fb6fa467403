import Events
import OperatingSystem
import ToolOutput

/// The run of tests with `swift test`, for systems that cannot run the test binary. `swift test` writes Swift Testing's
/// event stream, and its output is parsed for XCTest.
extension TestProcess {
    func runSwiftTest() throws(TestEngineFailure) -> ExitReport {
        try followingEvents { pipe throws(TestEngineFailure) in
            let cases = tests.filter { $0.id.library == .xctest }
            var log = SwiftTestReader(root: setup.package.sourceRoot, cases: cases.flatMap(\.printedNames))
            let take = { [self] (kind: LaneEvent.Kind) in
                if case .test(let event) = kind, Self.isOfLogAlone(event) { receive(event) }
            }
            let command = setup.package.swift("test", swiftTestArguments(events: pipe))
            let report = try start(command) { source, bytes in
                remember(bytes)
                switch source {
                case .standardOutput: log.consumeOutput(bytes, emit: take)
                case .standardError: log.consumeErrors(bytes, emit: take)
                }
            }
            log.finish(emit: take)
            try setup.coverage?.keepReportOfSwiftTest()
            return report
        }
    }

    private func swiftTestArguments(events pipe: EventPipe) -> [String] {
        var arguments = ["--skip-build"] + (setup.swiftTestEvents?.arguments(writingTo: pipe.path) ?? [])
        // Earlier versions of 'swift test' have no such option.
        if setup.swiftTestEvents == .version63 { arguments += attachmentArguments }
        if batch.isSerial { arguments.append("--no-parallel") }
        return arguments + TestArguments.swiftTest(batch, all: setup.listed, chosen: run.tests)
    }

    /// Returns a Boolean value that indicates whether an event is only in the log, not in the event stream.
    private static func isOfLogAlone(_ event: TestEvent) -> Bool {
        switch event {
        case .issue(let issue): return issue.test?.library != .swiftTesting
        case .started(let test, _, _): return test.library == .xctest
        case .ended(let result):
            // A test that never started stays in the queue.
            if case .notRun = result.outcome { return false }
            return result.test.library == .xctest
        case .output: return true
        default: return false
        }
    }
}
