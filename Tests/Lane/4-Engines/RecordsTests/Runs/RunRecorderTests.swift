import Events
import OperatingSystem
import Records
import TestSupport
import Testing

@Suite struct RunRecorderTests {
    private static let test = TestID(library: .xctest, module: "App", suite: "ATests", name: "testOne")
    private static let step = StepID("lane/test")

    /// Records the events of a run, and returns those that are kept.
    private static func kept(
        _ kinds: [LaneEvent.Kind], startedAt: Double = 1_764_000_000, in directory: TemporaryDirectory
    ) throws -> [LaneEvent.Kind] {
        let store = PastRunStore(root: directory.path)
        let recorder = RunRecorder(store)
        let start = LaneEvent.Kind.runStarted(RunStart(lane: "lane", steps: [], startedAt: startedAt))
        let end = LaneEvent.Kind.runEnded(RunEnd(status: 0, duration: .seconds(1)))
        for (number, kind) in ([start] + kinds + [end]).enumerated() {
            recorder.receive(LaneEvent(number: number + 1, offset: .seconds(number), step: step, kind: kind))
        }
        let lines = try readFile(store.path(startedAt: startedAt)).split(separator: UInt8(ascii: "\n"))
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
            #expect(try listDirectory("\(directory.path)/.lane/past").count == expected)
        }
        #expect(try listDirectory("\(directory.path)/.lane/past").first == "001764000010000.jsonl")
    }

    @Test func aRunThatCannotBeWrittenIsNotKept() throws {
        let directory = try TemporaryDirectory()
        try directory.write("", to: ".lane")
        #expect(throws: FileError.self) { try Self.kept([], in: directory) }
    }
}
