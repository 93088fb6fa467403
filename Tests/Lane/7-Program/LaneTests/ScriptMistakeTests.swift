import OperatingSystem
import TestSupport
import Testing
import Text

/// Commands and values that a shell, or no shell, reads in another way than their author expects.
@Suite struct ScriptMistakeTests {
    private static let run = MistakeTests.run

    @Test(arguments: [
        ("cd sub", "set 'directory' in the next steps"), ("[cd, sub]", "set 'directory' in the next steps"),
        ("|\n      date\n      export MODE=fast", "set 'env' in the lane"),
    ])
    func aStepWithoutEffectIsAWarning(_ command: String, _ hint: String) throws {
        let session = try Session(["Lanes/a.yml": "steps:\n  - run: \(command)\n  - run: ls\n"])
        let outcome = try session.run("check")
        #expect(outcome.status == .done)
        #expect(outcome.errors.contains("has no effect, because each step has its own shell"), "\(outcome.errors)")
        #expect(outcome.errors.contains("\nhint: \(hint)"), "\(outcome.errors)")
    }

    @Test(arguments: ["env: { A: $HOME/b }\n\(run)", "steps: [{ run: date, env: { A: ~/b } }]\n"])
    func aValueThatNoShellExpandsIsAWarning(_ lane: String) throws {
        let outcome = try Session(["Lanes/a.yml": lane]).run("check")
        #expect(outcome.status == .done)
        #expect(outcome.errors.contains("hint: write '${{ env.HOME }}/b'"), "\(outcome.errors)")
    }

    @Test(arguments: [
        ("PATH: bin:$PATH", "write 'bin:${{ env.PATH }}'"), ("PATH: 'bin:${PATH}'", "write 'bin:${{ env.PATH }}'"),
        ("FLAGS: '-v ${FLAGS}'", nil),
    ])
    func aVariableThatExtendsItselfIsAWarning(_ member: String, _ hint: String?) throws {
        let outcome = try Session(["Lanes/a.yml": "env: { \(member) }\n\(Self.run)"]).run("check")
        #expect(outcome.status == .done)
        #expect(outcome.errors.contains("no shell replaces"), "\(outcome.errors)")
        #expect(outcome.errors.contains("hint: \(hint ?? "")") == (hint != nil), "\(outcome.errors)")
    }

    @Test(arguments: ["A: b$C", "PATH: $PATHS", "PATH: bin:$PATHS"])
    func anotherVariableInAValueIsNoWarning(_ member: String) throws {
        let outcome = try Session(["Lanes/a.yml": "env: { \(member) }\n\(Self.run)"]).run("check")
        #expect(outcome.errors.isEmpty, "\(outcome.errors)")
    }

    @Test(arguments: [
        ("if [[ -n a ]]; then date; fi", "'[[' needs Bash", "shell: bash -euo pipefail"),
        ("echo -e a", "'echo -e' needs Bash", "write 'printf'"), ("[ a == b ]", "'==' needs Bash", "write '='"),
    ])
    func syntaxOfBashIsAWarning(_ command: String, _ message: String, _ hint: String) throws {
        let outcome = try Session(["Lanes/a.yml": "steps:\n  - run: |\n      \(command)\n"]).run("check")
        #expect(outcome.status == .done)
        #expect(outcome.errors.contains(message) && outcome.errors.contains(hint), "\(outcome.errors)")
        let bash = "steps:\n  - run: |\n      #!/usr/bin/env -S bash -eu\n      \(command) ${{ platform.os }}\n"
        #expect(try Session(["Lanes/a.yml": bash]).run("check").errors.isEmpty)
    }

    @Test(arguments: [
        (">\n      echo one\n      echo two", "echo two"),
        (">-\n      date\n\n      echo a\n      b\n      echo c", "echo c"),
        ("echo one\n      echo two", "echo two"), (">\n      # a comment\n      date", "date"),
        (">\n      cd a\n      swift build", "swift build"), (">\n      set -eu\n      date", "date"),
        ("|\n      echo one\n      echo two", nil), (">\n      echo one\n\n      echo two", nil),
        (">\n      swift build\n      --product a\n      swift", "swift"),
        (">\n      swift build &&\n      swift test", nil), (">\n      swift build \\\n      swift", nil),
        (">\n      swift build\n      && swift test", nil), (">\n      echo 'a\n      echo b'", nil),
        (">\n      echo a\n        echo b\n      echo c", nil), (">\n      tool deploy\n      a b\n      --c d", nil),
        (">\n      for a in b; do\n      for c in d; do echo; done; done", nil),
        (">\n      cd a &&\n      swift build", nil), (">\n      cd a; swift\n      build", nil),
        ("'echo one\n      echo two'", nil), (">\n      A=1\n      swift build", nil),
    ])
    func aCommandThatYAMLJoinsToAnotherIsAWarning(_ command: String, _ line: String?) throws {
        let outcome = try Session(["Lanes/a.yml": "steps:\n  - run: \(command)\n"]).run("check")
        #expect(outcome.status == .done)
        #expect(outcome.errors.contains("YAML joins the lines") == (line != nil), "\(outcome.errors)")
        if let line { #expect(outcome.errors.contains("'\(line)' is a part of"), "\(outcome.errors)") }
    }

    @Test(arguments: [
        ("echo '{{ parameters.x }}'", "write '${{ parameters.x }}'"), ("[echo, '{{env.A}}']", "write '${{ env.A }}'"),
        ("echo '{{x}}'", "write '${{ parameters.x }}'"), ("echo '{{ .x }}'", "write '${{ parameters.x }}'"),
        ("swift test {{.CLI_ARGS}}", "write '${{ arguments }}'"),
        ("echo '${{ env.A }}'", nil), ("docker ps --format '{{.Names}} {{ json .env }}'", nil),
    ])
    func anExpressionWithoutItsDollarIsAWarning(_ command: String, _ hint: String?) throws {
        let lane = "parameters: { x: string }\nsteps:\n  - run: \(command)\n"
        let outcome = try Session(["Lanes/a.yml": lane]).run("check")
        #expect(outcome.status == .done)
        #expect(outcome.errors.contains("is plain text") == (hint != nil), "\(outcome.errors)")
        if let hint { #expect(outcome.errors.contains("hint: \(hint)"), "\(outcome.errors)") }
    }

    @Test(arguments: [
        ("steps: [run: [echo, $HOME]]\n", "write '${{ env.HOME }}'"),
        ("steps: [run: [echo, a, '&&', ls]]\n", "write the command as a string"),
        ("steps: [run: [ls, ~/a]]\n", "write the command as a string"),
        ("let: { v: $(git rev-parse HEAD) }\n\(run)", "write 'v: { run: git rev-parse HEAD }'"),
        ("steps: [{ run: 'echo ${{ item }}', foreach: Sources/* }]\n", "write 'foreach: { files: Sources/* }'"),
        ("steps: [{ run: 'echo ${{ item }}', foreach: 'a, b' }]\n", "write a list: [a, b]"),
        ("steps: [{ run: 'echo ${{ item }}', foreach: 1..3 }]\n", "write a list: [1, 2, 3]"),
        ("steps: [run: [swift build, swift test]]\n", "write '- run: swift build' for each command"),
        ("steps: [{ run: [a/b c], foreach: a.. }]\n", nil),
        ("steps: [{ run: [awk, $1, a&&b], foreach: [a/b, '*'] }]\nlet: { v: a$(b) }\n", nil),
        ("let: { v: [{ run: build, os: linux }] }\n\(run)", nil),
    ])
    func textThatNoShellReadsIsAWarning(_ lane: String, _ hint: String?) throws {
        let outcome = try Session(["Lanes/a.yml": lane]).run("check")
        #expect(hint == nil ? outcome.errors.isEmpty : outcome.status == .done, "\(outcome.errors)")
        if let hint { #expect(outcome.errors.contains("\nhint: \(hint)\n"), "\(outcome.errors)") }
    }

    @Test func aDirectoryInPlaceOfAScriptNeedsNoPermission() throws {
        var session = try Session(["Lanes/a.yml": "steps: [run: ./Scripts]\n", "Scripts/file": ""])
        session.processes = ChildRunner()
        let outcome = try session.run("a")
        #expect(outcome.output.contains("126") && !outcome.output.contains("chmod"), "\(outcome.transcript)")
    }

    @Test func aScriptWithTheLineEndsOfWindows() throws {
        var session = try Session(["Lanes/a.yml": "steps: [run: ./a.sh]\n"])
        session.processes = ChildRunner()
        try session.directory.write("#!/bin/sh\r\ndate\r\n", to: "a.sh", mode: 0o755)
        let outcome = try session.run("a")
        #expect(outcome.output.contains("hint: save './a.sh' with Unix line endings"), "\(outcome.transcript)")
    }

    @Test func theOptionsOfAShellMayBeNamedWithC() throws {
        let lane = "steps: [run: { command: date, shell: bash --norc -o noclobber }]\n"
        #expect(try Session(["Lanes/a.yml": lane]).run("check").errors.isEmpty)
    }

    @Test(arguments: ["cd sub && ls", "cd sub; ls", "(cd sub\n      ls)", "echo export", "cdrecord x"])
    func aStepWithAnEffectIsNone(_ command: String) throws {
        let outcome = try Session(["Lanes/a.yml": "steps:\n  - run: |\n      \(command)\n"]).run("check")
        #expect(outcome.errors.isEmpty, "\(outcome.errors)")
    }
}
