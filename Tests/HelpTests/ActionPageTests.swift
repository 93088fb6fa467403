import Arguments
import Diagnostics
import Help
import LaneModel
import TestSupport
import Testing

@Suite struct ActionPageTests {
    /// Each example is a valid part of a lane, and together they show every setting.
    @Test(arguments: ActionSchema.builtIn + [.lane]) func examplesAreValidAndComplete(_ action: ActionSchema) throws {
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
