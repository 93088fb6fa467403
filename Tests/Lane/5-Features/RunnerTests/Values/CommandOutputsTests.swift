import Expressions
import LaneFixtures
import LaneModel
import OperatingSystem
import TestSupport
import Testing
import Text

@testable import Runner

@Suite struct CommandOutputsTests {
    private let directory: TemporaryDirectory
    private let environment = ["PATH": "/usr/bin:/bin", "TOKEN": "hidden-value", "OTHER": "x"]

    init() throws { directory = try TemporaryDirectory() }

    /// Returns the commands of a lane's `let` with evaluated settings for a parameter `text`.
    private func commands(_ values: String) throws -> [(command: ValueCommand, settings: Settings)] {
        let text = "parameters: { text: { default: '' } }\nsecrets: [TOKEN]\nlet:\n\(values)\nsteps: [run: x]\n"
        let checked = LaneFiles.check([SourceFile(path: "Lanes/a.yml", text: text)], with: .samples)
        #expect(checked.diagnostics.all.map(\.message) == [])
        let context = EvaluationContext(parameters: ["text": .string("a'b $(c)")])
        return try checked.lanes[0].values.compactMap { value in
            guard case .output(let command) = value.source else { return nil }
            return (command, try command.settings.evaluate(in: context))
        }
    }

    private func outputs(_ values: String) throws -> [String] {
        let outputs = CommandOutputs(
            root: directory.path, secrets: ["TOKEN"], processes: ChildRunner(), cancellation: Cancellation())
        return try commands(values).map { try outputs.text(of: $0.command, $0.settings, in: environment) }
    }

    @Test func scriptsAndListsRunInTheRoot() throws {
        try directory.write("one\ntwo\n\n", to: "file")
        #expect(
            try outputs(
                "  a: { run: cat file }\n  b: { run: [echo, a  b] }\n  c: { run: 'echo ${{ parameters.text }}' }")
                == ["one\ntwo", "a  b", "a'b $(c)"])
    }

    @Test func aCommandGetsOnlyTheSecretsThatItNames() throws {
        let script = "run: 'echo \"<${TOKEN-}><$OTHER>\"'"
        #expect(
            try outputs("  a: { \(script) }\n  b: { \(script), secrets: [TOKEN] }") == [
                "<><x>", "<hidden-value><x>",
            ])
    }

    @Test func theSameCommandRunsOnce() throws {
        let script = "run: 'echo x >> log; wc -l < log'"
        #expect(try outputs("  a: { \(script) }\n  b: { \(script) }") == ["1", "1"])
    }

    @Test(arguments: [
        ("run: 'echo one >&2; echo two >&2; exit 3'", "the command failed with exit status 3: two"),
        (
            "{ run: 'echo $TOKEN >&2; exit 1', secrets: [TOKEN] }",
            "the command failed with exit status 1: ***"
        ),
        ("run: 'printf \"a\\\\000\"'", "the output of the command contains NUL"),
        ("run: [no-such-program]", "no-such-program"),
    ])
    func anErrorHasItsCauseAndItsLocation(command: String, message: String) throws {
        let value = command.hasPrefix("{") ? command : "{ \(command) }"
        #expect {
            try outputs("  a: \(value)")
        } throws: { error in
            let error = error as? Diagnostic
            return error?.message.contains(message) == true && error?.span?.location == "Lanes/a.yml:4:6"
        }
    }
}
