import Actions
import Expressions
package import LaneModel

/// The settings of `test`. The program has an option for each of `selectionSettings`,
/// `policySettings` and `buildSettings`.
extension TestAction {
    /// The settings of `test` that select tests.
    package static let selectionSettings = [
        SettingSchema(
            "filter", .list(.string), "Run only tests that match one of these patterns; see 'lane help test-patterns'"),
        SettingSchema("skip", .list(.string), "Skip tests that match one of these patterns"),
        SettingSchema("shard", .part, "Run one part of the tests, such as 2/4"),
        SettingSchema("changed", .bool, "Run only tests that changed files affect; run all tests in case of doubt"),
        SettingSchema(
            "changed-base", .string, "With 'changed': the branch or commit to compare with; detected by default"),
    ]

    /// The settings of `test` that decide how tests run and when they fail.
    package static let policySettings = [
        SettingSchema("jobs", .integer(1...1024), "The number of parallel test processes"),
        SettingSchema("retries", .integer(0...100), "Retry a failed test up to this many times"),
        SettingSchema("flaky-fails", .bool, "Fail if a test passes only when it is retried"),
        SettingSchema("repeat", .integer(1...10_000), "Run each test this many times, or until it fails"),
        SettingSchema("timeout", .timeLimit, "The time limit of one test"),
        SettingSchema("run-timeout", .timeLimit, "The time limit of all tests together"),
        SettingSchema("slow", .timeLimit, "Report tests that run longer than this"),
        SettingSchema("fail-fast", .bool, "Stop at the first failure"),
        SettingSchema("failed-first", .bool, "Run tests that failed in the last run first"),
        SettingSchema("exclusive", .list(.string), "Run tests that match one of these patterns alone"),
        SettingSchema(
            "attachments", .path,
            "Keep files that tests attach in this directory; by default in '.lane/attachments'"),
        SettingSchema("isolated", .bool, "Run the tests in a clean environment, without network where possible"),
        SettingSchema("coverage", .bool, "Measure the code coverage of the tests"),
        SettingSchema(
            "coverage-threshold", .integer(0...100), "Fail if the tests cover a smaller percentage of lines"),
        SettingSchema(
            "coverage-changed-threshold", .integer(0...100),
            "Fail if the tests cover a smaller percentage of the changed lines"),
        SettingSchema(
            "coverage-changed-base", .string, "The branch or commit to compare lines with; detected by default"),
        SettingSchema("coverage-lcov", .path, "Write the coverage as an lcov tracefile to this file"),
        SettingSchema("coverage-cobertura", .path, "Write the coverage as Cobertura XML to this file"),
        SettingSchema(
            "coverage-html", .path, "Write the coverage as one HTML page with the uncovered lines to this file"),
        SettingSchema("allow-empty", .bool, "Succeed if the package has no tests"),
        SettingSchema(
            "unless-passed", .bool,
            "Run no tests if all passed within a day, with the same files, settings, variables and toolchain; 'false' "
                + "only keeps the record"),
    ]

    /// The setting of `test` with options for some tests. The command line has no such option.
    private static let rules = SettingSchema(
        "rules",
        .list(
            .object([
                SettingSchema("tests", .list(.string), "The tests, as in 'filter'", isRequired: true),
                SettingSchema("timeout", .timeLimit, "The time limit of each of these tests"),
                SettingSchema("retries", .integer(0...100), "Retry each of these tests up to this many times"),
                SettingSchema("exclusive", .bool, "Run each of these tests alone"),
                SettingSchema("slow", .timeLimit, "Report these tests if they run longer than this"),
            ])), "Options for some tests; the first rule that matches a test decides")

    /// The setting of `test` for tests whose failures do not fail the run. The command line has no such option, so all
    /// exceptions are in lane files.
    private static let quarantine = SettingSchema(
        "quarantine",
        .list(
            .object([
                SettingSchema(
                    "test", .string, "The tests, as in 'filter'", isRequired: true),
                SettingSchema("reason", .string, "The reason, which every run prints", isRequired: true),
                SettingSchema(
                    "until", .date, "The last valid day; afterwards, the entry is an error", isRequired: true),
            ])), "Report failures of these tests without failing the run")

    /// The settings of `test` that decide how the tests are built.
    package static let buildSettings = [
        .buildConfiguration,
        .buildArguments,
        SettingSchema(
            "sanitize", .list(.choice(["address", "thread", "undefined"])),
            "Build the tests with these sanitizers, and fail if one reports an error"),
        SettingSchema("build-system", .choice(["native", "swiftbuild"]), "The build system of 'swift build'"),
        SettingSchema("through-swift-test", .bool, "Run 'swift test' and parse its output, as on macOS"),
    ]

    package static let schema = ActionSchema(
        "test", "Build and run the package's tests",
        settings: selectionSettings + policySettings + buildSettings
            + [
                SettingSchema("directory", .path, "The directory of the package, relative to the root"), rules,
                quarantine, SettingSchema("events", .path, "Write the event stream to this file"),
            ]
            + ReportOption.all,
        outputs: [
            ActionOutput("planned", .integer, "The number of tests"),
            ActionOutput("passed", .integer, "The number of tests that passed"),
            ActionOutput(
                "coverage", .integer, "The percentage of covered lines, rounded down, if coverage is measured"),
        ],
        isCheck: true,
        example: """
            - test: {}
            - test:
                filter: [ParserTests]
                skip: [SlowTests]
                retries: 2
                flaky-fails: true
                timeout: 30s
                run-timeout: 10m
                slow: 2s
                fail-fast: true
                failed-first: true
            - test: { jobs: 4, exclusive: [DatabaseTests], isolated: true, allow-empty: true }
            - test: { directory: Tools, unless-passed: true }
            - test: { shard: 2/4, repeat: 10 }
            - test: { changed: true, changed-base: origin/main }
            - test:
                rules:
                  - { tests: [UploadTests], timeout: 2m, retries: 2, slow: 30s }
                  - { tests: [Tests/AppTests/DatabaseTests.swift], exclusive: true }
                quarantine:
                  - { test: UploadTests/resumes(), reason: "the server drops connections, #142", until: 2026-12-31 }
            - test:
                coverage: true
                coverage-threshold: 85
                coverage-changed-threshold: 95
                coverage-changed-base: origin/main
                coverage-lcov: build/coverage.info
                coverage-cobertura: build/coverage.xml
                coverage-html: build/coverage.html
                junit: build/tests.xml
                html: build/tests.html
                summary: build/tests.md
                sarif: build/tests.sarif
                events: build/events.jsonl
                attachments: build/attachments
            - test:
                configuration: release
                sanitize: [address, undefined]
                arguments: [-Xswiftc, -DTRACE]
                build-system: native
                through-swift-test: false
            """)
}
