import Arguments

extension HelpPage {
    /// The page of the patterns of tests.
    static let testPatterns = HelpPage(
        "Test patterns", "The patterns that select tests",
        [
            .paragraph(
                "'filter', 'skip', 'exclusive', 'rules' and 'quarantine' select tests by the same patterns, on the command line and in lane files. 'lane test --list PATTERN' lists the tests that a pattern selects."
            ),
            .rows([
                .init(
                    "MathTests, Demo.MathTests/testAdd",
                    "The tests with exactly this name, or, if there are none, all tests whose name contains it."),
                .init("MathTests/test*, *.MathTests/*", "A glob for the whole name; '*' and '?' match any characters."),
                .init(
                    "Tests/DemoTests/MathTests.swift, MathTests.swift",
                    "The tests in this source file; a glob such as 'Tests/*/Math*.swift' matches the whole path."),
                .init(
                    "/Math.*Add$/, ^Demo",
                    "A regular expression that is searched in the name: a pattern between slashes, or one with '^', '$', '|', '\\' or '.*'."
                ),
            ]),
            .paragraph(
                "The names of a test are 'Module.Suite/name', 'Suite/name', its display name and those of its suites, and for Swift Testing also 'name/File.swift:line:column'. A pattern with brackets, braces or '+' is also a regular expression if it is not a name."
            ),
            .heading("Rules"),
            .paragraph(
                "The first entry of 'rules' that matches a test decides; options that it lacks are those of the step. An entry with only 'tests' exempts them from the entries below it. 'lane test --list' shows the rule of each test."
            ),
            .yaml(
                """
                steps:
                  - test:
                      timeout: 30s
                      rules:
                        - { tests: [UploadTests], timeout: 2m, retries: 2, slow: 30s }
                        - { tests: [Tests/AppTests/DatabaseTests.swift], exclusive: true }
                """),
        ])
}
