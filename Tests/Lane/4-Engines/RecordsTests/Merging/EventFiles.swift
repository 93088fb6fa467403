import Events
import Records
import TestSupport

/// Event files of the shards of a run of tests `a` to `f`, in a temporary directory.
struct EventFiles {
    let directory: TemporaryDirectory
    static let step = StepID("test/test")

    init() throws { directory = try TemporaryDirectory() }

    /// The result of a test: its outcome at each attempt.
    typealias Results = [(name: String, outcomes: [TestResult.Outcome])]

    static func test(_ name: String) -> TestID {
        TestID(library: .swiftTesting, module: "DemoTests", suite: "Demo", name: "\(name)()")
    }

    /// Writes the file of a shard. Returns it.
    ///
    /// - Parameters:
    ///   - lasts: The number of lines to keep, for a machine that was lost, or `nil` for all.
    func write(
        _ file: String, shard: Int?, of count: Int = 2, total: Int = 4, digest: String = "same", _ results: Results,
        startedAt: Double = 1000, status: Int32 = 0, coverage: ShardCoverage? = nil,
        keeping lasts: Int? = nil
    ) throws -> EventFile {
        var kinds: [LaneEvent.Kind] = [
            .runStarted(
                RunStart(
                    lane: "test", steps: [StepSummary(id: Self.step, name: "test")], startedAt: startedAt)),
            .stepStarted(
                StepStart(
                    name: "test", action: "test", repeatCommand: "lane test --shard", repeatTestsCommand: "lane test",
                    log: "test.log")),
        ]
        if let shard {
            let shard = TestShard(index: shard, count: count, total: total, digest: digest)
            kinds.append(.test(.sharded(shard)))
        }
        kinds.append(.test(.planned(results.map { TestInfo(id: Self.test($0.name)) })))
        for (name, outcomes) in results {
            for (index, outcome) in outcomes.enumerated() {
                let test = Self.test(name)
                kinds.append(.test(.started(test, attempt: index + 1, worker: 1)))
                if outcome == .failed { kinds.append(.test(.issue(TestIssue(test: test, text: "wrong")))) }
                kinds.append(
                    .test(
                        .ended(
                            TestResult(
                                test: test, outcome: outcome, duration: .milliseconds(5), attempt: index + 1))))
            }
        }
        let outcome: StepEnd.Outcome = status == 0 ? .passed : .failed(status: status, message: "tests failed")
        kinds.append(.test(.finished))
        if let coverage { kinds.append(.coverage(coverage)) }
        kinds += [
            .stepEnded(StepEnd(name: "test", outcome: outcome, duration: .seconds(1))),
            .runEnded(RunEnd(status: status, duration: .seconds(1))),
        ]
        var encoder = EventLineEncoder()
        var bytes: [UInt8] = []
        for (index, kind) in kinds.enumerated() where index < lasts ?? .max {
            let isOfRun = [0, kinds.count - 1].contains(index)
            bytes += encoder.line(
                for: LaneEvent(
                    number: index + 1, offset: .milliseconds(10 * index), step: isOfRun ? nil : Self.step, kind: kind))
        }
        if lasts != nil { bytes.removeLast(5) }
        let path = try directory.write(String(decoding: bytes, as: UTF8.self), to: file)
        return EventFile(path)
    }
}

/// The summary of merged files.
struct Merged {
    let summary: RunSummary
    let status: Int32
    let isComplete: Bool

    init(_ files: [EventFile]) throws {
        let run = try MergedRun(files)
        var summary = RunSummary()
        var number = 0
        status = try run.replay { kind, step, offset in
            number += 1
            summary.receive(LaneEvent(number: number, offset: offset, step: step, kind: kind))
        }
        self.summary = summary
        isComplete = run.isComplete
    }

    /// The texts of the failures outside any test.
    var findings: [String] { summary.failuresOutsideTests.map(\.text) }

    func record(_ name: String) -> TestRecord? { summary.record(of: EventFiles.test(name), in: EventFiles.step) }
}
