import Events
import OperatingSystem
import TestSupport
import Testing

@testable import TestEngine

@Suite("The time limit of a run", .startsPrograms)
struct WatchdogTests {
    /// A runner whose processes end when they are released.
    private struct HeldRunner: ProcessRunner {
        let started = Cancellation()
        let released = Cancellation()

        func run(
            _ command: Command, limits: RunLimits, output: (OutputSource, UnsafeRawBufferPointer) -> Void
        ) throws(SpawnError) -> ExitReport {
            started.cancel()
            released.wait(.seconds(60))
            return ExitReport(termination: .exited(1), stoppedBy: nil, duration: .zero)
        }
    }

    @Test("It counts although the last test ends while stacks are read")
    func limit() throws {
        let directory = try TemporaryDirectory()
        try writeFile("", to: "\(directory.path)/eu-stack", mode: 0o755)
        var options = TestOptions()
        options.times.timeout = .zero
        options.times.runTimeout = .milliseconds(20)
        let test = TestID(library: .swiftTesting, module: "M", suite: "", name: "slow()")
        let listed = ListedTest(info: TestInfo(id: test), binary: 0, selector: "M.slow()")
        let run = TestRun(
            tests: [listed], options: options, workers: 1, history: nil, duration: { _ in nil }, root: "/",
            events: EventStream())
        let batch = try #require(run.next() as Batch?)
        let runner = HeldRunner()
        let package = SwiftPackage(
            directory: directory.path, environment: ["PATH": directory.path], options: options)
        let setup = TestSetup(
            listed: [listed], binaries: [TestBinary(path: "/no-binary")], package: package,
            testEnvironment: TestEnvironment([:], options: options, profile: nil, scratch: "/"), processes: runner,
            observer: XCTestObserver(of: package, processes: runner, scratch: "/", events: EventStream()),
            scratch: "/")
        let process = TestProcess(batch, worker: 1, run: run, setup: setup)
        process.setLeader(1)
        process.receive(.started(test, attempt: 1, worker: 1))
        run.began(process)
        let watchdog = Watchdog(run, following: Cancellation())
        runner.started.wait(.seconds(60))
        Cancellation().wait(.milliseconds(30))
        process.receive(.ended(TestResult(test: test, outcome: .passed, duration: .milliseconds(30))))
        run.ended(process)
        let release = Thread {
            Cancellation().wait(.milliseconds(50))
            runner.released.cancel()
        }
        watchdog.dismiss()
        release?.join()
        #expect(run.close().stop == .runTimeout(.milliseconds(20)))
    }
}
