extension ActionSchema {
    /// The actions that come with `lane`, in the order in which documentation lists them.
    package static let builtIn: [ActionSchema] = BuiltInAction.allCases.map(make)

    package static func schema(of action: BuiltInAction) -> ActionSchema { builtIn[action.index] }

    /// The step that runs another lane; a plan has that lane's steps in its place.
    package static let lane = ActionSchema(
        "lane", "Runs the steps of another lane here", shorthand: "name",
        settings: [
            SettingSchema("name", .string, "The lane", isRequired: true),
            SettingSchema("parameters", .map(.any), "Values for the lane's parameters"),
        ])

    private static let configuration = SettingSchema(
        "configuration", .choice(["debug", "release"]), "The build configuration")
    private static let arguments = SettingSchema("arguments", .list(.string), "Further arguments for 'swift build'")

    private static func make(_ action: BuiltInAction) -> ActionSchema {
        switch action {
        case .run: run
        case .build: build
        case .test: test
        case .format: format
        case .bump: bump
        case .changelog: changelog
        case .package: package
        case .commit: commit
        case .tag: tag
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
            SettingSchema("shard", .string, "Runs one part of the tests, as in 2/4"),
            SettingSchema("repeat", .integer(1...10_000), "How often every test runs"),
            configuration,
            arguments,
            SettingSchema("build-system", .choice(["native", "swiftbuild"]), "The build system for 'swift build'"),
            SettingSchema("slow", .duration, "A test that runs longer is told of while it runs"),
        ])

    private static let format = ActionSchema(
        "format", "Formats the sources with 'swift format'",
        settings: [
            SettingSchema("check", .bool, "Changes nothing and fails when a file is not formatted"),
            SettingSchema("paths", .list(.path), "What to format; everything when left out"),
        ])

    private static let bump = ActionSchema(
        "bump", "Writes the next version into every place that names it", shorthand: "version",
        settings: [
            SettingSchema("version", .version, "The next version; worked out from the commits when left out"),
            SettingSchema(
                "files",
                .list(
                    .either([
                        .path,
                        .object([
                            SettingSchema("path", .path, "The file", isRequired: true),
                            SettingSchema("pattern", .string, "The text around the version, with {version} in it"),
                        ]),
                    ])), "The files that name the version; found when left out"),
        ])

    private static let changelog = ActionSchema(
        "changelog", "Writes the section of the next version from the commits",
        settings: [
            SettingSchema("file", .path, "The changelog", default: .string("CHANGELOG.md")),
            SettingSchema("version", .version, "The version; the bumped one when left out"),
        ])

    private static let package = ActionSchema(
        "package", "Builds the release archives",
        settings: [
            SettingSchema("products", .list(.string), "The products to pack; all when left out"),
            SettingSchema("name", .string, "How the archive's name begins; the package's name when left out"),
            SettingSchema("output", .path, "The folder for the archives", default: .string("dist")),
            SettingSchema("verify", .bool, "Unpacks and uses the archive before it counts", default: .bool(true)),
            SettingSchema("reproducible", .bool, "Builds a second time elsewhere and compares the bytes"),
        ])

    private static let commit = ActionSchema(
        "commit", "Commits what the steps before have changed", shorthand: "message",
        settings: [
            SettingSchema("message", .string, "The commit's message"),
            SettingSchema("files", .list(.path), "Only these files"),
        ])

    private static let tag = ActionSchema(
        "tag", "Makes an annotated tag", shorthand: "name",
        settings: [
            SettingSchema("name", .string, "The tag; the version when left out"),
            SettingSchema("message", .string, "The tag's message"),
        ])

    private static let require = ActionSchema(
        "require", "Checks what must hold before anything is changed",
        settings: [
            SettingSchema("clean", .bool, "Nothing in the checkout is changed or new"),
            SettingSchema("branch", .string, "The branch that is checked out"),
            SettingSchema(
                "tools", .either([.list(.string), .map(.string)]),
                "Programs that must be there, with the versions they must have"),
            SettingSchema("version", .version, "A version that is free and greater than the last"),
        ])
}

extension BuiltInAction {
    fileprivate var index: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
