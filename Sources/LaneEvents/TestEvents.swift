/// Which library a test is written with.
package enum TestLibrary: String, Sendable, Comparable {
    case xctest
    case swiftTesting = "swift-testing"

    package static func < (one: TestLibrary, other: TestLibrary) -> Bool { one.rawValue < other.rawValue }
}

/// Names one test: an XCTest method or a Swift Testing function.
package struct TestID: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// Two tests of one name in two libraries are two tests.
    package let library: TestLibrary
    /// Empty where a log does not tell it.
    package let module: String
    /// The class, or the suites from the outside in joined by `/`; empty for a free function.
    package let suite: String
    /// The method's name, or `function(labels:)`.
    package let name: String

    package init(library: TestLibrary, module: String, suite: String, name: String) {
        self.library = library
        self.module = module
        self.suite = suite
        self.name = name
    }

    /// By bytes, as they are hashed.
    package static func == (one: TestID, other: TestID) -> Bool {
        haveSameBytes(one.name, other.name) && haveSameBytes(one.suite, other.suite)
            && haveSameBytes(one.module, other.module) && one.library == other.library
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(NameHash(module, suite).appending(name)) }

    /// `Module.Suite/name`, leaving out what is empty.
    package var description: String {
        let path = suite.isEmpty ? name : "\(suite)/\(name)"
        return module.isEmpty ? path : "\(module).\(path)"
    }

    package static func < (one: TestID, other: TestID) -> Bool {
        (one.module, one.suite, one.name, one.library) < (other.module, other.suite, other.name, other.library)
    }
}

/// What is known of a test before it runs.
package struct TestInfo: Sendable, Equatable {
    /// What it is called everywhere.
    package let id: TestID
    /// The name its author gave it for people.
    package let displayName: String?
    /// Where it is written; `nil` where neither binary nor sources tell.
    package let location: SourceLocation?
    /// Whether it runs once for each of its arguments, and is one test all the same.
    package let isParameterized: Bool
    /// How long it took in earlier runs.
    package var usualDuration: Duration?

    package init(
        id: TestID, displayName: String? = nil, location: SourceLocation? = nil, isParameterized: Bool = false,
        usualDuration: Duration? = nil
    ) {
        self.id = id
        self.displayName = displayName
        self.location = location
        self.isParameterized = isParameterized
        self.usualDuration = usualDuration
    }

    /// With what only the other knows.
    func completed(by other: TestInfo) -> TestInfo {
        TestInfo(
            id: id, displayName: displayName ?? other.displayName, location: location ?? other.location,
            isParameterized: isParameterized || other.isParameterized,
            usualDuration: usualDuration ?? other.usualDuration)
    }
}

/// One thing that happened while tests ran.
///
/// Order: `planned` comes before the first `started` where the whole is known; `issue`, `argumentStarted` and `output`
/// of a test lie between its `started` and `ended`; `finished` is last. Retried tests have several `started`/`ended`
/// pairs with rising attempts. Every planned test has at least one `ended` before `finished`.
package enum TestEvent: Sendable, Equatable {
    /// Tests that will be accounted for; may come more than once and adds up.
    case planned([TestInfo])
    case started(TestID, attempt: Int, worker: Int)
    /// A parameterised test begins with this argument, as its library prints it.
    case argumentStarted(TestID, String)
    case issue(TestIssue)
    /// Bytes printed by a test, or by the test process where the test is not known.
    case output(TestID?, [UInt8])
    /// Still running after this long; repeated while it stays so.
    case slow(TestID, after: Duration)
    case ended(TestResult)
    /// So many more passed or failed, each at its first attempt; only of a log, where nothing needs their names.
    case counted(CountedTests)
    /// What a log's own summary of a run says, where the log named all tests of it, but not the suites that they are of.
    case totals(RunTotals)
    case finished
}

/// What tells of a run whose tests ran side by side and are of suites that nobody knows.
package struct RunTotals: Sendable, Equatable {
    /// Which library told.
    package let library: TestLibrary
    /// 0 where they were not counted.
    package let suites: Int
    /// From the beginning of the run to its end.
    package let duration: Duration

    package init(library: TestLibrary, suites: Int, duration: Duration) {
        self.library = library
        self.suites = suites
        self.duration = duration
    }
}

/// Tests of one suite, by their number alone.
package struct CountedTests: Sendable, Equatable {
    /// The one suite that they are all of.
    package let suite: SuiteID
    package let passed: Int
    package let failed: Int
    /// Their times added up.
    package let duration: Duration

    package init(suite: SuiteID, passed: Int, failed: Int = 0, duration: Duration) {
        self.suite = suite
        self.passed = passed
        self.failed = failed
        self.duration = duration
    }
}

/// Something a test recorded, or that was found out about it.
package struct TestIssue: Sendable, Equatable {
    /// What it means for the test.
    package enum Severity: String, Sendable {
        case failure
        /// Expected to fail, and did.
        case known
        case warning
    }

    /// `nil` where it belongs to the run and to no test.
    package let test: TestID?
    /// Only a `failure` makes the test fail.
    package let severity: Severity
    /// Whole and unshortened; may be many lines.
    package let text: String
    /// Where it happened; `nil` where the library did not say.
    package let location: SourceLocation?
    /// The argument of a parameterised test with which it happened.
    package let argument: String?

    package init(
        test: TestID?, severity: Severity = .failure, text: String, at location: SourceLocation? = nil,
        argument: String? = nil
    ) {
        self.test = test
        self.severity = severity
        self.text = text
        self.location = location
        self.argument = argument
    }
}

/// How one attempt at a test ended.
package struct TestResult: Sendable, Equatable {
    /// How it came to its end, or why it did not.
    package enum Outcome: Sendable, Equatable {
        case passed
        case failed
        case skipped(reason: String?)
        /// The process ended in the middle of the test: `signal 4 (SIGILL)`, `exit status 3`.
        case crashed(how: String)
        case timedOut(after: Duration)
        /// Listed but never begun, and why.
        case notRun(reason: String)
    }

    /// Whose attempt it was.
    package let test: TestID
    /// How this attempt ended; a later one may end otherwise.
    package let outcome: Outcome
    /// `nil` where nothing was measured.
    package let duration: Duration?
    /// From 1.
    package let attempt: Int

    package init(test: TestID, outcome: Outcome, duration: Duration?, attempt: Int = 1) {
        self.test = test
        self.outcome = outcome
        self.duration = duration
        self.attempt = attempt
    }
}
