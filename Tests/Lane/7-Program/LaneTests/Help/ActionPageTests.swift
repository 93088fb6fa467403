import Arguments
import LaneModel
import TestSupport
import Testing
import Text

@testable import LaneCommands
@testable import lane

@Suite struct ActionPageTests {
    /// Each example is a valid part of a lane, and together they show every setting.
    @Test(arguments: ActionTable.builtIn.documented) func examplesAreValidAndComplete(_ action: ActionSchema) throws {
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
        let bump = try #require(ActionTable.builtIn.schemas.first { $0.name == "bump" })
        let text = HelpPage(bump).text(width: 200)
        #expect(
            text == """
                OVERVIEW: Write the next version to every file that names it.

                EXAMPLE:
                  steps:
                    - bump: minor
                    - bump:
                        version: ${{ parameters.version }}
                        files: [Sources/Shape/Version.swift, { path: setup.txt, pattern: "v{version}" }, { path: ports.txt, count: 2 }]

                A single value or a list after 'bump:' sets 'version'.

                SETTINGS:
                  version                 The next version; computed from the commits by default (a version such as 1.2.3, or a word such as minor or auto).
                  files                   The files that name the version; detected by default (a list, each a path or a mapping).
                    path                  The file (a path; required).
                    pattern               The text around the version, with {version} in place of the version (a string).
                    count                 The expected number of occurrences; by default one (a whole number from 1 to 10000).

                OUTPUTS:
                Later steps can read them as 'steps.ID.NAME' if the step has an 'id'.

                  version                 The new version.
                  tag                     The name of its tag.
                  previous                The last version, if there is one.
                  files                   The changed files, if any.

                """)
    }
}

/// Returns the errors of lane files.
private func checkedLanes(_ texts: [String: String]) -> [String] {
    let sources = texts.sorted { $0.key < $1.key }.map { SourceFile(path: "Lanes/\($0.key).yml", text: $0.value) }
    return LaneFiles.check(sources, with: ActionTable.builtIn.schemas).diagnostics.all.map(\.message)
}
