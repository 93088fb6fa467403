import Events

/// The counts of tests whose names are not reported: passed tests, and failed tests after the first hundreds.
///
/// The slowest of the passed tests are reported by name.
struct TestTally: Sendable {
    private var suite: SuiteID
    private var passed = 0
    private var failed = 0
    private var duration = Duration.zero
    /// The longest durations so far, unordered.
    private var longest = [Duration](repeating: .zero, count: 10)
    private var leastOfLongest = Duration.zero
    /// The number of further failed tests that are reported by name.
    var failuresToName = Int.max

    init(library: TestLibrary) {
        suite = SuiteID(library: library, module: "", suite: "")
    }

    /// A Boolean value that indicates whether the next failed test is reported by name with its issues.
    var namesFailures: Bool { failuresToName > 0 }

    /// Counts a passed test. Returns `false` for one of the slowest tests, which is not counted.
    @inline(__always)
    mutating func addPassed(_ test: TestID, _ time: Duration, _ emit: (TestEvent) -> Void) -> Bool {
        if time > leastOfLongest {
            remember(time)
            return false
        }
        enter(test, emit)
        passed += 1
        duration += time
        return true
    }

    /// Counts a failed test without emitting its events.
    mutating func addFailed(_ test: TestID, _ time: Duration, _ emit: (TestEvent) -> Void) {
        enter(test, emit)
        failed += 1
        duration += time
    }

    @inline(__always)
    private mutating func enter(_ test: TestID, _ emit: (TestEvent) -> Void) {
        guard suite.suite != test.suite || suite.module != test.module else { return }
        flush(emit)
        suite = SuiteID(test)
    }

    mutating func flush(_ emit: (TestEvent) -> Void) {
        guard passed + failed > 0 else { return }
        emit(.counted(CountedTests(suite: suite, passed: passed, failed: failed, duration: duration)))
        (passed, failed) = (0, 0)
        duration = .zero
    }

    private mutating func remember(_ time: Duration) {
        guard let least = longest.firstIndex(of: leastOfLongest) else { return }
        longest[least] = time
        leastOfLongest = longest.min() ?? .zero
    }
}
