import LaneEvents
import Processes
import TestOutput

/// Runs tests through `swift test` and reads what it prints: for systems on which the built binary cannot be run
/// directly. Swift Testing still tells by its event stream, which `swift test` passes on.
extension TestWorker {
    func runSwiftTest(_ process: TestProcess) throws(TestEngineFailure) -> ExitReport {
        let pipe = try EventPipe(path: "\(scratch)/events-\(number)")
        let stream = SharedParser(SwiftTestingEventParser(root: root, worker: number))
        try pipe.start { bytes in stream.consume(bytes, process.receive) }
        defer {
            pipe.finish()
            stream.finish(process.receive)
        }
        var arguments = ["--skip-build"] + EventStreamForm.version6_3.arguments(writingTo: pipe.path)
        if process.batch.isSerial || workers == 1 { arguments.append("--no-parallel") }
        arguments += TestArguments.swiftTest(process.batch, all: listed, chosen: run.tests)
        let command = package.swift("test", arguments)
        var log = SwiftTestReader(root: root)
        let take = { (kind: LaneEvent.Kind) in
            guard case .test(let event) = kind else { return }
            switch event {
            case .issue(let issue) where issue.test?.library == .swiftTesting: break
            case .started(let test, _, _) where test.library == .xctest: process.receive(event)
            case .ended(let result) where result.test.library == .xctest:
                // What never began stays to be done.
                if case .notRun = result.outcome { return }
                process.receive(event)
            case .issue, .output: process.receive(event)
            default: break
            }
        }
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
