extension ActionSchema {
    /// The actions that come with `lane`, in the order in which documentation lists them.
    package static var builtIn: [ActionSchema] { BuiltInAction.allCases.map(schema) }

    /// The step that runs another lane; a plan has that lane's steps in its place.
    static let lane = ActionSchema(
        "lane", "Runs the steps of another lane here", shorthand: "name",
        settings: [
            SettingSchema("name", .string, "The lane", isRequired: true),
            SettingSchema("parameters", .map(.any), "Values for the lane's parameters"),
        ])

    static let configuration = SettingSchema(
        "configuration", .choice(["debug", "release"]), "The build configuration")
    static let arguments = SettingSchema("arguments", .list(.string), "Further arguments for 'swift build'")

    /// Each is made when it is first asked for: a run needs few of them.
    package static func schema(of action: BuiltInAction) -> ActionSchema {
        switch action {
        case .run: run
        case .build: build
        case .test: test
        case .coverage: coverage
        case .format: format
        case .lint: lint
        case .docs: docs
        case .bump: bump
        case .changelog: changelog
        case .package: package
        case .checksum: checksum
        case .commit: commit
        case .tag: tag
        case .publish: publish
        case .require: require
        }
    }

    private static let run = ActionSchema(
        "run", "Runs a command: a text through 'sh -eu', a list directly", shorthand: "command",
        settings: [
            SettingSchema(
                "command", .either([.script, .list(.string)]),
                "The text for the shell, or the program and its arguments",
                isRequired: true),
            SettingSchema("directory", .path, "Where to run it, below the root"),
        ])

    private static let build = ActionSchema(
        "build", "Builds the package",
        settings: [
            configuration,
            SettingSchema("product", .string, "The only product to build"),
            SettingSchema("products", .list(.string), "The products to build"),
            SettingSchema("target", .string, "The only target to build"),
            arguments,
            SettingSchema("static", .bool, "Links the Swift libraries into executables"),
        ])

    private static let test = ActionSchema(
        "test", "Builds and runs the package's tests",
        settings: [
            SettingSchema("filter", .list(.string), "Runs only tests whose name fits one of these"),
            SettingSchema("skip", .list(.string), "Leaves out tests whose name fits one of these"),
            SettingSchema("jobs", .integer(1...1024), "How many test processes run at once"),
            SettingSchema("retries", .integer(0...100), "How often a failed test is tried again"),
            SettingSchema("flaky-fails", .bool, "Fails when a test passes only after another try"),
            SettingSchema("timeout", .duration, "How long one test may take"),
            SettingSchema("run-timeout", .duration, "How long all tests may take"),
            SettingSchema("fail-fast", .bool, "Stops at the first failure"),
            SettingSchema("junit", .path, "Writes a JUnit report to this file"),
            SettingSchema("events", .path, "Writes the event stream to this file"),
            SettingSchema("summary", .path, "Writes a Markdown summary to this file"),
            SettingSchema("html", .path, "Writes an HTML report to this file"),
            SettingSchema(
                "isolated", .bool, "Runs the tests in a scrubbed environment, without network where possible"),
            SettingSchema("coverage", .bool, "Measures how much of the sources the tests reach"),
            SettingSchema(
                "coverage-threshold", .integer(0...100), "Fails when fewer per cent of the lines are reached"),
            SettingSchema(
                "sanitize", .list(.choice(["address", "thread", "undefined"])),
                "Builds the tests with this sanitizer and fails when it finds something"),
            SettingSchema("shard", .string, "Runs one part of the tests, as in 2/4"),
            SettingSchema("repeat", .integer(1...10_000), "How often every test runs, or up to its first failure"),
            configuration,
            arguments,
            SettingSchema("build-system", .choice(["native", "swiftbuild"]), "The build system for 'swift build'"),
            SettingSchema("allow-empty", .bool, "A package without tests is no failure"),
            SettingSchema("slow", .duration, "A test that runs longer is told of while it runs"),
            SettingSchema("failed-first", .bool, "Runs first what failed the last time"),
            SettingSchema(
                "exclusive", .list(.string), "Runs tests whose name fits one of these with nothing beside them"),
            SettingSchema("through-swift-test", .bool, "Runs 'swift test' and reads what it prints, as on macOS"),
        ])

    private static let coverage = ActionSchema(
        "coverage", "Runs the tests and tells how much of each file they reach", shorthand: "threshold",
        settings: [
            SettingSchema("threshold", .integer(0...100), "Fails when fewer per cent of the lines are reached")
        ]
            + test.settings.filter {
                ["filter", "skip", "jobs", "retries", "timeout", "run-timeout", "arguments"].contains($0.name)
            })

    private static let format = ActionSchema(
        "format", "Formats the sources with 'swift format'",
        settings: [
            SettingSchema("check", .bool, "Changes nothing and fails when a file is not formatted"),
            SettingSchema("paths", .list(.path), "What to format; everything when left out"),
        ])

    private static let lint = ActionSchema(
        "lint", "Lints the sources with 'swift format lint'", shorthand: "paths",
        settings: [
            SettingSchema("paths", .list(.path), "What to lint; everything when left out"),
            SettingSchema("strict", .bool, "A warning is a failure", default: .bool(true)),
            SettingSchema("rules", .path, "The file with the rules; the '.swift-format' nearest to each file else"),
        ])

    private static let docs = ActionSchema(
        "docs", "Builds the documentation as a site, with the toolchain's DocC",
        settings: [
            SettingSchema("targets", .list(.string), "The targets; those of all libraries when left out"),
            SettingSchema("output", .path, "The folder for the site", default: .string("dist/docs")),
            SettingSchema("base-path", .string, "Where the site lies on its host, as in /tracer"),
            SettingSchema("warnings-as-errors", .bool, "A warning is a failure"),
            SettingSchema("require-comments", .bool, "A public declaration without a comment is a failure"),
        ])
}
