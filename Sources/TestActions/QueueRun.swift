import Coverage
import Diagnostics
import Files
import HTTP
import LaneEvents
import LaneModel
package import LaneRun
import Processes
import Secrets
import TestEngine
package import TestQueue
import Threads

/// The option `--queue` of `lane test`: runs batches of tests until the machines together have run all tests.
struct QueueRun {
    let context: StepContext
    private let queue: TestQueue
    private let server: ServerConnection?
    private let lease: Duration

    private static let usualLease = Duration.seconds(30)
    /// The time between two searches for batches of machines that were lost.
    private var pause: Duration { server == nil ? .milliseconds(200) : .seconds(1) }

    /// Opens the queue at a path or an address.
    ///
    /// - Parameter selected: The selected tests with their recorded durations.
    init(
        _ location: String, _ settings: Settings, selected: [TestInfo], in context: StepContext
    ) throws(StepFailure) {
        self.context = context
        lease = settings.duration(TestSetting.queueLease) ?? Self.usualLease
        do throws(WebError) {
            server = try ServerConnection(
                to: location, processes: context.processes, environment: context.environment,
                cancellation: context.cancellation)
        } catch {
            throw StepFailure(.web(error))
        }
        do throws(TestQueueError) {
            let store: any QueueStore =
                if let server {
                    WebStore(server.files, drafts: server.scratch.path)
                } else {
                    try DirectoryStore(at: absolutePath(location, from: context.root))
                }
            queue = try TestQueue(in: store, tests: selected, lease: lease)
        } catch {
            throw StepFailure(error)
        }
    }

    /// Runs batches. Returns the verdict on the batches of this machine.
    ///
    /// - Parameters:
    ///   - coverage: A closure that converts the coverage of a batch for `lane merge`.
    ///   - engine: A closure that returns the engine for a part of the tests.
    func run(
        coverage: (CoverageReport) -> ShardCoverage, _ engine: (TestPart) -> TestEngine
    ) throws(StepFailure) -> TestVerdict {
        var verdict = TestVerdict(status: .done)
        do throws(TestQueueError) {
            while !context.cancellation.isCancelled {
                guard let claim = try queue.claim() else {
                    if try queue.isFinished() { break }
                    context.cancellation.wait(pause)
                    continue
                }
                let part = TestPart(tests: claim.tests, shard: queue.shard(claim))
                let (batch, failure) = run(claim, coverage, engine(part))
                guard failure == nil, Self.completing.contains(batch.status) else {
                    try queue.release(claim)
                    if let failure { throw .file(failure) }
                    return batch
                }
                try queue.complete(claim)
                verdict.add(batch)
            }
        } catch {
            guard case .web(.cancelled) = error else { throw StepFailure(error) }
        }
        guard context.cancellation.isCancelled else {
            if verdict.counts.planned == 0 {
                context.report(
                    .note, "the queue has no tests left; 'lane merge \(queue.location)' prints their results")
            }
            return verdict
        }
        return TestVerdict(status: .signalled(context.cancellation.signal), reason: "the run was cancelled")
    }

    /// The statuses of a batch whose tests have results. Other statuses are problems of this machine.
    private static let completing: Set<ExitStatus> = [.done, .failed, .testCrashed, .timedOut]

    /// Runs a batch, and writes its events to a file as those of a run.
    private func run(
        _ claim: TestQueue.Claim, _ coverage: (CoverageReport) -> ShardCoverage, _ engine: TestEngine
    ) -> (TestVerdict, FileError?) {
        let files = ReportFiles(directory: context.root)
        context.events.beginPart(of: context.step, receivers: [files.eventLog(claim.events)])
        let isDone = Cancellation()
        let heartbeat = Thread { [queue, lease] in
            while !isDone.wait(lease / 5) { _ = try? queue.keep(claim) }
        }
        let verdict = engine.verdict()
        isDone.cancel()
        heartbeat?.join()
        if let report = verdict.coverage { context.send(.coverage(coverage(report))) }
        context.events.endPart(
            of: context.step, status: verdict.rawValue,
            error: verdict.status == .done ? nil : verdict.reason.map(context.mask.masked))
        return (verdict, files.write().first)
    }
}

extension TestVerdict {
    /// Adds the results of another batch.
    fileprivate mutating func add(_ batch: TestVerdict) {
        counts = counts + batch.counts
        attempts += batch.attempts
        guard batch.status != .done else { return }
        if status == .done || batch.status == .testCrashed { status = batch.status }
        reason = reason ?? batch.reason
    }
}

extension StepFailure {
    /// Describes an error of a queue.
    package init(_ error: TestQueueError) {
        let status: ExitStatus =
            switch error {
            case .file, .web(.file): .cannotWrite
            case .web(.start): .toolMissing
            case .web(.notAnAddress): .usage
            case .web(.cancelled), .web(.noAnswer): .failed
            case .web(.refused), .web(.undated), .notAQueue, .otherTests,
                .noHardLinks:
                .refused
            }
        self.init(status: status.rawValue, error.description)
    }
}
