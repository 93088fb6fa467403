import Events
import OperatingSystem
import Synchronization
import Text
import ToolOutput

/// The events that the observer in a test process writes.
final class XCTestRecords: Sendable {
    private struct State {
        var lines = LineSplitter(longest: 1 << 24)
        var hasBegun = false
        var ended: Set<TestID> = []
    }

    private let root: String
    private let worker: Int
    /// The tests by their names in XCTest.
    private let tests: [String: TestID]
    private let state = Mutex(State())

    init(root: String, worker: Int, tests: [ListedTest]) {
        self.root = root
        self.worker = worker
        self.tests = Dictionary(
            tests.flatMap { test in test.printedNames.map { ($0, test.parserID) } },
            uniquingKeysWith: { first, _ in first })
    }

    /// A Boolean value that indicates whether the observer has written anything.
    var hasBegun: Bool { state.withLock { $0.hasBegun } }

    /// Parses the next bytes and emits their events. Chunks can end anywhere.
    func consume(_ bytes: UnsafeRawBufferPointer, _ emit: (TestEvent) -> Void) {
        state.withLock { state in
            state.lines.consume(bytes) { line, _ in
                guard let record = try? JSONParser.parse(Array(line)) else { return }
                state.hasBegun = true
                guard let event = event(record) else { return }
                emit(event)
                if case .ended(let result) = event { state.ended.insert(result.test) }
                if case .issue(let issue) = event, let test = issue.test, state.ended.contains(test) {
                    // A late failure.
                    emit(.ended(TestResult(test: test, outcome: .failed, duration: nil)))
                }
            }
        }
    }

    private func event(_ record: JSONNode) -> TestEvent? {
        guard let test = record["test"]?.string.flatMap({ tests[$0] }) else { return nil }
        switch record["event"]?.string {
        case "started": return .started(test, attempt: 1, worker: worker)
        case "issue":
            // XCTest reports no location for an error that a test throws.
            let file = record["file"]?.string.flatMap { $0.hasPrefix("/") ? $0 : nil }
            let location = file.map {
                SourceLocation(path: relativePath($0, to: root), line: record["line"]?.integer ?? 0)
            }
            return .issue(TestIssue(test: test, text: record["text"]?.string ?? "", at: location))
        case "ended":
            let outcome: TestResult.Outcome =
                switch record["outcome"]?.string {
                case "passed": .passed
                case "skipped": .skipped(reason: nil)
                default: .failed
                }
            let duration = record["seconds"]?.number.map { Duration.seconds($0) }
            return .ended(TestResult(test: test, outcome: outcome, duration: duration))
        default: return nil
        }
    }
}
