import CLibrary
import Events
import OperatingSystem
import TestSupport
import Testing
import Text

@testable import Records

@Suite struct RunRecorderTests {
    private static let test = TestID(library: .xctest, module: "App", suite: "ATests", name: "testOne")
    private static let step = StepID("lane/test")

    /// Records the events of a run, and returns those that are kept.
    private static func kept(
        _ kinds: [LaneEvent.Kind], of lane: String = "lane", startedAt: Double = 1_764_000_000,
        in directory: TemporaryDirectory
    ) throws -> [LaneEvent.Kind] {
        let store = RunStore(root: directory.path)
        let recorder = RunRecorder(store)
        let start = LaneEvent.Kind.runStarted(RunStart(lane: lane, steps: [], startedAt: startedAt))
        let end = LaneEvent.Kind.runEnded(RunEnd(status: 0, duration: .seconds(1)))
        for (number, kind) in ([start] + kinds + [end]).enumerated() {
            recorder.receive(
                LaneEvent(number: number + 1, offset: .seconds(number), step: step, kind: kind), RunSummary())
        }
        guard let record = try store.records().last else { return [] }
        let lines = try readFile(record.path).split(separator: UInt8(ascii: "\n"))
        return try lines.compactMap { try EventLineDecoder.decode(Array($0))?.kind }
    }

    @Test func outputIsKeptOnlyForTestsThatFail() throws {
        let output = LaneEvent.Kind.test(.output(Self.test, Array("printed\n".utf8)))
        for (outcome, isKept) in [(TestResult.Outcome.passed, false), (.failed, true), (.timedOut(after: .zero), true)]
        {
            let ended = LaneEvent.Kind.test(.ended(TestResult(test: Self.test, outcome: outcome, duration: nil)))
            let progress = LaneEvent.Kind.buildProgress(BuildProgress(finished: 1, total: 2, text: "Compiling"))
            let kept = try Self.kept([progress, output, ended], in: try TemporaryDirectory())
            #expect(kept.dropFirst().dropLast() == (isKept ? [output, ended] : [ended]))
        }
    }

    @Test func theStartAndTheEndOfLongOutputAreKept() throws {
        let chunk = Array(repeating: UInt8(ascii: "a"), count: 1024 * 10) + [UInt8(ascii: "\n")]
        let chunks = Array(repeating: OutputChunk(stream: .standardOutput, bytes: chunk), count: 200)
        let end = LaneEvent.Kind.stepEnded(StepEnd(name: "run", outcome: .passed, duration: .zero))
        let last = LaneEvent.Kind.stepOutput(OutputChunk(stream: .standardOutput, bytes: Array("last\n".utf8)))
        let kept = try Self.kept(chunks.map { .stepOutput($0) } + [last, end], in: try TemporaryDirectory())
        let output = kept.compactMap { if case .stepOutput(let chunk) = $0 { chunk.bytes } else { nil } }
        #expect(output.joined().count < 400 << 10)
        let text = String(decoding: output.last ?? [], as: UTF8.self)
        #expect(text.hasSuffix("last\n") && text.contains("bytes omitted"))
    }

    @Test func theOldestRunsAreRemoved() throws {
        let directory = try TemporaryDirectory()
        for number in 0..<110 {
            _ = try Self.kept([], startedAt: 1_764_000_000 + Double(number), in: directory)
            let expected = number < 109 ? number + 1 : 100
            #expect(try listDirectory("\(directory.path)/.lane/runs").count == expected)
        }
        #expect(try RunStore(root: directory.path).records().first?.startedAt == 1_764_000_010)
    }

    /// Each attempt at a step is a run of tests. An import of the same events adds nothing.
    @Test func resultsOfTestsAreAddedToThoseOfEarlierRuns() throws {
        let directory = try TemporaryDirectory()
        func ended(_ outcome: TestResult.Outcome) -> LaneEvent.Kind {
            .test(.ended(TestResult(test: Self.test, outcome: outcome, duration: .milliseconds(1))))
        }
        let quarantined = TestResult(
            test: Self.test, outcome: .skipped(reason: nil), duration: nil, attempt: 2, isExcused: true)
        let origin = TestOrigin(commit: "9f3c21a", isModified: true, machine: "linux-x86_64")
        let planned = LaneEvent.Kind.test(.planned([TestInfo(id: Self.test)]))
        let events: [LaneEvent.Kind] = [
            // A printed line may look like the end of the test.
            planned, ended(.passed), ended(.failed), .test(.finished), .test(.origin(origin)),
            .stepRetried(StepRetry(attempt: 1, attempts: 2, reason: "", delay: .zero)),
            planned, ended(.passed), .test(.ended(quarantined)), .test(.finished), .test(.origin(origin)),
            .stepEnded(StepEnd(name: "test", outcome: .passed, duration: .zero)),
        ]
        let kept = try Self.kept(events, in: directory)
        let runs = ResultStore(root: directory.path).runs()
        #expect(runs.map { $0.results.map(\.outcome) } == [[.failed], [.passed, .failed]])
        #expect(runs.map(\.origin) == [origin, origin])
        var collected = CollectedResults()
        for kind in kept { collected.add(LaneEvent(number: 1, offset: .zero, step: Self.step, kind: kind)) }
        #expect(collected.runs == runs)
        #expect(try ResultStore(root: directory.path).add(collected.runs) == 0)
    }

    /// The events of a run with a long log remain.
    @Test func longLogsOfEarlierRunsAreRemoved() throws {
        let directory = try TemporaryDirectory()
        let names: () throws -> [String] = { try listDirectory("\(directory.path)/.lane/runs") }
        let output = LaneEvent.Kind.stepOutput(OutputChunk(stream: .standardOutput, bytes: Array("a".utf8)))
        for number in 1...3 {
            _ = try Self.kept([output], startedAt: Double(number), in: directory)
            let log = try "\(directory.path)/.lane/runs/\(names()[number - 1])/logs/test.log"
            if number != 1 { #expect(log.withCString { truncate($0, 40 << 20) } == 0) }
        }
        _ = try Self.kept([output], startedAt: 4, in: directory)
        let hasLogs = try names().map { fileExists("\(directory.path)/.lane/runs/\($0)/logs") }
        #expect(hasLogs == [false, false, true, true])
        #expect(try RunStore(root: directory.path).records().count == 4)
    }

    /// The clock of the first run was wrong.
    @Test func theLastRunIsTheLatestAfterTheClockWentBack() throws {
        let directory = try TemporaryDirectory()
        for start in [1_764_090_000.0, 1_764_000_000, 1_764_000_001] {
            _ = try Self.kept([], startedAt: start, in: directory)
        }
        let starts = try RunStore(root: directory.path).records().map(\.startedAt)
        #expect(starts == [1_764_090_000, 1_764_000_000, 1_764_000_001])
    }

    /// The lane of another repository and a lane of the package.
    @Test func lanesWithSimilarNamesHaveTheirOwnRuns() throws {
        let directory = try TemporaryDirectory()
        let recorder = RunRecorder(RunStore(root: directory.path))
        recorder.receive(
            LaneEvent(
                number: 1, offset: .zero, step: nil,
                kind: .runStarted(RunStart(lane: "a/b", steps: [], startedAt: 1_764_000_000))), RunSummary())
        recorder.note(isDeferrable: false) { $0.member("step", "a") }
        let store = RunStore(root: directory.path)
        #expect(Array(store.notes(of: "a/b")).map(\.count) == [1])
        #expect(Array(store.notes(of: "a.b")).isEmpty)
    }

    @Test func aRunThatCannotBeWrittenIsNotKept() throws {
        let directory = try TemporaryDirectory()
        try directory.write("", to: ".lane")
        #expect(try Self.kept([], in: directory).isEmpty)
    }

    @Test func theLastRunOfALaneIsKept() throws {
        let directory = try TemporaryDirectory()
        for number in 0..<120 {
            _ = try Self.kept([], of: number < 2 ? "release" : "lane", startedAt: Double(number), in: directory)
        }
        let records = try RunStore(root: directory.path).records()
        #expect(records.filter { $0.lane == "release" }.map(\.startedAt) == [1])
        #expect(records.last?.startedAt == 119)
    }

    @Test func runsThatStartAtTheSameTimeHaveTheirOwnDirectories() throws {
        let directory = try TemporaryDirectory()
        let store = RunStore(root: directory.path)
        let recorders = [RunRecorder(store), RunRecorder(store)]
        for (index, recorder) in recorders.enumerated() {
            let start = LaneEvent.Kind.runStarted(RunStart(lane: "lane", steps: [], startedAt: 1))
            recorder.receive(LaneEvent(number: 1, offset: .zero, step: nil, kind: start), RunSummary())
            recorder.note(isDeferrable: false) { $0.member("index", index) }
        }
        #expect(try store.records().isEmpty)
        for recorder in recorders {
            let end = LaneEvent.Kind.runEnded(RunEnd(status: 0, duration: .zero))
            recorder.receive(LaneEvent(number: 2, offset: .zero, step: nil, kind: end), RunSummary())
        }
        #expect(try store.records().count == 2)
        #expect(store.notes(of: "lane").map { $0.map { $0["index"]?.integer } } == [[1], [0]])
        #expect(Array(store.notes(of: "lan")).isEmpty)
    }

    @Test func runsThatCannotBeListedAreAnError() throws {
        let directory = try TemporaryDirectory()
        #expect(try RunStore(root: directory.path).records().isEmpty)
        try makeDirectories("\(directory.path)/.lane")
        #expect(symlink("runs", "\(directory.path)/.lane/runs") == 0)
        #expect(throws: FileError("read", "\(directory.path)/.lane/runs", code: ELOOP)) {
            try RunStore(root: directory.path).records()
        }
    }

    /// Numbers out of range would crash `lane history`.
    @Test func invalidRecordsAreIgnored() throws {
        let directory = try TemporaryDirectory()
        let records = [
            #"{"event":"record","lane":"a","startedAt":1e300,"milliseconds":1,"status":0}"#,
            #"{"event":"record","lane":"a","startedAt":-1,"milliseconds":1,"status":0}"#,
            #"{"event":"record","lane":"a","startedAt":1,"milliseconds":9223372036854775807,"status":0}"#,
            #"{"event":"record","lane":"a","startedAt":1,"milliseconds":-1,"status":0}"#,
            #"{"event":"record","lane":"a","startedAt":1,"milliseconds":1"#,
            #"{"event":"record","lane":"b","startedAt":1,"milliseconds":1,"status":0}"#,
        ]
        for (index, record) in records.enumerated() {
            try directory.write(record, to: ".lane/runs/00000000000000\(index)-a/events.jsonl")
        }
        // A run that was killed before its first event.
        try makeDirectories("\(directory.path)/.lane/runs/000000000000009-a/logs")
        #expect(try RunStore(root: directory.path).records().map(\.lane) == ["b"])
        #expect(Array(RunStore(root: directory.path).notes(of: "a")).joined().isEmpty)
    }
}
