import Events
import OperatingSystem
import TestSupport
import Testing

@testable import Records

@Suite struct ResultStoreTests {
    private func store(_ directory: TemporaryDirectory, maximumSize: Int = 1 << 20) -> ResultStore {
        ResultStore(path: "\(directory.path)/results", maximumSize: maximumSize)
    }

    private func run(_ time: Double, _ tests: Range<Int> = 0..<3) -> TestRunResults {
        TestRunResults(
            startedAt: time, origin: TestOrigin(commit: "0123456789abcdef", machine: "linux-x86_64"),
            results: tests.map { AttemptResult(test: test($0), outcome: .passed, microseconds: $0 * 1000) })
    }

    @Test func runsComeBackAsTheyWere() throws {
        let directory = try TemporaryDirectory()
        let runs = [
            TestRunResults(
                startedAt: 1_790_000_000.25,
                origin: TestOrigin(commit: "0123456789abcdef", isModified: true, machine: "linux-x86_64"),
                results: [
                    AttemptResult(test: test(1), outcome: .failed, attempt: 1, microseconds: 12),
                    AttemptResult(test: test(1), outcome: .passed, attempt: 2, microseconds: nil),
                    AttemptResult(test: test(1, .xctest), outcome: .crashed),
                    AttemptResult(test: test(2), outcome: .timedOut, attempt: 31, microseconds: 4_000_000_000),
                ]),
            TestRunResults(
                startedAt: 1_790_000_001,
                results: [
                    AttemptResult(
                        test: TestID(library: .xctest, module: "", suite: "", name: "ümlaut\u{0}"), outcome: .skipped)
                ]),
        ]
        #expect(try store(directory).add(runs) == 2)
        #expect(store(directory).runs() == runs)
    }

    @Test func aThousandTestsTakeAtMostTwentyBytesForAResult() throws {
        let directory = try TemporaryDirectory()
        let store = store(directory, maximumSize: 8 << 20)
        try store.add((0..<60).map { run(Double($0), 0..<1000) })
        #expect(try fileSize("\(directory.path)/results") <= 20 * 60_000)
        #expect(store.runs().count == 60)
    }

    @Test func aRunIsAddedOnce() throws {
        let directory = try TemporaryDirectory()
        #expect(try store(directory).add([run(1), run(2)]) == 2)
        #expect(try store(directory).add([run(2), run(3)]) == 1)
        #expect(store(directory).runs().map(\.startedAt) == [1, 2, 3])
    }

    @Test func runsWithoutResultsAreNotAdded() throws {
        let directory = try TemporaryDirectory()
        #expect(try store(directory).add([run(1, 0..<0)]) == 0)
        #expect(!fileExists("\(directory.path)/results"))
    }

    /// A killed process leaves the beginning of a block. The names in it are written again by the next run.
    @Test func anIncompleteBlockCostsOnlyItsRun() throws {
        let directory = try TemporaryDirectory()
        try store(directory).add([run(1, 0..<2)])
        let whole = try readFile("\(directory.path)/results")
        try store(directory).add([run(2, 0..<4)])
        let both = try readFile("\(directory.path)/results")
        for end in stride(from: whole.count, to: both.count, by: 7) {
            try writeFile(Array(both[..<end]), to: "\(directory.path)/results")
            try store(directory).add([run(3, 0..<4)])
            #expect(store(directory).runs() == [run(1, 0..<2), run(3, 0..<4)], "cut at \(end)")
        }
    }

    @Test func noDamageStopsTheReader() throws {
        let directory = try TemporaryDirectory()
        try store(directory).add([run(1), run(2), run(3)])
        let bytes = try readFile("\(directory.path)/results")
        checkProperty(
            "a changed byte costs at most the runs after a lost name",
            Generator<Int>.integer(in: 0...(bytes.count - 1))
        ) { place in
            var damaged = bytes
            damaged[place] ^= 0xFF
            let times = ResultStore.runs(in: damaged).map(\.startedAt)
            return times.count == 2 && times.allSatisfy { [1, 2, 3].contains($0) }
        }
    }

    @Test func theOlderRunsAreRemovedFromALargeFile() throws {
        let directory = try TemporaryDirectory()
        let store = store(directory, maximumSize: 20_000)
        for number in 0..<200 { try store.add([run(Double(number), 0..<20)]) }
        let runs = store.runs()
        #expect(try fileSize("\(directory.path)/results") <= 20_000)
        #expect(runs.count > 20)
        #expect(runs == (200 - runs.count..<200).map { run(Double($0), 0..<20) })
    }

    @Test func processesMayAppendAtOnce() async throws {
        let directory = try TemporaryDirectory()
        await withTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                group.addTask {
                    for number in 0..<10 {
                        _ = try? store(directory).add([run(Double(writer * 100 + number), writer..<(writer + 3))])
                    }
                }
            }
        }
        let runs = store(directory).runs()
        #expect(runs.count == 40)
        #expect(runs.allSatisfy { $0.results.count == 3 })
    }
}
