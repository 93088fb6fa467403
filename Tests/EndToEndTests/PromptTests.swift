import TestSupport
import Testing

#if os(Linux)
    extension EndToEnd {
        /// Questions for required parameters, on a terminal.
        @Suite struct PromptTests {
            private static let lane = """
                parameters:
                  target: { type: enum, values: [staging, production], required: true, help: Where to }
                  password: { secret: true, required: true }
                steps:
                  - run: echo "<$P> to ${{ parameters.target }}"
                    env: { P: "${{ parameters.password }}" }
                """

            @Test func valuesAreAskedForAndSecretsHidden() throws {
                let directory = try TemporaryDirectory()
                try directory.write(Self.lane, to: "Lanes/up.yml")
                let terminal = try PseudoTerminal(in: directory.path)
                terminal.type("unset CI; lane up --plan\n")
                #expect(terminal.shows("target: Where to") && terminal.shows("target [1-2]: "))
                terminal.type("2\n")
                #expect(terminal.shows("password (hidden): "))
                terminal.type("hush-hush\u{7F}x\n")
                #expect(terminal.shows("echo \"<$P> to production\""))
                terminal.type("echo $?; stty -a\n")
                #expect(terminal.shows(" echo "), "the terminal shows keys again")
                #expect(!terminal.screen.contains("hush"))
            }

            @Test func theEndOfInputEndsTheLine() throws {
                let directory = try TemporaryDirectory()
                try directory.write(Self.lane, to: "Lanes/up.yml")
                let terminal = try PseudoTerminal(in: directory.path)
                terminal.type("unset CI; lane up\n")
                #expect(terminal.shows("target [1-2]: "))
                terminal.type("\u{4}")
                #expect(terminal.shows("\r\nError: Missing expected argument"))
            }

            @Test func aVariableAnswersTheQuestion() throws {
                let directory = try TemporaryDirectory()
                let keys = "password: { secret: true, required: true"
                try directory.write(Self.lane.replacing(keys, with: keys + ", env: SAFE"), to: "Lanes/up.yml")
                let terminal = try PseudoTerminal(in: directory.path)
                terminal.type("unset CI; lane up --target staging --plan\n")
                #expect(terminal.shows("password (hidden): "))
                terminal.type("\u{3}")
                #expect(terminal.shows("lane 'up' needs a value for 'password'"))
                #expect(terminal.shows("use '--password', or set SAFE"))
                terminal.type("SAFE=x lane up --target staging --plan\n")
                #expect(terminal.shows("echo \"<$P> to staging\""))
            }

            @Test func controlCInAHiddenAnswerKeepsTheTerminal() throws {
                let directory = try TemporaryDirectory()
                try directory.write(Self.lane, to: "Lanes/up.yml")
                let terminal = try PseudoTerminal(in: directory.path)
                terminal.type("unset CI; lane up --target staging\n")
                #expect(terminal.shows("password (hidden): "))
                terminal.type("abc\u{3}")
                #expect(terminal.shows("Missing expected argument '--password <string>'"))
                terminal.type("echo $?; stty -a\n")
                #expect(terminal.shows("64") && terminal.shows(" echo "))
            }
        }
    }
#endif
