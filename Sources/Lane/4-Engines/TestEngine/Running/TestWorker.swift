import Events
import OperatingSystem
import ToolOutput

/// A worker that runs batches one after another, each in its own process.
struct TestWorker: Sendable {
    let number: Int
    let run: TestRun
    /// All tests of the binaries, selected or not.
    let listed: [ListedTest]
    let binaries: [TestBinary]
    /// The format of Swift Testing's events if `swift test` runs the binaries.
    let swiftTestEvents: EventStreamForm?
    let package: SwiftPackage
    let testEnvironment: TestEnvironment
    let processes: any ProcessRunner
    let coverage: CoverageMeasurement?
    let observer: XCTestObserver
    /// A directory for pipes.
    let scratch: String
    /// The number of concurrent processes.
    let workers: Int

    func work() {
        while let batch = run.next() {
            let process = TestProcess(
                batch, worker: number, run: run, binary: batch.isWhole ? nil : binaries[batch.binary].path,
                stackReader: StackReader(package: package, processes: processes))
            run.began(process)
            do throws(TestEngineFailure) {
                let report =
                    if batch.isWhole {
                        try runSwiftTest(process)
                    } else if batch.library == .xctest {
                        try runXCTest(process)
                    } else if batch.isObserved {
                        try runSwiftTestingText(process)
                    } else {
                        try runSwiftTesting(process)
                    }
                process.conclude(report)
            } catch {
                process.giveUp(error.message)
            }
        }
    }

    var root: String { package.sourceRoot }

    func start(
        _ process: TestProcess, _ arguments: [String], observedBy session: XCTestObserver.Session? = nil,
        output: (OutputSource, UnsafeRawBufferPointer) -> Void
    ) throws(TestEngineFailure) -> ExitReport {
        let binary = binaries[process.batch.binary].path
        let command = Command(binary, arguments, environment: package.environment, directory: package.directory)
        return try start(process, command, observedBy: session, output: output)
    }

    func start(
        _ process: TestProcess, _ command: Command, observedBy session: XCTestObserver.Session? = nil,
        output: (OutputSource, UnsafeRawBufferPointer) -> Void
    ) throws(TestEngineFailure) -> ExitReport {
        let hasArguments = process.batch.items.contains { run.tests[$0.test].info.isParameterized }
        // Swift Testing's output is already line-buffered, and the observer buffers that of XCTest by line.
        let buffering: LineBuffering.Scope =
            process.batch.isWhole
            ? .everyProgram
            : process.batch.library == .swiftTesting || session != nil ? .nothing : .program(command.executable)
        let processEnvironment = try testEnvironment.processEnvironment(buffering, tellsArguments: hasArguments)
        defer { processEnvironment.remove() }
        var limits = RunLimits(grace: run.options.times.grace, cancellation: process.cancellation)
        limits.started = { process.setLeader($0) }
        limits.willTimeOut = { process.showStacks("running when the step timed out") }
        defer { process.setLeader(nil) }
        var command = processEnvironment.wrapping(command)
        session?.observe(&command.environment)
        if !run.options.isCaptured { (command.input, command.output) = (.inherited, .inherited) }
        if let debugger = run.options.debugger { command = debugger.wrapping(command) }
        do {
            return try processes.run(command, limits: limits, output: output)
        } catch {
            throw .cannotStart(error)
        }
    }

    private func runXCTest(_ process: TestProcess) throws(TestEngineFailure) -> ExitReport {
        if process.batch.isObserved || !run.options.isCaptured {
            if let library = observer.compiled() { return try runObserved(process, library) }
            if !run.options.isCaptured { throw .cannotPrepare("XCTest reports its results in the output of the tests") }
        }
        return try runXCTest(process, take: process.receive)
    }

    func runXCTest(
        _ process: TestProcess, observedBy session: XCTestObserver.Session? = nil, take: (TestEvent) -> Void
    ) throws(TestEngineFailure) -> ExitReport {
        let tests = process.batch.items.map { run.tests[$0.test] }
        let modules = Dictionary(tests.map { (String($0.className), $0.id.module) }) { first, _ in first }
        var parser = XCTestOutputParser(
            root: root, modules: modules, tests: tests.flatMap(\.printedNames), worker: number)
        var errors = BacktraceFilter()
        let arguments = TestArguments.xctest(process.batch, all: listed, chosen: run.tests)
        let report = try start(process, arguments, observedBy: session) { source, bytes in
            switch source {
            case .standardOutput: parser.consume(bytes, emit: take)
            case .standardError:
                process.remember(bytes)
                process.receive(.output(nil, errors.remains(of: bytes)))
            }
        }
        process.receive(.output(nil, errors.finish()))
        parser.finish(isByExit: [0, 1].contains { report.termination == .exited($0) }, emit: take)
        return report
    }

    private func runSwiftTesting(_ process: TestProcess) throws(TestEngineFailure) -> ExitReport {
        try followingEvents(of: process) { pipe throws(TestEngineFailure) in
            var errors = BacktraceFilter()
            let report = try start(process, swiftTestingArguments(process.batch, events: pipe)) { source, bytes in
                // The test that printed this output wrote its start event earlier.
                pipe.catchUp()
                switch source {
                case .standardOutput: process.receive(.output(nil, Array(bytes)))
                case .standardError:
                    process.remember(bytes)
                    process.receive(.output(nil, errors.remains(of: bytes)))
                }
            }
            process.receive(.output(nil, errors.finish()))
            return report
        }
    }

    private func swiftTestingArguments(_ batch: Batch, events pipe: EventPipe) -> [String] {
        let form = binaries[batch.binary].eventStream ?? .version63
        var arguments = ["--testing-library", "swift-testing"] + EventStreamForm.withoutText
        arguments += form.arguments(writingTo: pipe.path) + attachmentArguments
        if batch.isSerial {
            arguments.append("--no-parallel")
        } else if let jobs = run.options.jobs {
            arguments += ["--experimental-maximum-parallelization-width", String(jobs)]
        }
        return arguments + TestArguments.swiftTesting(batch, all: listed, chosen: run.tests)
    }

    /// The options that keep the attachments of Swift Testing. Versions without attachments ignore them.
    var attachmentArguments: [String] { run.options.attachments.map { ["--attachments-path", $0] } ?? [] }

    /// Runs a process that writes events to a pipe. All events are passed before this returns.
    func followingEvents(
        of process: TestProcess, body: (EventPipe) throws(TestEngineFailure) -> ExitReport
    ) throws(TestEngineFailure) -> ExitReport {
        let parser = SharedParser(
            SwiftTestingEventParser(
                root: root, worker: number, threads: process.batch.isSerial ? .max : availableProcessors))
        defer { parser.finish(process.receive) }
        return try followingEvents(through: "events", take: { parser.consume($0, process.receive) }, body: body)
    }

    /// Runs a process that writes to a pipe. All its data is passed before this returns.
    func followingEvents(
        through name: String, take: @escaping @Sendable (UnsafeRawBufferPointer) -> Void,
        body: (EventPipe) throws(TestEngineFailure) -> ExitReport
    ) throws(TestEngineFailure) -> ExitReport {
        let pipe = try EventPipe(path: "\(scratch)/\(name)-\(number)")
        try pipe.start(take)
        defer { pipe.finish() }
        return try body(pipe)
    }
}
