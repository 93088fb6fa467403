import LaneEvents

/// Adds up tests that passed, where nobody needs their names. Those that took longest keep their names all the same, for
/// the list of the slowest.
struct PassedTally: Sendable {
    private var suite: SuiteID
    private var count = 0
    private var duration = Duration.zero
    /// The longest times so far, unordered.
    private var longest = [Duration](repeating: .zero, count: 10)
    private var leastOfLongest = Duration.zero

    init(library: TestLibrary) {
        suite = SuiteID(library: library, module: "", suite: "")
    }

    /// Counts the test, unless its time makes it one to be named.
    @inline(__always)
    mutating func add(_ test: TestID, _ time: Duration, _ emit: (TestEvent) -> Void) -> Bool {
        if time > leastOfLongest {
            remember(time)
            return false
        }
        if suite.suite != test.suite || suite.module != test.module {
            flush(emit)
            suite = SuiteID(test)
        }
        count += 1
        duration += time
        return true
    }

    mutating func flush(_ emit: (TestEvent) -> Void) {
        guard count > 0 else { return }
        emit(.passed(PassedTests(suite: suite, count: count, duration: duration)))
        count = 0
        duration = .zero
    }

    private mutating func remember(_ time: Duration) {
        guard let least = longest.firstIndex(of: leastOfLongest) else { return }
        longest[least] = time
        leastOfLongest = longest.min() ?? .zero
    }
}
