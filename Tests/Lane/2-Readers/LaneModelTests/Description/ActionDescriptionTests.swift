import Expressions
import LaneFixtures
import LaneModel
import TestSupport
import Testing
import Text

@Suite struct ActionDescriptionTests {
    private let announce = """
        {"summary": "Sends a message", "shorthand": "text", "settings": [
          {"name": "text", "required": true, "help": "What to send"},
          {"name": "channel", "type": "enum", "values": ["dev", "all"], "default": "dev"},
          {"name": "times", "type": "int"}, {"name": "people", "type": "list"}, {"name": "fields", "type": "map"}]}
        """

    @Test func customActionsAreCheckedLikeBuiltInOnes() throws {
        let (schema, diagnostics) = ActionDescription.parse(
            SourceFile(path: "Lanes/actions/announce", text: announce), name: "announce", builtIn: [])
        #expect(DiagnosticText().text(for: diagnostics) == "")
        let action = try #require(schema)
        let text =
            "steps:\n  - announce: hello\n  - announce: { text: x, channel: dve, peple: [a] }\n  - announce: { times: 2 }\n"
        let checked = LaneFiles.check([SourceFile(path: "Lanes/a.yml", text: text)], with: .samples, actions: [action])
        #expect(
            checked.diagnostics.all.map(\.message) == [
                "expected dev or all, found the string 'dve'", "unknown setting 'peple' of 'announce'",
                "'announce' needs 'text'",
            ])
        let right = LaneFiles.check(
            [SourceFile(path: "Lanes/a.yml", text: "steps: [{ announce: hello }]")], with: .samples, actions: [action])
        let step = try Planner(right).plan(lane: "a").steps[0]
        #expect(step.task.action == .custom("announce"))
        let settings = try step.task.settings.evaluate(in: EvaluationContext())
        #expect(settings.values == ["text": .string("hello"), "channel": .string("dev")])
        #expect(LaneSchema.json(actions: [action]).contains("\"announce\""))
    }

    @Test func aRequiredListMayBeEmpty() throws {
        let text = "{\"settings\": [{\"name\": \"people\", \"type\": \"list\", \"required\": true}]}"
        let action = try #require(
            ActionDescription.parse(
                SourceFile(path: "Lanes/actions/announce", text: text), name: "announce", builtIn: []
            ).schema)
        let lane = SourceFile(path: "Lanes/a.yml", text: "steps: [{ announce: { people: [] } }]")
        #expect(LaneFiles.check([lane], with: .samples, actions: [action]).diagnostics.all.isEmpty)
    }

    @Test func actionsWithoutADescriptionAcceptAnySettings() {
        let text = """
            steps:
              - announce: { peple: [a] }
                id: said
              - run: echo ${{ steps.said.x }}
              - anounce: {}
            """
        let checked = LaneFiles.check(
            [SourceFile(path: "Lanes/a.yml", text: text)], with: .samples, undescribed: ["announce"])
        #expect(checked.diagnostics.all.map(\.message) == ["unknown key 'anounce' in a step"])
    }

    @Test(arguments: [
        ("«[]»", "expected an object, found an array"), ("{\"summary\": «1»}", "expected a string, found a number"),
        ("{«\"sumary\"»: \"x\"}", "unknown member 'sumary'"),
        (
            "{\"settings\": [{\"name\": \"a\", \"type\": «\"strng\"»}]}",
            "expected string, bool, int, version, duration, enum, path, any, list or map, found 'strng'"
        ),
        ("{\"settings\": [«{}»]}", "the setting has no name"),
        ("{\"shorthand\": «\"x\"»}", "the shorthand 'x' is not a setting"),
        (
            "{\"settings\": [{\"name\": \"a\", \"type\": \"int\", \"default\": «\"x\"»}]}",
            "expected a whole number, found a string"
        ),
        ("{\"settings\": [«{\"name\": \"a\", \"type\": \"enum\"}»]}", "an enum needs 'values'"),
        ("{«,»}", "expected a name in double quotes"),
    ]) func errorsAreReported(_ marked: String, _ message: String) {
        let expected = MarkedText(marked)
        let (schema, diagnostics) = ActionDescription.parse(
            SourceFile(path: "x", text: expected.text), name: "x", builtIn: [])
        #expect(schema == nil)
        #expect(diagnostics.all.map(\.message) == [message])
        #expect(diagnostics.all.compactMap { $0.span?.range } == expected.ranges)
    }

    @Test(arguments: ["run", "lane", "if", "parallel", "Upper", "a b"]) func reservedNamesAreRejected(_ name: String) {
        let file = SourceFile(path: "x", text: "{}")
        #expect(ActionDescription.parse(file, name: name, builtIn: ["run"]).schema == nil)
    }
}
