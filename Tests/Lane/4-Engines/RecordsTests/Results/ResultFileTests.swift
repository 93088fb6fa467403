import Events
import OperatingSystem
import TestSupport
import Testing

@testable import Records

@Suite struct ResultFileTests {
    private func log(_ kinds: [LaneEvent.Kind], step: (Int) -> StepID? = { _ in nil }) -> [UInt8] {
        var encoder = EventLineEncoder()
        return kinds.enumerated().flatMap { index, kind in
            encoder.line(for: LaneEvent(number: index + 1, offset: .zero, step: step(index), kind: kind))
        }
    }

    private let start = LaneEvent.Kind.runStarted(RunStart(lane: "test", steps: [], startedAt: 7))
    private let ending = LaneEvent.Kind.runEnded(RunEnd(status: 1, duration: .zero))

    private func end(_ number: Int, _ outcome: TestResult.Outcome, attempt: Int = 1) -> LaneEvent.Kind {
        .test(.ended(TestResult(test: test(number), outcome: outcome, duration: nil, attempt: attempt)))
    }

    @Test func anEventLogContainsAttempts() throws {
        let bytes = log([
            start, .test(.planned([TestInfo(id: test(1)), TestInfo(id: test(2))])), end(1, .failed),
            end(2, .notRun(reason: "stopped")), end(1, .passed, attempt: 2), ending,
        ])
        let runs = try #require(try ResultFile.runs(in: bytes, commit: "abc"))
        #expect(
            runs == [
                TestRunResults(
                    startedAt: 7, origin: TestOrigin(commit: "abc"),
                    results: [
                        AttemptResult(test: test(1), outcome: .failed),
                        AttemptResult(test: test(1), outcome: .passed, attempt: 2),
                    ])
            ])
        #expect(try ResultFile.runs(in: bytes + bytes, commit: nil)?.count == 2)
    }

    /// Two steps may run the same tests, and a converted log may contain several tests of the same name.
    @Test func equalNamesAreNotAttempts() throws {
        let plan = LaneEvent.Kind.test(.planned([TestInfo(id: test(1))]))
        let steps = log([start, plan, end(1, .failed), plan, end(1, .passed), ending]) { index in
            (1...4).contains(index) ? StepID(index < 3 ? "a" : "b") : nil
        }
        #expect(
            try ResultFile.runs(in: steps, commit: nil)?.map { $0.results.map(\.outcome) } == [[.failed], [.passed]])
        let names = log([start, end(1, .passed), end(1, .failed, attempt: 2), end(1, .passed, attempt: 3), ending])
        #expect(
            try ResultFile.runs(in: names, commit: nil)?.map(\.results)
                == [[AttemptResult(test: test(1), outcome: .failed)]])
    }

    @Test func everyPrefixOfAnEventLogIsRefused() throws {
        let bytes = log([start, end(1, .failed), end(2, .passed), ending])
        for count in 9..<bytes.count {
            #expect(throws: ResultFileError.self, "\(count)") {
                try ResultFile.runs(in: Array(bytes.prefix(count)), commit: nil)
            }
        }
    }

    @Test(arguments: ["{", "garbage", "\n{\"event\":\"testEnded\",\"number\":5}\n"])
    func otherTextAfterAnEventLogIsRefused(_ text: String) {
        let bytes = log([start, end(1, .failed), ending]) + Array(text.utf8)
        #expect(throws: ResultFileError.self) { try ResultFile.runs(in: bytes, commit: nil) }
    }

    @Test func aLogWithoutALineIsRefused() {
        let lines = log([start, end(1, .failed), end(1, .passed, attempt: 2), ending]).split(separator: 0x0A)
        for missing in 0..<4 {
            let bytes = lines.enumerated().filter { $0.offset != missing }.flatMap { $0.element + [0x0A] }
            #expect(throws: ResultFileError.self, "\(missing)") { try ResultFile.runs(in: bytes, commit: nil) }
        }
    }

    @Test func everyPrefixOfAHistoryFileIsRefused() throws {
        let place = try TemporaryDirectory()
        let store = ResultStore(path: "\(place.path)/results")
        for number in 1...2 {
            let results = [AttemptResult(test: test(number), outcome: .passed)]
            try store.add([TestRunResults(startedAt: Double(number), results: results)])
        }
        let bytes = try readFile("\(place.path)/results")
        #expect(try ResultFile.runs(in: bytes, commit: nil)?.count == 2)
        var known: Set<UInt64> = []
        let first = TestRunResults(startedAt: 1, results: [AttemptResult(test: test(1), outcome: .passed)])
        let whole = RunBlock.encode(first, known: &known)
        for count in 4..<bytes.count where count != whole.count {
            #expect(throws: ResultFileError.self, "\(count)") {
                try ResultFile.runs(in: Array(bytes.prefix(count)), commit: nil)
            }
        }
    }

    @Test(arguments: ["", "hello", "<testsuite/>", "{}", "\u{FEFF}"])
    func otherFilesHaveNoFormat(_ text: String) throws {
        #expect(try ResultFile.runs(in: Array(text.utf8), commit: nil) == nil)
    }
}
