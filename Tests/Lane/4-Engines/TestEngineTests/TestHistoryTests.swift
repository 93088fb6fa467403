import Events
import TestEngine
import TestSupport
import Testing

@Suite struct TestHistoryTests {
    private let test = TestID(library: .swiftTesting, module: "M", suite: "A/`raw suite`", name: "f(_:) F.swift:1:2")
    private let other = TestID(library: .xctest, module: "M", suite: "C", name: "testX")

    @Test func savedHistoryIsRestored() throws {
        let place = try TemporaryDirectory()
        let path = "\(place.path)/deep/tests.history"
        let history = TestHistory(path: path)
        history.record(TestResult(test: test, outcome: .failed, duration: .microseconds(1500)))
        history.record(TestResult(test: other, outcome: .crashed(how: "x"), duration: nil))
        try history.save()
        let again = TestHistory(path: path)
        #expect(again.duration(of: test) == .microseconds(1500))
        #expect(again.isOutstanding(test))
        #expect(again.duration(of: other) == nil)
        #expect(again.isOutstanding(other))
        #expect(again.fingerprint == history.fingerprint)
    }

    @Test func passedTestsAreNotOutstanding() {
        let history = TestHistory(path: "/nowhere")
        history.record(TestResult(test: test, outcome: .notRun(reason: ""), duration: nil))
        #expect(history.isOutstanding(test))
        history.record(TestResult(test: test, outcome: .passed, duration: .seconds(2)))
        #expect(!history.isOutstanding(test))
        history.record(TestResult(test: test, outcome: .passed, duration: .seconds(4)))
        #expect(history.duration(of: test) == .seconds(3))
    }

    @Test func aPartOfARunLeavesTheTimesAsTheyAre() {
        let history = TestHistory(path: "/nowhere")
        history.record(TestResult(test: test, outcome: .passed, duration: .seconds(2)))
        let before = history.fingerprint
        for id in [test, other] {
            history.record(TestResult(test: id, outcome: .failed, duration: .seconds(4)), keepsTimes: true)
        }
        #expect(history.duration(of: test) == .seconds(2))
        #expect(history.isOutstanding(test))
        #expect(history.fingerprint == before)
    }

    @Test func resultsOfARunReplaceTestsThatAreGone() {
        let third = TestID(library: .xctest, module: "M", suite: "C", name: "testY")
        func results(_ tests: [TestID]) -> TestHistory {
            let results = TestHistory()
            for id in tests { results.record(TestResult(test: id, outcome: .passed, duration: .seconds(2))) }
            return results
        }
        let history = TestHistory()
        history.add(results([test, other, third]), keeping: [])
        #expect(history.text == results([third, other, test]).text)
        history.add(results([test]), keeping: nil)
        #expect(history.text == results([test, other, third]).text)
        history.add(results([test]), keeping: [other])
        #expect(history.text == results([test, other]).text)
    }

    @Test func testsThatAreGoneAreForgotten() {
        let history = TestHistory(path: "/nowhere")
        for id in [test, other] { history.record(TestResult(test: id, outcome: .failed, duration: nil)) }
        #expect(history.fingerprint == nil)
        history.keep(only: [other])
        #expect(!history.isOutstanding(test))
        #expect(history.isOutstanding(other))
    }

    @Test(arguments: ["9223372036854775807", "-1"])
    func aTimeThatNoTestHasTakenIsNone(_ microseconds: String) throws {
        let place = try TemporaryDirectory()
        let text = "lane test history 1\nx \(microseconds) - M\tC\ttestX\n"
        let history = TestHistory(path: try place.write(text, to: "tests.history"))
        #expect(history.duration(of: other) == nil)
        history.record(TestResult(test: other, outcome: .passed, duration: .seconds(2)))
        #expect(history.duration(of: other) == .seconds(2))
    }

    @Test(arguments: ["", "something else", "lane test history 1\nx\nx y z\nx 1 !", "lane test history 1\n\u{0}\u{1F}"])
    func aDamagedFileCountsAsNone(_ text: String) throws {
        let place = try TemporaryDirectory()
        let history = TestHistory(path: try place.write(text, to: "tests.history"))
        #expect(!history.isOutstanding(other))
        #expect(history.duration(of: other) == nil)
    }
}
