/// Which tests to run and by which rules; what is not set means `lane`'s own habit, named at each member.
package struct TestOptions: Sendable, Equatable {
    /// Only tests that one of these patterns matches; see `TestPattern`. Empty means all.
    package var filter: [String] = []
    /// Never tests that one of these patterns matches.
    package var skip: [String] = []
    /// Only what was not green when it was last run, as the history has it.
    package var failedOnly = false
    /// One part of what is chosen otherwise; `nil` means all of it.
    package var shard: Shard?

    /// How many test processes run at once, and how wide Swift Testing runs inside its own; `nil` is the number of
    /// processors. With 1 nothing at all runs side by side.
    package var jobs: Int?
    /// How often a test that fails is tried again, in a process of its own.
    package var retries = 0
    /// A test that passes only when tried again fails the run.
    package var flakyFails = false
    /// Every test runs this often, or up to its first failure; once where retries are allowed.
    package var repetitions = 1
    /// Stops everything at the first test that has failed for good.
    package var failFast = false

    /// A test that runs longer is ended; `nil` lets it run forever.
    package var timeout: Duration? = .seconds(300)
    /// All tests together, without the build.
    package var runTimeout: Duration?
    /// What a process gets between TERM and KILL.
    var grace: Duration = .seconds(2)
    /// A test that runs longer is told of while it runs, and again after each further such span.
    package var slowAfter: Duration = .seconds(10)

    /// Runs the tests with an environment of their own; see `TestSurroundings`.
    package var isolated = false
    /// Measures which lines the tests reach.
    package var coverage = false
    /// The least share of lines reached, from 0 to 100, for the run to pass.
    package var coverageThreshold: Double?

    /// `debug` or `release`, as `swift build` takes it.
    package var configuration = "debug"
    /// `native` or `swiftbuild`; `nil` is the toolchain's own choice.
    package var buildSystem: String?
    /// `address`, `thread` or `undefined`, as `swift build --sanitize` takes them.
    package var sanitizers: [String] = []
    /// Handed to every `swift build`, such as `--scratch-path X` or `-Xswiftc -DX`.
    package var swiftArguments: [String] = []
    /// Runs what failed last time before all else.
    package var failedFirst = false
    /// Files that have changed, relative to the package's root: the tests that they touch run before all else, too.
    package var changedFiles: [String] = []
    /// Runs `swift test` and reads what it prints, in place of the built binary; macOS allows nothing else.
    package var throughSwiftTest = TestOptions.needsSwiftTest
    /// Takes the tests as they were last built.
    package var skipBuild = false

    package init() {}

    /// Whether the tests are built with a sanitizer, so that its reports are looked for.
    var isSanitizing: Bool { !sanitizers.isEmpty || swiftArguments.contains { $0.hasPrefix("--sanitize") } }

    #if os(Linux)
        private static let needsSwiftTest = false
    #else
        private static let needsSwiftTest = true
    #endif
}
