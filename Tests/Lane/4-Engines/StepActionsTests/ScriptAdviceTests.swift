import Testing

@testable import StepActions

@Suite struct ScriptAdviceTests {
    @Test(arguments: [
        (126, "sh: 1: ./deploy.sh: Permission denied\n", "chmod +x ./deploy.sh"),
        (126, "sh: 1: ./s p.sh: Permission denied\n", "chmod +x './s p.sh'"),
        (
            127, "sh: 1: source: not found\n",
            "'sh' has no 'source'; write '.', or 'run: { command: …, shell: bash -euo pipefail }'"
        ),
        (127, "x\nsh: 3: [[: not found\n", "'sh' has no '[['; write 'run: { command: …, shell: bash -euo pipefail }'"),
        (
            2, "sh: 1: LANE_ENV: parameter not set\n",
            "give the step an 'id', so that it can pass values to later steps"
        ),
        (
            2, "sh: 1: HOEM: parameter not set\n",
            "correct the name of the variable, set it in 'env' or with \"$LANE_ENV\" in an earlier step, "
                + "or write '${HOEM:-}' if it may be missing"
        ),
        (
            1, "bash: line 1: 1: unbound variable\n",
            "a script has no arguments; use '${{ arguments }}' or a parameter of the lane"
        ),
        (
            127, "sh: 1: swiftlint: not found\n",
            "brew install swiftlint, or see https://github.com/realm/SwiftLint"
        ),
        (127, "sh: 1: “date”: not found\n", "use straight quotes: \" or '"), (127, "sh: 1: ./a: not found\n", nil),
        (127, "sh: 1: npm: not found\n", nil), (126, "Permission denied\n", nil), (1, "failed\n", nil),
    ])
    func messagesOfTheShell(_ status: Int32, _ output: String, _ hint: String?) {
        #expect(ScriptAdvice.hint(for: "x", status: status, output: output, isInteractive: false) == hint)
    }

    @Test func aProducerCanBeEndedBySIGPIPE() {
        let hint = ScriptAdvice.hint(for: "yes | head -1", status: 141, output: "y\n", isInteractive: false)
        #expect(hint?.contains("write '{ COMMAND || [ $? = 141 ]; } | head'") == true)
        #expect(ScriptAdvice.hint(for: "exit 141", status: 141, output: "", isInteractive: false) == nil)
    }

    @Test(arguments: [
        ("read name", true), ("echo Name; read -r name && echo $name", true), ("read a < file", false),
        ("date | read a", false), ("already read", false), ("exit 1", false),
    ])
    func stepsHaveNoInput(_ script: String, isHinted: Bool) {
        let hint = ScriptAdvice.hint(for: script, status: 1, output: "", isInteractive: false)
        #expect((hint?.contains("'interactive: true'") ?? false) == isHinted)
        let other = ScriptAdvice.hint(for: script, status: 1, output: "", isInteractive: true)
        #expect((other?.contains("no terminal") ?? false) == isHinted)
    }

    @Test(arguments: [
        ("diff <(a) <(b)", "sh: 1: Syntax error: \"(\" unexpected\n", "'<(…)'"),
        ("x=a; echo ${x^^}", "sh: 1: Bad substitution\n", "'${x^^}'"),
        ("a=(1 2)", "sh: 1: Syntax error: \"(\" unexpected\n", "'a=(…)'"),
        ("function f { date; }", "sh: 1: Syntax error: \"}\" unexpected\n", "'function'"),
        ("set -o nothing", "sh: 1: set: Illegal option -o nothing\n", nil),
        ("read -s x", "sh: 1: read: Illegal option -s\n", "'read -s'"),
        ("printf -v x a", "sh: 1: printf: Illegal option -v\n", "'printf -v'"),
        ("echo $RANDOM", "sh: 1: RANDOM: parameter not set\n", "'RANDOM'"),
        ("echo $BASH_VERSION", "sh: 1: BASH_VERSION: parameter not set\n", "'BASH_VERSION'"),
        ("if true; do date", "sh: 1: Syntax error: \"do\" unexpected\n", nil),
    ])
    func syntaxOfBash(_ script: String, _ output: String, _ syntax: String?) {
        let hint = ScriptAdvice.hint(for: script, status: 2, output: output, isInteractive: false)
        #expect(hint == syntax.map { "'sh' has no \($0); write 'run: { command: …, shell: bash -euo pipefail }'" })
    }

    @Test(arguments: [
        ("Traceback:\n  x\nEOFError: EOF when reading a line\n", true),
        ("sudo: a terminal is required to read the password; either use …\nsudo: a password is required\n", true),
        ("sudo: no tty present and no askpass program specified\n", true),
        ("fatal: could not read Username for 'https://host.example': No such device or address\n", true),
        ("the input device is not a TTY\n", true),
        ("gpg: signing failed: Inappropriate ioctl for device\n\nfatal: failed to write commit object\n", true),
        ("stdin: is not a tty\n", false), ("the input device is not a TTY\n1\n2\n3\n", false), ("", false),
    ])
    func aStepHasNoTerminal(_ output: String, isHinted: Bool) {
        #expect((ScriptAdvice.terminalHint(for: output) != nil) == isHinted)
    }

    @Test func aCommandThatIsNotInTheScriptIsSyntaxOfBash() {
        func hint(_ script: String, _ status: Int32, _ output: String) -> String? {
            ScriptAdvice.hint(for: script, status: status, output: output, isInteractive: false)
        }
        let bash = "write 'run: { command: …, shell: bash -euo pipefail }'"
        #expect(hint("x=1; ((x++))", 127, "sh: 1: x++: not found\n") == "'sh' has no '((…))'; \(bash)")
        #expect(hint("((x)); y", 127, "bash: line 1: y: command not found\n") == nil)
        #expect(hint("trap 'a' ERR", 1, "trap: ERR: bad trap\n") == "'sh' has no 'trap … ERR'; \(bash)")
        #expect(
            hint("set -o pipefail", 2, "sh: 1: set: Illegal option -o pipefail\n")
                == "'sh' has no 'set -o pipefail'; remove it, because a pipeline fails with its first failing command")
    }
}
