import Expressions
import LaneFixtures
import LaneModel
import OperatingSystem
import TestSupport
import Testing
import Text

/// Tests of expressions in shell scripts that run in a real shell.
@Suite struct ShellScriptTests {
    /// Returns the settings of a `run` step with a script.
    ///
    /// - Parameter warning: The message about the script.
    private func settings(_ script: String, _ value: String, warning: String? = nil) throws -> Settings {
        let lines = script.split(separator: "\n", omittingEmptySubsequences: false).map { "      \($0)" }
        let text = "parameters: { x: string }\nsteps:\n  - run: |\n" + lines.joined(separator: "\n") + "\n"
        let files = LaneFiles.check([SourceFile(path: "Lanes/a.yml", text: text)], with: .samples)
        #expect(files.diagnostics.all.map(\.message) == [warning].compactMap(\.self))
        let plan = try Planner(files).plan(lane: "a", arguments: ["x": value])
        return try plan.steps[0].task.settings.evaluate(in: EvaluationContext(parameters: ["x": .string(value)]))
    }

    private static let hostile = [
        "plain", "two words", "a'b", "a\"b", "$HOME", "$(touch owned)", "`touch owned`", "; touch owned", "* ?", "a\\b",
        "line\nbreak\n",
        "-n", "ü", "", "'\u{301}; touch owned", "\"\u{301}$(touch owned)", "EOF", "${LANE_VALUE_1}", "!x",
    ]

    @Test(
        arguments: [
            "printf %s ${{ parameters.x }}",
            "printf %s \"${{ parameters.x }}\"",
            "printf %s '${{ parameters.x }}'",
            "printf %s \"$(printf %s ${{ parameters.x }}; printf .)\"",
            "printf %s \"$(printf %s \"${{ parameters.x }}\"; printf .)\"",
            "# don't\nprintf %s ${{ parameters.x }}",
            "printf %s \\\"${{ parameters.x }}\\\"",
            "x=${{ parameters.x }}; printf %s \"$x\"",
            "(printf %s ${{ parameters.x }})",
            "printf %s a'b'${{ parameters.x }}\"c\"",
            "[ $((1 << 2)) -eq $(((1<<1) << 1)) ]\nprintf %s ${{ parameters.x }}",
            "[ \"$((1 << $(printf 2)))\" -eq 4 ]\nprintf %s ${{ parameters.x }}",
        ], hostile) func aValueArrivesAsItIs(_ script: String, _ value: String) throws
    {
        let around =
            ["\\\"": ("\"", "\""), "a'b'": ("ab", "c"), "printf .": ("", ".")]
            .first { script.contains($0.key) }?.value ?? ("", "")
        #expect(try output(of: script, value) == around.0 + value + around.1)
    }

    /// Some shells read quotes in an arithmetic expression as a mistake.
    @Test func aValueInAnArithmeticExpression() throws {
        #expect(try output(of: "printf %s $((${{ parameters.x }} << (1 + 1)))", "3") == "12")
        #expect(try output(of: "printf %s \"$((${{ parameters.x }} << 1))\" ${{ parameters.x }}", "3") == "63")
        // Only some shells know this command.
        let warning = "'((…))' needs Bash, and the script runs with 'sh'"
        let script = "((x = 1 << 2))\nprintf %s ${{ parameters.x }}"
        let command = try settings(script, "a b", warning: warning).string("command")
        #expect(command?.hasSuffix("\nprintf %s \"${LANE_VALUE_1}\"\n") == true)
    }

    @Test(arguments: hostile) func aValueInAHereDocument(_ value: String) throws {
        #expect(try output(of: "cat <<EOF\nx ${{ parameters.x }} 'y'\nEOF", value) == "x \(value) 'y'\n")
        #expect(
            try output(of: "cat <<-END | cat\n\tx ${{ parameters.x }}\n\tEND\nprintf %s ${{ parameters.x }}", value)
                == "x \(value)\n\(value)")
    }

    /// To Swift, a quote with a combining mark is one character. To a shell, it is a quote.
    @Test(arguments: hostile) func quotesWithCombiningMarksCount(_ value: String) throws {
        #expect(try output(of: "printf %s '\u{301}${{ parameters.x }}'\u{301}", value) == "\u{301}\(value)\u{301}")
    }

    private func output(of script: String, _ value: String) throws -> String {
        let settings = try settings(script, value)
        let directory = try TemporaryDirectory()
        var environment = ["PATH": "/usr/bin:/bin"]
        for variable in settings.variables { environment[variable.name] = variable.value }
        let text = try shell(try #require(settings.string("command")), environment, in: directory.path)
        // The script that users see does the same without the variables.
        let shown = settings.shown(script: try #require(settings.string("command")))
        #expect(try shell(shown, ["PATH": "/usr/bin:/bin"], in: directory.path) == text, "\(shown)")
        #expect(try entries(of: directory.path).isEmpty, "the value was run as a command")
        return text
    }

    private func shell(_ script: String, _ environment: [String: String], in directory: String) throws -> String {
        var output: [UInt8] = []
        let command = Command("/bin/sh", ["-euc", script], environment: environment, directory: directory)
        let report = try ChildRunner().run(command, limits: RunLimits(timeout: .seconds(20))) { _, bytes in
            output += bytes
        }
        #expect(report.succeeded, "\(String(decoding: output, as: UTF8.self))")
        return String(decoding: output, as: UTF8.self)
    }

    @Test func quotedHereDocumentsAreRejected() {
        let text =
            "parameters: { x: string }\nsteps:\n  - run: |\n      cat <<'END'\n      ${{ parameters.x }}\n      END\n"
        let files = LaneFiles.check([SourceFile(path: "Lanes/a.yml", text: text)], with: .samples)
        #expect(
            files.diagnostics.all.map(\.message) == [
                "an expression cannot be used in a here-document with a quoted delimiter"
            ])
        #expect(files.diagnostics.all.first?.span?.location == "Lanes/a.yml:5:11")
    }
}
