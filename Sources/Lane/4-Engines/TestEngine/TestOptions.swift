import OperatingSystem
package import Text

/// The options of a test run. Defaults are documented for each property.
package struct TestOptions: Sendable, Equatable {
    /// The selection and the order of tests.
    package var choice = TestChoice()
    /// The retries and repetitions.
    package var attempts = TestAttempts()
    /// The time limits.
    package var times = TestTimes()
    /// The build of the tests.
    package var build = TestBuild()

    /// The rules for some tests, in order.
    package var rules: [TestRule] = []
    /// The tests whose failures do not fail the run.
    package var quarantine: [QuarantineEntry] = []
    /// The number of concurrent test processes, and of concurrent tests in Swift Testing, or `nil` for the number of
    /// processors. With 1, all tests run one after another.
    package var jobs: Int?
    /// A Boolean value that indicates whether the output of tests is read. Otherwise, tests have the terminal of `lane`.
    package var isCaptured = true
    /// The debugger that runs a single test in the terminal, or `nil` for none.
    package var debugger: TestDebugger?
    /// The absolute path of the directory for files that tests attach, which must exist, or `nil` to lose them.
    package var attachments: String?
    /// A Boolean value that indicates whether tests run in a separate environment; see `TestEnvironment`.
    package var isolated = false
    /// A Boolean value that indicates whether coverage is measured.
    package var coverage = false
    /// The minimum percentage of covered lines for the run to pass.
    package var coverageThreshold: Double?
    /// A Boolean value that indicates whether `swift test` runs the tests instead of the engine, which macOS requires.
    package var throughSwiftTest = TestOptions.needsSwiftTest

    package init() {}

    #if os(Linux)
        private static let needsSwiftTest = false
    #else
        private static let needsSwiftTest = true
    #endif
}

/// The selection and the order of tests.
package struct TestChoice: Sendable, Equatable {
    /// The patterns of tests to run; see `TestPattern`. Empty for all tests.
    package var filter: [String] = []
    /// The patterns of tests to skip.
    package var skip: [String] = []
    /// The patterns of tests that run alone.
    package var exclusive: [String] = []
    /// The modules of tests to run, or `nil` for all.
    package var modules: Set<String>?
    /// A Boolean value that indicates whether only tests run that did not succeed in their last run.
    package var failedOnly = false
    /// The shard of the selected tests, or `nil` for all.
    package var shard: Shard?
    /// A Boolean value that indicates whether tests that failed in the last run come first.
    package var failedFirst = false
    /// The changed files relative to the package's root. The tests that they affect also come first.
    package var changedFiles: [String] = []
}

/// The retries and repetitions of tests.
package struct TestAttempts: Sendable, Equatable {
    /// The number of retries of a failed test, in its own process. Repeated tests are not retried.
    package var retries = 0
    /// A Boolean value that indicates whether flaky tests fail the run.
    package var flakyFails = false
    /// The number of repetitions of each test, which end at its first failure.
    package var repetitions = 1
    /// A Boolean value that indicates whether the run stops at the first final failure.
    package var failFast = false
}

/// The time limits of tests.
package struct TestTimes: Sendable, Equatable {
    /// The time limit of a test, or `nil` for no limit.
    package var timeout: Duration? = .seconds(300)
    /// The time limit of all tests together, without the build.
    package var runTimeout: Duration?
    /// The time after which a running test is reported, at regular intervals.
    package var slowAfter: Duration = .seconds(10)
    /// The time between SIGTERM and SIGKILL.
    let grace = Duration.seconds(2)
}

/// The build of the tests.
package struct TestBuild: Sendable, Equatable {
    /// A Boolean value that indicates whether the build is skipped.
    package var isSkipped = false
    /// The configuration for `swift build`: `debug` or `release`.
    package var configuration = "debug"
    /// The build system: `native` or `swiftbuild`, or `nil` for the default of the toolchain.
    package var system: String?
    /// The sanitizers for `swift build --sanitize`: `address`, `thread` or `undefined`.
    package var sanitizers: [String] = []
    /// The additional arguments for `swift build`, such as `--scratch-path X` or `-Xswiftc -DX`.
    package var arguments: [String] = []

    /// A Boolean value that indicates whether the tests are built with a sanitizer.
    var isSanitizing: Bool { !sanitizers.isEmpty || arguments.contains { $0.hasPrefix("--sanitize") } }
}

/// A debugger in which a test runs.
package enum TestDebugger: String, Sendable, CaseIterable {
    case lldb, gdb

    var other: Self { self == .lldb ? .gdb : .lldb }

    /// Returns the command that starts a program in the debugger.
    ///
    /// Only the program gets the preloaded library, because the debugger may have other versions of its libraries.
    func wrapping(_ command: Command) -> Command {
        var wrapped = command
        wrapped.executable = rawValue
        wrapped.arguments = []
        if let library = wrapped.environment.removeValue(forKey: "LD_PRELOAD") {
            switch self {
            case .lldb: wrapped.arguments += ["-o", "settings set target.env-vars LD_PRELOAD=\"\(library)\""]
            case .gdb: wrapped.arguments += ["-ex", "set environment LD_PRELOAD \(library)"]
            }
        }
        wrapped.arguments += [self == .lldb ? "--" : "--args", command.executable] + command.arguments
        return wrapped
    }
}
