import Bisection
import CommitTesting
import Diagnostics
import Files
import Git
import LaneEvents
import LaneRun
import Processes
import ResultHistory

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A run of `lane bisect`: the private worktree, the lock on it, and the output.
struct BisectionRun {
    let root: String
    let directory: BisectionDirectory
    let record: BisectionRecord
    let history: CommitHistory

    /// Runs the bisection.
    ///
    /// - Parameter isNew: A Boolean value that indicates whether the state of an earlier bisection is discarded.
    func run(_ git: Git, isNew: Bool, in world: World) throws(CommandFailure) -> ExitStatus {
        world.watchSignals()
        do throws(StepFailure) {
            let worktree = PrivateWorktree(of: try Repository.find(git), for: "bisect", git: git)
            let lock = try takeLock(of: worktree, in: world)
            defer { withExtendedLifetime(lock) {} }
            KilledRunProcesses(root: worktree.home).watch(after: lock.predecessor, in: world)
            // This removes the worktree of a killed run.
            try remove(worktree)
            StateDirectory.create(in: root)
            if isNew { try convertingFileErrors { () throws(FileError) in try directory.begin() } }
            let result = Result { () throws(StepFailure) in try bisect(in: worktree, world) }
            try remove(worktree)
            return try result.get()
        } catch {
            throw CommandFailure(error)
        }
    }

    private func remove(_ worktree: PrivateWorktree) throws(StepFailure) {
        try convertingFileErrors { () throws(FileError) in try worktree.remove() }
    }

    private func takeLock(of worktree: PrivateWorktree, in world: World) throws(StepFailure) -> RunLock {
        let lock: RunLock?
        do throws(RunLock.Held) {
            let holder = "lane bisect (process \(getpid()))"
            lock = try RunLock.acquire(root: worktree.home, holder: holder, environment: world.environment)
        } catch {
            throw .refused(["'\(error.holder)' is running in this repository\nhint: wait for it, or end it"])
        }
        guard let lock else {
            throw StepFailure(status: ExitStatus.cannotWrite.rawValue, "cannot write to '\(worktree.home)'")
        }
        return lock
    }

    private func bisect(in worktree: PrivateWorktree, _ world: World) throws(StepFailure) -> ExitStatus {
        let text = BisectionText(record, history, style: world.style(for: world.output))
        world.output.writeLine(text.heading)
        let tester = CommitTester(
            record.target, in: worktree, checkout: root, program: Self.program, logs: directory.path,
            environment: world.environment, processes: world.processes, cancellation: world.cancellation)
        let runs = ResultStore(root: root).runs()
        let rates = Self.rates(in: runs)
        var recorded: RecordedTrials?
        if case .test = record.target { recorded = RecordedTrials(runs, machine: RecordedRun.ownMachine) }
        var bisection = Bisection<StepFailure>(
            record, commits: history.searched, rate: { rates[$0] }, recorded: { [recorded] in recorded?[$0] },
            test: { hash, plan throws(StepFailure) in try tester.test(hash, plan) },
            report: { world.output.writeLine(text.line($0)) },
            save: { record throws(StepFailure) in
                try convertingFileErrors { () throws(FileError) in try directory.save(record) }
            })
        let outcome = try bisection.run()
        if outcome == .stopped {
            try convertingFileErrors { () throws(FileError) in try directory.save(bisection.record) }
            world.errors.writeLine("hint: 'lane bisect --resume' continues")
            return .signalled(world.cancellation.signal)
        }
        try convertingFileErrors { () throws(FileError) in try directory.end() }
        return try conclude(outcome, bisection.record, text, in: world)
    }

    /// Prints the result. Returns the exit status.
    private func conclude(
        _ outcome: BisectionOutcome, _ state: BisectionRecord, _ text: BisectionText, in world: World
    ) throws(StepFailure) -> ExitStatus {
        let logs = "hint: see the output in \(relativePath(directory.path, to: world.directory))"
        func name(_ hash: String) -> String { String(hash.prefix(10)) }
        switch outcome {
        case .found(let hash):
            world.output.writeLine(text.found(hash, state: state))
            return .done
        case .range(let hashes):
            world.output.writeLine(text.range(hashes))
            return .failed
        case .badIsGood:
            throw .refused(["nothing fails at the bad commit \(name(record.bad))\n\(logs)"])
        case .goodIsBad(let failures):
            throw .refused([
                "the good commit \(name(record.good)) is bad: \(list(failures.prefix(3).map { "'\($0)'" }, joinedBy: "and")) "
                    + "\(failures.count == 1 ? "fails" : "fail") there as well\n\(logs)"
            ])
        case .endIsUntestable(let hash, let reason):
            let end = hash == record.good ? "good" : "bad"
            throw .refused(["the \(end) commit \(name(hash)) cannot be tested: \(reason)\n\(logs)"])
        case .stopped: return .signalled(world.cancellation.signal)
        }
    }

    /// Returns the confidence intervals of the failure rates of tests that are flaky according to the history of the
    /// package.
    private static func rates(in runs: [RecordedRun]) -> [String: ClosedRange<Double>] {
        let flaky = HistoryAssessment(runs).flaky
        return Dictionary(flaky.map { ($0.test.description, $0.flakiness.rate.interval) }) { first, _ in first }
    }

    /// The path of this program, even if its file was replaced.
    private static var program: String {
        #if os(Linux)
            "/proc/self/exe"
        #else
            resolvedPath(CommandLine.arguments[0]) ?? CommandLine.arguments[0]
        #endif
    }
}
