import Text

/// The library of a test.
package enum TestLibrary: String, Sendable, Comparable {
    case xctest
    case swiftTesting = "swift-testing"

    package static func < (one: TestLibrary, other: TestLibrary) -> Bool { one.rawValue < other.rawValue }
}

/// The identifier of a test: an XCTest method or a Swift Testing function.
package struct TestID: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The library. Tests of the same name in two libraries are different tests.
    package let library: TestLibrary
    /// The module, or an empty string if a log does not name it.
    package let module: String
    /// The class, or the nested suites joined by `/`. Empty for a free function.
    package let suite: String
    /// The name of the method, or `function(labels:)`.
    package let name: String

    package init(library: TestLibrary, module: String, suite: String, name: String) {
        self.library = library
        self.module = module
        self.suite = suite
        self.name = name
    }

    /// Compares the bytes of the names, which are also hashed.
    package static func == (one: TestID, other: TestID) -> Bool {
        haveSameBytes(one.name, other.name) && haveSameBytes(one.suite, other.suite)
            && haveSameBytes(one.module, other.module) && one.library == other.library
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(NameHash(module, suite).appending(name)) }

    /// A hash of the library and the names that is the same on all machines.
    package var key: UInt64 { StableHash(of: "\(library.rawValue) \(module)\t\(suite)\t\(name)").value }

    /// The name `Module.Suite/name` without empty parts.
    package var description: String {
        let path = suite.isEmpty ? name : "\(suite)/\(name)"
        return module.isEmpty ? path : "\(module).\(path)"
    }

    package static func < (one: TestID, other: TestID) -> Bool {
        (one.module, one.suite, one.name, one.library) < (other.module, other.suite, other.name, other.library)
    }
}

/// The properties of a test that the source or an earlier run determines.
package struct TestInfo: Sendable, Equatable {
    package let id: TestID
    /// The display name in the source.
    package let displayName: String?
    /// The location of the declaration, or `nil` if it is unknown.
    package var location: SourceLocation?
    /// A Boolean value that indicates whether the test runs once for each of its arguments. All runs count as one test.
    package let isParameterized: Bool
    /// The duration in earlier runs.
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

    /// The display name, or `nil` if it only repeats a name in backquotes.
    package var title: String? { displayName.flatMap { id.name.hasPrefix("`\($0)`(") ? nil : $0 } }

    /// Returns the test with missing properties copied from `other`.
    func completed(by other: TestInfo) -> TestInfo {
        TestInfo(
            id: id, displayName: displayName ?? other.displayName, location: location ?? other.location,
            isParameterized: isParameterized || other.isParameterized,
            usualDuration: usualDuration ?? other.usualDuration)
    }
}

/// An event of the tests of a step.
///
/// `sharded` and `planned` are before the first `started` if all tests are known. `issue`, `attached`, `argumentStarted` and `output` of a test
/// are between its `started` and `ended`. `finished` is last. A retried test has a pair of `started` and `ended` for
/// each attempt. Every planned test has at least one `ended` before `finished`.
package enum TestEvent: Sendable, Equatable {
    /// The planned tests are the part of one of several machines.
    case sharded(TestShard)
    /// Tests to run. Several `planned` events add up.
    case planned([TestInfo])
    case started(TestID, attempt: Int, worker: Int)
    /// The start of a parameterized test with an argument, as the library prints it.
    case argumentStarted(TestID, String)
    case issue(TestIssue)
    /// A file that a test attached, by its path relative to the package's root.
    case attached(TestID, path: String)
    /// Bytes that a test printed. The test is `nil` if it is unknown.
    case output(TestID?, [UInt8])
    /// The test is still running. The event is repeated while it runs.
    case slow(TestID, after: Duration)
    case ended(TestResult)
    /// The number of tests that passed or failed at the first attempt, from a log of which only totals are read.
    case counted(CountedTests)
    /// The totals in a log that names the tests but not their suites.
    case totals(RunTotals)
    case finished
    /// The code and the machine of the results, after `finished`.
    case origin(TestOrigin)
}

/// The code that tests ran, and their machine.
package struct TestOrigin: Sendable, Equatable {
    /// The hash of the commit, or `nil` if it is unknown.
    package let commit: String?
    /// A Boolean value that indicates whether the checkout differed from the commit.
    package let isModified: Bool
    /// The operating system and the processor, such as `linux-x86_64`. Empty if unknown.
    package let machine: String

    package init(commit: String? = nil, isModified: Bool = false, machine: String = "") {
        self.commit = commit
        self.isModified = isModified
        self.machine = machine
    }
}

/// The shard of the tests that one of several machines runs.
package struct TestShard: Sendable, Equatable {
    /// The number of the shard, starting at 1.
    package let index: Int
    /// The number of shards.
    package let count: Int
    /// The number of tests in all shards.
    package let total: Int
    /// A hash of the names of all tests, which is the same for all shards of a run.
    package let digest: String

    package init(index: Int, count: Int, total: Int, digest: String) {
        self.index = index
        self.count = count
        self.total = total
        self.digest = digest
    }
}

/// The totals of a run whose tests ran in parallel in unknown suites.
package struct RunTotals: Sendable, Equatable {
    package let library: TestLibrary
    /// The number of suites, or 0 if it is unknown.
    package let suites: Int
    /// The time from the start to the end of the run.
    package let duration: Duration

    package init(library: TestLibrary, suites: Int, duration: Duration) {
        self.library = library
        self.suites = suites
        self.duration = duration
    }
}

/// The number of passed and failed tests of a suite.
package struct CountedTests: Sendable, Equatable {
    package let suite: SuiteID
    package let passed: Int
    package let failed: Int
    /// The sum of the durations.
    package let duration: Duration

    package init(suite: SuiteID, passed: Int, failed: Int = 0, duration: Duration) {
        self.suite = suite
        self.passed = passed
        self.failed = failed
        self.duration = duration
    }
}

/// An issue that a test recorded or that its result implies.
package struct TestIssue: Sendable, Equatable {
    /// The effect of an issue on its test.
    package enum Severity: String, Sendable {
        case failure
        /// An expected failure.
        case known
        case warning
    }

    /// The test, or `nil` for an issue outside any test.
    package var test: TestID?
    /// The severity. Only a `failure` makes the test fail.
    package var severity: Severity
    /// The complete text, which may have many lines.
    package var text: String
    /// The location, or `nil` if the library does not report it.
    package var location: SourceLocation?
    /// The argument of a parameterized test.
    package var argument: String?
    /// The lines of the failed expectation in the source, starting at the location.
    package var source: [String]

    package init(
        test: TestID?, severity: Severity = .failure, text: String, at location: SourceLocation? = nil,
        argument: String? = nil, source: [String] = []
    ) {
        self.test = test
        self.severity = severity
        self.text = text
        self.location = location
        self.argument = argument
        self.source = source
    }
}

/// The result of an attempt at a test.
package struct TestResult: Sendable, Equatable {
    /// The outcome of an attempt.
    package enum Outcome: Sendable, Equatable {
        case passed
        case failed
        case skipped(reason: String?)
        /// The process ended during the test, for example by `signal 4 (SIGILL)` or with `exit status 3`.
        case crashed(how: String)
        case timedOut(after: Duration)
        /// The test was planned but never started.
        case notRun(reason: String)
    }

    package var test: TestID
    /// The outcome of this attempt, which is not the last if the test is retried.
    package var outcome: Outcome
    /// The duration, or `nil` if it was not measured.
    package let duration: Duration?
    /// The number of the attempt, from 1.
    package var attempt: Int
    /// A Boolean value that indicates whether the test failed and its outcome is `skipped` because of a quarantine.
    package var isExcused: Bool

    package init(test: TestID, outcome: Outcome, duration: Duration?, attempt: Int = 1, isExcused: Bool = false) {
        self.test = test
        self.outcome = outcome
        self.duration = duration
        self.attempt = attempt
        self.isExcused = isExcused
    }
}
