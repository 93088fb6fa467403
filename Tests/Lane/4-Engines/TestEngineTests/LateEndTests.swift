import Events
import OperatingSystem
import Testing

@testable import TestEngine

@Suite("Tests that end after their time limit")
struct LateEndTests {
    private static let test = TestID(library: .xctest, module: "M", suite: "S", name: "test")

    private static func progress(of count: Int, threads: Int) -> BatchProgress {
        let items = (0..<count).map { WorkItem(test: $0) }
        let batch = Batch(items: items, binary: 0, library: .swiftTesting, isSerial: false)
        var progress = BatchProgress(batch, threads: threads)
        for item in items { _ = progress.begin(item, at: .zero) }
        _ = progress.check(at: .seconds(2)) { _ in TestTimes(timeout: .seconds(2)) }
        return progress
    }

    private static func end(_ progress: inout BatchProgress, after duration: Duration?) -> Bool {
        let result = TestResult(test: test, outcome: .passed, duration: duration, attempt: 1)
        return progress.end(result, WorkItem(test: 0), limit: .seconds(2), at: .seconds(3))
    }

    @Test(
        "An end while the stacks are read does not count, unless the test was in time",
        arguments: [(2_016, false), (nil, false), (1_999, true)] as [(Int?, Bool)])
    func late(_ milliseconds: Int?, counts: Bool) {
        var progress = Self.progress(of: 1, threads: 2)
        #expect(Self.end(&progress, after: milliseconds.map { .milliseconds($0) }) == counts)
        #expect(progress.running.isEmpty == counts)
    }

    @Test("In a crowded process, the test may have waited for a thread, so its end counts")
    func crowded() {
        var progress = Self.progress(of: 3, threads: 2)
        #expect(Self.end(&progress, after: .seconds(3)))
    }

    @Test("A late test is the cause, unless its process crashed")
    func cause() {
        let progress = Self.progress(of: 1, threads: 2)
        func late(_ termination: ExitReport.Termination, _ stop: ExitReport.Stop?) -> Set<Int> {
            progress.late(after: ExitReport(termination: termination, stoppedBy: stop, duration: .seconds(3)))
        }
        #expect(late(.exited(0), nil) == [0] && late(.exited(1), nil) == [0] && late(.signalled(15), .cancelled) == [0])
        #expect(late(.signalled(11), nil).isEmpty && late(.exited(3), nil).isEmpty)
    }

    @Test(
        "Output belongs to a test if no other one ended shortly before",
        arguments: [
            // The times of outputs after the end of the other test.
            ([0], nil), ([19], nil), ([21], 1), ([500], 1),
            // A backlog, and later output.
            ([5, 24, 43], nil), ([5, 24, 45], 1),
        ] as [([Int], Int?)])
    func author(_ outputs: [Int], _ author: Int?) {
        var progress = Self.progress(of: 2, threads: 2)
        #expect(progress.author(ofOutputAt: .seconds(2)) == nil)
        #expect(Self.end(&progress, after: .seconds(1)))
        let authors = outputs.map { progress.author(ofOutputAt: .milliseconds(3_000 + $0)) }
        #expect(authors.last == author)
    }
}
