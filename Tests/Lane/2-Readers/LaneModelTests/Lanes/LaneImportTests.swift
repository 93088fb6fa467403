import Expressions
import LaneFixtures
import LaneModel
import Testing
import Text

@Suite struct LaneImportTests {
    private static let send = ActionSchema(
        "shared/send", "Sends", settings: [SettingSchema("text", .string, "The text")])

    private func check(
        _ own: [String: String], _ shared: [String: String], isAvailable: Bool = true
    ) -> CheckedLaneFiles {
        let files = shared.sorted { $0.key < $1.key }.map {
            SourceFile(path: ".lane/remote/shared/0123/\($0.key).yml", text: $0.value)
        }
        let other = LaneImport(
            name: "shared", files: isAvailable ? files : [], actions: isAvailable ? [Self.send] : [],
            isAvailable: isAvailable)
        return LaneFiles.check(laneSources(own), with: .samples, reserved: ["list"], imports: [other])
    }

    private static let shared = [
        "deploy": "include: _common.yml\nneeds: [build]\nsteps: [{ send: { text: x } }]",
        // The name of a command is no conflict, and neither is a name that the package has as well.
        "list": "steps: [{ lane: build }]", "build": "steps: [{ run: theirs }]", "_common": "env: { A: b }",
    ]

    @Test func namesAreThoseOfTheImport() throws {
        let own = [
            "ship": """
            include: [shared/_common.yml]
            needs: [shared/list, { lane: shared/build }]
            steps: [{ lane: shared/deploy }, { shared/send: { text: y } }, { lane: build }]
            """, "build": "steps: [{ run: ours }]",
        ]
        let checked = check(own, Self.shared)
        #expect(DiagnosticText().text(for: checked.diagnostics) == "")
        #expect(
            checked.lanes.map(\.name).sorted() == ["build", "shared/build", "shared/deploy", "shared/list", "ship"])
        let plan = try Planner(checked).plan(lane: "ship")
        #expect(
            plan.steps.map(\.name) == ["theirs", "theirs", "theirs", "shared/send", "shared/send", "ours"])
        #expect(checked["ship"]?.environment.map(\.name) == ["A"] && checked["shared/deploy"]?.environment.count == 1)
    }

    @Test(arguments: [
        ("steps: [{ lane: shared/deplyo }]", "there is no lane 'shared/deplyo'", "did you mean 'shared/deploy'?"),
        ("steps: [{ shared/sned: x }]", "unknown key 'shared/sned' in a step", "did you mean 'shared/send'?"),
        (
            "include: shared/_none.yml\nsteps: [{ run: x }]", "there is no file 'shared/_none.yml' in this directory",
            nil
        ),
    ])
    func reportsUnknownNames(_ text: String, _ message: String, _ hint: String?) {
        let found = check(["own": text], Self.shared).diagnostics.all
        #expect(found.map(\.message) == [message])
        if let hint { #expect(found.first?.hint == hint) }
    }

    @Test func lanesOfAnImportReferOnlyToTheImport() {
        let checked = check(
            ["own": "steps: [{ run: x }]", "_mine": "env: { A: b }"],
            ["a": "needs: [own]\nsteps: [{ run: x }]", "b": "include: _mine.yml\nsteps: [{ shared/send: x }]"])
        #expect(
            checked.diagnostics.all.map(\.message).sorted() == [
                "there is no file '_mine.yml' in this directory", "there is no lane 'shared/own'",
                "unknown key 'shared/send' in a step",
            ])
        #expect(!checked.diagnostics(checked.diagnostics, concerning: "own").hasErrors)
        #expect(checked.diagnostics(checked.diagnostics, concerning: "shared/b").all.count == 2)
    }

    @Test("The names of an import that could not be read are not reported")
    func unavailable() {
        let text = "include: shared/_common\nneeds: [shared/build]\nsteps: [{ shared/send: x }, { lane: other/x }]"
        let found = check(["own": text], [:], isAvailable: false).diagnostics.all
        #expect(found.map(\.message) == ["there is no lane 'other/x'"])
    }
}
