import LaneFixtures
import LaneModel
import Testing
import Text

@testable import Runner

@Suite struct PromptsTests {
    /// Returns the printed text and the value of a parameter for some input lines.
    private func ask(_ parameter: String, _ lines: String...) throws -> (screen: String, text: String?) {
        let source = SourceFile(path: "Lanes/a.yml", text: "parameters: { it: \(parameter) }\nsteps: [run: x]\n")
        let checked = LaneFiles.check([source], with: .samples)
        #expect(checked.diagnostics.all.map(\.message) == [])
        var screen = ""
        var lines = lines
        let prompts = Prompts(
            write: { screen += $0 },
            readLine: { question, isHidden in
                screen += question
                guard !lines.isEmpty else { return nil }
                let line = lines.removeFirst()
                screen += (isHidden ? "" : line) + "\n"
                return line
            })
        let text = prompts.text(for: checked.lanes[0].parameters[0])
        return (screen, text)
    }

    @Test func aStringIsRequestedUntilItIsNotEmpty() throws {
        let (screen, text) = try ask("{ required: true, help: The name of it }", "", "  ", " x y ")
        #expect(text == "x y")
        #expect(
            screen == """
                it: The name of it
                it: 
                expected a string, found nothing
                it:   
                expected a string, found nothing
                it:  x y 

                """)
    }

    @Test func aPathThatOnlyAShellExpandsIsRequestedAgain() throws {
        let (screen, text) = try ask("{ type: path, required: true }", "~/key", "key")
        #expect(text == "key")
        #expect(
            screen == """
                it: ~/key
                expected a path, found '~/key'; no shell expands it; write the whole path
                it: key

                """)
    }

    @Test func anEnumAcceptsAValueOrItsNumber() throws {
        let type = "{ type: enum, values: [staging, production], required: true }"
        let (screen, text) = try ask(type, "3", "prod", "2")
        #expect(text == "production")
        #expect(
            screen == """
                it:
                  1) staging
                  2) production
                it [1-2]: 3
                expected staging or production, found '3'
                it [1-2]: prod
                expected staging or production, found 'prod'
                it [1-2]: 2

                """)
        #expect(try ask(type, "staging").text == "staging")
        // A value takes precedence over the number of another value.
        #expect(try ask("{ type: enum, values: ['2', '1'], required: true }", "1").text == "1")
    }

    @Test func aSecretIsHidden() throws {
        let (screen, text) = try ask("{ secret: true, type: int, required: true }", "hush", "42")
        #expect(text == "42")
        #expect(screen == "it (hidden): \nexpected a whole number, found another value\nit (hidden): \n")
    }

    @Test func otherTypesAreChecked() throws {
        #expect(try ask("{ type: bool, required: true }", "maybe", "Yes").text == "true")
        #expect(try ask("{ type: bool, required: true }", "0").text == "false")
        #expect(try ask("{ type: duration, required: true }", "5", "5m").text == "5m")
        #expect(try ask("{ type: int, required: true }", "x").text == nil)
    }
}
