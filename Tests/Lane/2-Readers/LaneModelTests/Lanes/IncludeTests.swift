import LaneFixtures
import LaneModel
import TestSupport
import Testing
import Text

@Suite struct IncludeTests {
    private func check(_ files: [String: String]) -> CheckedLaneFiles {
        LaneFiles.check(
            files.sorted { $0.key < $1.key }.map { SourceFile(path: "Lanes/\($0.key).yml", text: $0.value) },
            with: .samples)
    }

    /// Each of forty files includes the next file twice, directly or through two files. Each file is read once.
    @Test(arguments: [false, true])
    func includesThatDoubleAreReadOnce(isDiamond: Bool) throws {
        var files = ["main": "include: [_a0]\nsteps: [{ run: x }]", "_a40": "always: [{ run: end }]"]
        for index in 0..<40 {
            let next = "_a\(index + 1)"
            files["_a\(index)"] =
                "include: [\(isDiamond ? "_b\(index), " : "")\(next), \(next)]\nalways: [{ run: a\(index) }]"
            if isDiamond { files["_b\(index)"] = "include: [\(next)]\nsecrets: [S\(index)]" }
        }
        let checked = check(files)
        #expect(!checked.diagnostics.hasErrors)
        // Hooks of inner files come first.
        let plan = try Planner(checked).plan(lane: "main")
        #expect(plan.steps.map(\.name) == ["x", "end"] + (0..<40).reversed().map { "a\($0)" })
        #expect(checked["main"]?.secrets.count == (isDiamond ? 40 : 0))
    }

    @Test func errorsInOtherFilesDoNotPreventARun() throws {
        let files = [
            "good": "include: [_good]\nneeds: [other]\nsteps: [{ run: x }]", "other": "steps: [{ run: y }]",
            "_good": "env: { A: b }", "bad": "steps: [{ rum: x }]", "_bad": "sumary: x",
            "needs": "needs: [bad]\nsteps: [{ run: x }]", "runs": "steps: [{ parallel: [{ lane: needs }] }]",
            "includes": "include: [_bad]\nsteps: [{ run: x }]", "circle": "needs: [circle]\nsteps: [{ run: x }]",
            "hook": "steps: [{ run: x }]\nalways: [{ lane: includes }]",
        ]
        let checked = check(files)
        #expect(checked.diagnostics.hasErrors)
        for lane in ["good", "other"] { _ = try Planner(checked).plan(lane: lane) }
        for lane in ["bad", "needs", "runs", "includes", "circle", "hook"] {
            #expect(throws: Diagnostics.self) { try Planner(checked).plan(lane: lane) }
            #expect(checked.diagnostics(checked.diagnostics, concerning: lane).hasErrors)
        }
    }

    @Test(arguments: [
        "cwd", "dir", "working-directory", "when", "shell", "depends", "deps", "depends-on", "desc", "description",
        "for",
        "generates", "loop", "matrix", "sources", "timeout-minutes", "vars", "env_file", "status",
    ])
    func keysOfOtherToolsGetAHint(key: String) {
        let checked = check(["main": "steps:\n  - run: x\n    \(key): y"])
        #expect(checked.diagnostics.all.map(\.message) == ["unknown key '\(key)' in a step"])
        #expect(checked.diagnostics.all.first?.hint?.hasPrefix("use '") == true)
    }

    @Test(arguments: [
        ("sources: [x]", "use 'inputs' in the step"), ("generates: [x]", "use 'outputs' in the step"),
        ("imports: [x]", "use 'include'"), ("strategy: {}", "use 'matrix' in the lane"),
        ("preconditions: []", "use 'if', or a step that fails"), ("hide: true", "use 'private: true'"),
        ("env_file: .env", "use 'dotenv'"), ("prompt: Sure?", "use 'confirm'"), ("desc: x", "use 'summary'"),
    ])
    func keysOfOtherToolsInALaneGetAHint(key: String, hint: String) {
        let checked = check(["main": "\(key)\nsteps: [{ run: x }]\n"])
        #expect(checked.diagnostics.all.map(\.hint) == [hint])
    }

    @Test(arguments: ["env: { A: \"a\\0b\" }\nsteps: [{ run: x }]", "steps: [{ run: x, env: { A: \"\\0\" } }]"])
    func variablesWithNULAreRejected(text: String) {
        let messages = check(["main": text]).diagnostics.all.map(\.message)
        #expect(messages == ["the value of 'A' contains NUL"])
    }
}
