import Events
import OperatingSystem
import Synchronization
import TestSupport
import Testing
import Text

@testable import TestEngine

/// Tests of binaries that crash when the tests of one library are listed.
@Suite struct HalfListedTests {
    private let place: TemporaryDirectory

    init() throws {
        place = try TemporaryDirectory()
        try place.write("binary", to: "\(FixturePackage.scratch)/debug/P.xctest")
        try place.write(
            #"{"builtTestProducts" : [ {"binaryPath" : "\#(place.path)/\#(FixturePackage.scratch)/debug/P.xctest"} ]}"#,
            to: "\(FixturePackage.scratch)/debug/description.json")
    }

    private let notListed = TestEngineFailure.cannotList(
        binary: "\(FixturePackage.scratch)/debug/P.xctest", reason: "signal 4 (SIGILL)\nFatal error: boom",
        at: Events.SourceLocation(path: "M/A.swift", line: 4))

    private func engine(
        _ binary: HalfBinary, history: TestHistory? = nil, filter: [String] = [],
        told: @escaping @Sendable (LaneEvent.Kind) -> Void = { _ in }
    ) -> TestEngine {
        var options = TestOptions()
        options.build.isSkipped = true
        options.throughSwiftTest = false
        options.choice.filter = filter
        return TestEngine(
            options: options, package: place.path, environment: FixturePackage.environment, processes: binary,
            cancellation: Cancellation(), history: history, events: EventClosure(told))
    }

    @Test(arguments: [HalfBinary.Half.xctest, .swiftTesting])
    func theOtherHalfRunsAndTheRunFails(_ broken: HalfBinary.Half) throws {
        let binary = HalfBinary(broken: [broken])
        let events = Mutex<[LaneEvent.Kind]>([])
        let verdict = try engine(binary, told: { event in events.withLock { $0.append(event) } }).run()
        #expect(verdict.status == .testCrashed)
        #expect(verdict.counts.planned == 1 && verdict.counts.passed == 1)
        let issues = events.withLock { $0 }.compactMap { event -> TestIssue? in
            guard case .test(.issue(let issue)) = event else { return nil }
            return issue
        }
        #expect(issues.count == 1)
        let issue = try #require(issues.first)
        #expect(issue.test == nil && issue.severity == .failure)
        #expect(
            issue.text == """
                '\(FixturePackage.scratch)/debug/P.xctest' does not list its tests: signal 4 (SIGILL)
                Fatal error: boom
                """)
        #expect(issue.location?.path == "M/A.swift" && issue.location?.line == 4)
    }

    @Test func failedListsAreNotCached() throws {
        let binary = HalfBinary(broken: [.xctest])
        _ = try engine(binary).run()
        let once = binary.listings
        _ = try engine(binary).run()
        #expect(binary.listings == 2 * once)
        #expect(try !listDirectory("\(place.path)/\(FixturePackage.scratch)").contains { $0.hasSuffix(".list") })
    }

    @Test func nothingListedAtAllIsAnError() throws {
        #expect(throws: notListed) { try engine(HalfBinary(broken: [.xctest, .swiftTesting])).run() }
    }

    @Test func aListOfAPartIsAnError() throws {
        #expect(throws: notListed) { try engine(HalfBinary(broken: [.xctest])).list() }
    }

    @Test func outputBetweenTestsIsIgnored() throws {
        let binary = HalfBinary(
            broken: [], cases: "Listing 2 tests in P.xctest:\n\nM.C/testA\nready\nM.C/testB\nand gone\n")
        #expect(try engine(binary).list().tests.map(\.info.id.name) == ["testA", "testB", "b()"])
    }

    @Test(arguments: ["Listing 2 tests in P.xctest:\n\nM.C/testA\nready\n", "Listing -1 tests in P.xctest:\n\n"])
    func aListThatIsNotWholeIsAnError(_ cases: String) throws {
        #expect(throws: TestEngineFailure.self) { try engine(HalfBinary(broken: [], cases: cases)).list() }
    }

    @Test func filtersNeedCompleteLists() throws {
        let engine = engine(HalfBinary(broken: [.xctest]), filter: ["testA"])
        #expect(throws: notListed) { try engine.run() }
    }

    @Test func historyOfUnlistedTestsIsKept() throws {
        let history = TestHistory(path: "\(place.path)/tests.history")
        let unlisted = TestID(library: .xctest, module: "M", suite: "C", name: "testA")
        history.record(TestResult(test: unlisted, outcome: .failed, duration: .seconds(1), attempt: 1))
        _ = try engine(HalfBinary(broken: [.xctest]), history: history).run()
        #expect(history.isOutstanding(unlisted))
    }
}

/// Simulates a test binary with one test of each library, some of which crash when they are listed.
final class HalfBinary: ProcessRunner {
    enum Half: Sendable {
        case xctest, swiftTesting
    }

    private let broken: Set<Half>
    private let cases: String
    private let counter = Atomic(0)

    init(broken: Set<Half>, cases: String = "Listing 1 tests in P.xctest:\n\nM.C/testA\n") {
        self.broken = broken
        self.cases = cases
    }

    var listings: Int { counter.load(ordering: .relaxed) }

    func run(
        _ command: Command, limits: RunLimits, output: (OutputSource, UnsafeRawBufferPointer) -> Void
    ) throws(SpawnError) -> ExitReport {
        let half = command.arguments.contains("swift-testing") ? Half.swiftTesting : .xctest
        let isListing = command.arguments.contains("--list-tests")
        if isListing { counter.wrappingAdd(1, ordering: .relaxed) }
        func print(_ text: String, to source: OutputSource = .standardOutput) {
            Array(text.utf8).withUnsafeBytes { output(source, $0) }
        }
        if isListing, broken.contains(half) {
            print("M/A.swift:4: Fatal error: boom\n\n", to: .standardError)
            return ExitReport(termination: .signalled(4), duration: .zero)
        }
        switch half {
        case .xctest where isListing: print(cases)
        case .xctest:
            print(
                """
                Test Suite 'C' started at 2026-01-01 00:00:00.000
                Test Case 'C.testA' started at 2026-01-01 00:00:00.000
                Test Case 'C.testA' passed (0.001 seconds)
                Test Suite 'C' passed at 2026-01-01 00:00:00.001

                """)
        case .swiftTesting: stream(isListing ? Self.tests : Self.tests + Self.events, of: command)
        }
        return ExitReport(termination: .exited(0), duration: .zero)
    }

    private static let tests = [
        #""kind":"suite","id":"M.`a\/b`\/Inner","displayName":"Dis play""#,
        #""kind":"function","name":"b()","id":"M.`a\/b`\/Inner\/b()\/B.swift:1:2","isParameterized":false"#,
        #""kind":"suite","id":"M.`a\/b`","displayName":"a\/b""#,
    ].map { #"{"version":"6.3","kind":"test","payload":{\#($0)}}"# }
    private static let events = ["testStarted", "testEnded", "runEnded"].map { kind in
        #"{"version":"6.3","kind":"event","payload":{"kind":"\#(kind)","testID":"M.`a/b`/Inner/b()/B.swift:1:2","messages":[]}}"#
    }

    /// Writes to the pipe of the event stream.
    private func stream(_ lines: [String], of command: Command) {
        let option = command.arguments.firstIndex(of: "--event-stream-output-path")
        guard let option else { return }
        try? appendToFile(Array((lines.joined(separator: "\n") + "\n").utf8), command.arguments[option + 1])
    }
}
