/// Which tests to run and by which rules; what is not set means `lane`'s own habit, named at each member.
package struct TestOptions: Sendable, Equatable {
    /// Which tests run, and which of them first.
    package var choice = TestChoice()
    /// How often each runs.
    package var attempts = TestAttempts()
    /// How long all of it may take.
    package var times = TestTimes()
    /// How the tests are built.
    package var build = TestBuild()

    /// How many test processes run at once, and how wide Swift Testing runs inside its own; `nil` is the number of
    /// processors. With 1 nothing at all runs side by side.
    package var jobs: Int?
    /// Runs the tests with an environment of their own; see `TestSurroundings`.
    package var isolated = false
    /// Measures which lines the tests reach.
    package var coverage = false
    /// The least share of lines reached, from 0 to 100, for the run to pass.
    package var coverageThreshold: Double?
    /// Runs `swift test` and reads what it prints, in place of the built binary; macOS allows nothing else.
    package var throughSwiftTest = TestOptions.needsSwiftTest

    package init() {}

    #if os(Linux)
        private static let needsSwiftTest = false
    #else
        private static let needsSwiftTest = true
    #endif
}

/// Which tests run, and which of them first.
package struct TestChoice: Sendable, Equatable {
    /// Only tests that one of these patterns matches; see `TestPattern`. Empty means all.
    package var filter: [String] = []
    /// Never tests that one of these patterns matches.
    package var skip: [String] = []
    /// Tests that one of these patterns matches run alone, with nothing beside them.
    package var exclusive: [String] = []
    /// Only what was not green when it was last run, as the history has it.
    package var failedOnly = false
    /// One part of what is chosen otherwise; `nil` means all of it.
    package var shard: Shard?
    /// Runs what failed last time before all else.
    package var failedFirst = false
    /// Files that have changed, relative to the package's root: the tests that they touch run before all else, too.
    package var changedFiles: [String] = []
}

/// How often tests run.
package struct TestAttempts: Sendable, Equatable {
    /// How often a test that fails is tried again, in a process of its own; where tests are repeated, never.
    package var retries = 0
    /// A test that passes only when tried again fails the run.
    package var flakyFails = false
    /// Every test runs this often, or up to its first failure.
    package var repetitions = 1
    /// Stops everything at the first test that has failed for good.
    package var failFast = false
}

/// How long tests may take.
package struct TestTimes: Sendable, Equatable {
    /// A test that runs longer is ended; `nil` lets it run forever.
    package var timeout: Duration? = .seconds(300)
    /// All tests together, without the build.
    package var runTimeout: Duration?
    /// A test that runs longer is told of while it runs, and again after each further such span.
    package var slowAfter: Duration = .seconds(10)
    /// What a process gets between TERM and KILL.
    let grace = Duration.seconds(2)
}

/// How tests are built.
package struct TestBuild: Sendable, Equatable {
    /// Takes the tests as they were last built.
    package var isSkipped = false
    /// `debug` or `release`, as `swift build` takes it.
    package var configuration = "debug"
    /// `native` or `swiftbuild`; `nil` is the toolchain's own choice.
    package var system: String?
    /// `address`, `thread` or `undefined`, as `swift build --sanitize` takes them.
    package var sanitizers: [String] = []
    /// Handed to every `swift build`, such as `--scratch-path X` or `-Xswiftc -DX`.
    package var arguments: [String] = []

    /// Whether the tests are built with a sanitizer, so that its reports are looked for.
    var isSanitizing: Bool { !sanitizers.isEmpty || arguments.contains { $0.hasPrefix("--sanitize") } }
}
