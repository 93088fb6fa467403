import Arguments
import Testing

private enum Keys {
    static let jobs = Key<Int>.option("jobs", short: "j", value: "count", default: 2, help: "The number of jobs.")
    static let output = Key<String?>.option(
        "output", short: "o", value: "file", help: "The output file.", completion: .file)
    static let skip = Key<[String]>.options("skip", value: "name", help: "Skip this name.")
    static let verbose = Key<Bool>.flag("verbose", short: "v", help: "Print more.")
    static let color = Key<Bool>.flag("color", default: true, help: "Use color.")
    static let mode = Key<String?>.option("mode", value: "mode", help: "The mode.", allowed: ["fast", "exact"])
    static let name = Key<String?>.positional("name", help: "The name.")
    static let rest = Key<[String]>.positionals("words", help: "The other words.")

    static let spec = CommandSpec(
        "trace", abstract: "Trace something.",
        parameters: [
            jobs.spec, output.spec, skip.spec, verbose.spec, color.spec, mode.spec, name.spec, rest.spec,
        ])
}

private func parse(_ line: String) throws -> ParsedArguments {
    try Keys.spec.parse(line.split(separator: " ").map(String.init), after: ["tool"]).arguments
}

private func problems(_ line: String) -> [String] {
    do {
        _ = try parse(line)
        return []
    } catch let error as UsageError {
        return error.problems
    } catch {
        return ["\(error)"]
    }
}

@Suite struct CommandLineParserTests {
    @Test func aDiscussionIsWrappedExceptForExamples() {
        let example = "  an example that is longer than the width of the help text"
        let spec = CommandSpec(
            "x", abstract: "X.", discussion: "Words that go on and on until they meet the end.\n\n\(example)")
        #expect(
            spec.help(width: 30).hasPrefix(
                "OVERVIEW: X.\n\nWords that go on and on until\nthey meet the end.\n\n\(example)\n\nUSAGE:"))
    }

    @Test(arguments: [
        ("", ""), ("--skip a one --skip=b two -v", "two -v"), ("one -j 4 two", "-j 4 two"),
        ("-vj4 one -- --skip", "-vj4 -- --skip"),
        ("--mode fast one --mode=fast --output one", "--output one"), ("-vo skip --skip mode", "-vo skip"),
    ])
    func omitsTheWordsOfSomeParameters(line: String, rest: String) throws {
        let words = line.split(separator: " ").map(String.init)
        let kept = Keys.spec.words(words, without: ["skip", "mode", "name"])
        #expect(kept.joined(separator: " ") == rest)
    }

    @Test(arguments: ["--jobs 4", "--jobs=4", "-j 4", "-j4", "-j=4"])
    func readsAnOptionInEverySpelling(line: String) throws {
        #expect(try parse(line)[Keys.jobs] == 4)
    }

    @Test(arguments: ["T --jobs 4 a b", "--name T a b", "--name=T a -v b"])
    func aPositionalCanBeGivenByName(line: String) throws {
        let arguments = try parse(line)
        #expect(arguments[Keys.name] == "T")
        #expect(arguments[Keys.rest] == ["a", "b"])
    }

    @Test func aRepeatedPositionalCanBeGivenByName() throws {
        #expect(try parse("T --words a --words=b c")[Keys.rest] == ["a", "b", "c"])
    }

    @Test func aNamedPositionalNeedsAValue() {
        #expect(problems("--name") == ["Missing value for '--name <name>'"])
        #expect(problems("T --name S") == ["'<name>' is given twice"])
    }

    @Test func missingOptionsHaveDefaults() throws {
        let arguments = try parse("")
        #expect(arguments[Keys.jobs] == 2)
        #expect(arguments[Keys.output] == nil)
        #expect(arguments[Keys.skip].isEmpty)
        #expect(!arguments[Keys.verbose])
        #expect(arguments[Keys.color])
    }

    @Test func flagsBundleAndInvert() throws {
        #expect(try parse("-vj3")[Keys.verbose])
        #expect(try parse("-vj3")[Keys.jobs] == 3)
        #expect(try parse("--no-color")[Keys.color] == false)
    }

    @Test func theLastValueWinsAndListsCollect() throws {
        let arguments = try parse("--jobs 3 --jobs 5 --skip a --skip=b")
        #expect(arguments[Keys.jobs] == 5)
        #expect(arguments[Keys.skip] == ["a", "b"])
    }

    @Test func wordsFillPositionalsAndDashesEndOptions() throws {
        let arguments = try parse("one -v two -- --three -")
        #expect(arguments[Keys.name] == "one")
        #expect(arguments[Keys.rest] == ["two", "--three", "-"])
    }

    @Test func negativeNumbersAreValues() throws {
        #expect(try parse("--jobs -1")[Keys.jobs] == -1)
    }

    @Test(arguments: [
        ("--job 4", "Unknown option '--job'. Did you mean '--jobs'?"),
        (
            "--output=~/a",
            "The value '~/a' is invalid for '--output': expected a path; no shell expands it; write the whole path"
        ),
        ("--jobs four", "The value 'four' is invalid for '--jobs': expected a whole number"),
        ("--jobs", "Missing value for '--jobs <count>'"),
        ("--jobs --verbose", "Missing value for '--jobs <count>'"),
        ("--verbose=yes", "The flag '--verbose' takes no value, found 'yes'"),
        ("--color=true", "The flag '--color' takes no value, found 'true'. Did you mean '--color'?"),
        ("--color=false", "The flag '--color' takes no value, found 'false'. Did you mean '--no-color'?"),
        ("--no-color=false", "The flag '--no-color' takes no value, found 'false'. Did you mean '--color'?"),
        ("--no-color=true", "The flag '--no-color' takes no value, found 'true'. Did you mean '--no-color'?"),
        ("--verbose=false", "The flag '--verbose' takes no value, found 'false'"),
        ("--output -x", "Missing value for '--output <file>'. Did you mean '--output=-x'?"),
        ("-o -x=y", "Missing value for '-o <file>'. Did you mean '--output=-x=y'?"),
        ("-o -$x", "Missing value for '-o <file>'. Did you mean \"--output='-$x'\"?"),
        ("--name --title", "Missing value for '--name <name>'. Did you mean '--name=--title'?"),
        ("--output -vx", "Missing value for '--output <file>'"),
        ("--output --no-color", "Missing value for '--output <file>'"), ("-o --", "Missing value for '-o <file>'"),
        ("--output --jobs=4", "Missing value for '--output <file>'"), ("-j -x", "Missing value for '-j <count>'"),
        ("--mode -x", "Missing value for '--mode <mode>'"),
        ("--mode fsat", "The value 'fsat' is invalid for '--mode': expected fast or exact. Did you mean 'fast'?"),
        ("-x", "Unknown option '-x'"),
    ])
    func problemsNameTheWord(line: String, expected: String) {
        #expect(problems(line).first == expected)
    }

    @Test(arguments: [
        ("--dry-run", "Unknown option '--dry-run'. Did you mean '--plan'?"),
        ("-n", "Unknown option '-n'. Did you mean '--plan'?"),
        ("-n4", "Unknown option '-n4'. Did you mean '--plan'?"),
        ("-Xswiftc", "Unknown option '-Xswiftc'. Did you mean '--plan'?"),
        ("--parallel", "Unknown option '--parallel'"),
    ])
    func optionsOfOtherToolsHaveSuggestions(line: String, expected: String) {
        let plan = Key<Bool>.flag("plan", help: "Print the steps.")
        var spec = CommandSpec("run", abstract: "Run.", parameters: [plan.spec])
        spec.suggestions = ["dry-run": "plan", "n": "plan", "Xswiftc": "plan", "parallel": "jobs"]
        #expect(
            throws: UsageError(problems: [expected], usage: "lane run [--plan]", helpCommand: "lane run --help")
        ) {
            try spec.parse([line], after: ["lane"])
        }
    }

    @Test func allProblemsAreReported() {
        #expect(problems("--jbos --mode x -y --jobs 1.5").count == 4)
    }

    @Test func missingRequiredWordsAreReported() {
        let key = ParameterSpec(name: "version", kind: .positional(repeats: false), help: "It.", isRequired: true)
        let spec = CommandSpec("release", abstract: "Release.", parameters: [key])
        #expect(
            throws: UsageError(
                problems: ["Missing expected argument '<version>'"], usage: "lane release <version>",
                helpCommand: "lane release --help")
        ) {
            try spec.parse([], after: ["lane"])
        }
    }

    @Test func parsingStopsAtTheSubcommand() throws {
        let spec = CommandSpec(
            "tool", abstract: "Tool.", parameters: [Keys.verbose.spec],
            subcommands: [CommandSpec("sub", abstract: "Sub.")])
        let (arguments, rest) = try spec.parse(["-v", "sub", "--own", "x"])
        #expect(arguments[Keys.verbose])
        #expect(rest == ["sub", "--own", "x"])
        #expect(spec.requestsHelp(["-v", "--help"]))
        #expect(!spec.requestsHelp(["sub", "--help"]))
        #expect(!Keys.spec.requestsHelp(["--", "--help"]))
    }
}

@Suite struct HelpTextTests {
    @Test func showsEverySectionInOrder() {
        let spec = CommandSpec(
            "trace", abstract: "Trace something.", discussion: "A longer story.",
            parameters: [Keys.jobs.spec, Keys.color.spec, Keys.mode.spec, Keys.name.spec],
            subcommands: [CommandSpec("sub", abstract: "Do the other thing.")])
        #expect(
            spec.help(after: ["tool"]) == """
                OVERVIEW: Trace something.

                A longer story.

                USAGE: tool trace [<options>] [<name>] <subcommand>

                ARGUMENTS:
                  <name>                  The name.

                OPTIONS:
                  -j, --jobs <count>      The number of jobs. (default: 2)
                  --color/--no-color      Use color.
                  --mode <mode>           The mode. (values: fast, exact)
                  -h, --help              Show help information.

                SUBCOMMANDS:
                  sub                     Do the other thing.

                """)
    }

    @Test func wrapsAtTheWidthAndBreaksAfterLongLabels() {
        let long = ParameterSpec(
            name: "a-very-long-option-name", kind: .option(value: "value", repeats: false),
            help: "One two three four five six seven eight nine ten eleven twelve.")
        let help = CommandSpec("x", abstract: "X.", parameters: [long]).help(width: 60)
        #expect(
            help.contains(
                """
                  --a-very-long-option-name <value>
                                          One two three four five six seven
                                          eight nine ten eleven twelve.
                """))
    }
}

@Suite struct CompletionTests {
    private let spec = CommandSpec(
        "tool", abstract: "Tool.",
        subcommands: [
            Keys.spec, CommandSpec("train", abstract: "Train."),
        ])

    private func complete(_ words: String...) -> [String] {
        spec.completions(for: words) { _ in [] }.candidates.map(\.word)
    }

    @Test func offersSubcommandsByPrefix() {
        #expect(complete("tra") == ["trace", "train"])
        #expect(complete("trai") == ["train"])
        #expect(complete("x") == [])
        #expect(complete("") == ["trace", "train"])
    }

    @Test func offersOptionsAndTheirValues() {
        #expect(complete("trace", "--co") == ["--color"])
        #expect(complete("trace", "--no") == ["--no-color"])
        #expect(complete("trace", "--mode", "") == ["fast", "exact"])
        #expect(complete("trace", "--jobs", "4", "--mode", "e") == ["exact"])
        #expect(complete("trace", "--mode=") == ["fast", "exact"])
        #expect(complete("trace", "--mode=e") == ["exact"])
        #expect(complete("trace", "--color=") == [] && complete("trace", "--none=") == [])
    }

    @Test func offersDynamicTopicsAndPaths() {
        let lane = Key<String?>.positional("lane", help: "The lane.", completion: .dynamic("lanes"))
        let file = Key<String?>.option("junit", value: "file", help: "The file.", completion: .file)
        let spec = CommandSpec("run", abstract: "Run.", parameters: [lane.spec, file.spec])
        let reply = spec.completions(for: ["te"]) { topic in
            topic == "lanes" ? [.init("test", help: "Run tests"), .init("build")] : []
        }
        #expect(reply.text == "test\tRun tests\n:none\n")
        #expect(spec.completions(for: ["--junit", "x"]) { _ in [] }.paths == .files)
    }

    @Test(arguments: Shell.allCases)
    func scriptsRunTheCommand(shell: Shell) {
        #expect(shell.completionScript(for: "lane").contains("--complete"))
    }
}
