import Diagnostics
import Help
import LaneModel
import TestSupport
import Testing

@Suite struct HelpPageTests {
    private static let page = HelpPage(
        "Sample", "A page with every kind of block",
        [
            .paragraph("The package's 'swift build' takes < 2 s."),
            .heading("Example"), .yaml("steps:\n  - run: echo -n \"a|b\""),
            .heading("Settings"),
            .rows([HelpPage.Row("paths", "The paths, such as 'a|b' (default: .)."), HelpPage.Row("  inner", "One.")]),
            .code(".hidden"),
        ])

    @Test func textHasTheLayoutOfCommandHelp() {
        #expect(
            Self.page.text(width: 80) == """
                OVERVIEW: A page with every kind of block.

                The package's 'swift build' takes < 2 s.

                EXAMPLE:
                  steps:
                    - run: echo -n "a|b"

                SETTINGS:
                  paths                   The paths, such as 'a|b' (default: .).
                    inner                 One.

                  .hidden

                """)
    }

    @Test func markdownMarksCode() {
        #expect(
            Self.page.markdown() == """
                # Sample

                A page with every kind of block.

                The package's `swift build` takes \\< 2 s.

                ## Example

                ```yaml
                steps:
                  - run: echo -n "a|b"
                ```

                ## Settings

                | name | meaning |
                |---|---|
                | `paths` | The paths, such as `a\\|b` (default: .). |
                | `  inner` | One. |

                ```text
                .hidden
                ```

                """)
    }

    @Test func manualEscapesRequestsAndHyphens() {
        let text = ManualPage.text(version: "1.2.0", command: Self.page, pages: [])
        #expect(text.hasPrefix(".TH LANE 1 \"\" \"lane 1.2.0\"\n.SH NAME\nlane \\- A page"))
        #expect(text.contains("  \\- run: echo \\-n \"a|b\"\n"))
        #expect(text.contains("\n\\&.hidden\n"))
    }
}

@Suite struct ActionPageTests {
    /// Each example is part of a lane without errors, and together they show every setting.
    @Test(arguments: ActionSchema.builtIn + [.lane]) func examplesAreSoundAndComplete(_ action: ActionSchema) throws {
        let steps = action.example.split(separator: "\n").map { "  \($0)\n" }.joined()
        let target = "parameters: { target: { type: string, required: true } }\nsteps: [run: [echo]]"
        let files = checkedLanes([
            "shown": "parameters: { version: version }\nsecrets: [GITHUB_TOKEN]\nsteps:\n\(steps)",
            "test": "steps: [test: {}]", "deploy": target,
        ])
        #expect(files.isEmpty, "\(files)")
        for setting in action.settings where setting.name != action.shorthand {
            #expect(action.example.contains("\(setting.name):"), "\(action.name): \(setting.name) has no example")
        }
    }

    @Test func settingsHaveTypeDefaultAndMembers() throws {
        let bump = try #require(ActionSchema.builtIn.first { $0.name == "bump" })
        let text = HelpPage(bump).text(width: 200)
        let row = "  version                 The next version; computed from the commits by default (a version"
        #expect(text.contains(row))
        #expect(text.contains("\n    path                  The file (a path; required).\n"))
    }
}

/// Returns the errors of lane files.
private func checkedLanes(_ texts: [String: String]) -> [String] {
    let sources = texts.sorted { $0.key < $1.key }.map { SourceFile(path: "Lanes/\($0.key).yml", text: $0.value) }
    return LaneFiles.check(sources).diagnostics.all.map(\.message)
}
