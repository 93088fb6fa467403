import OperatingSystem
import TestSupport
import Testing
import Text

/// Lanes as users write them on their first day. Each prints what its author expects.
@Suite struct EverydayLaneTests {
    struct Example: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The contents of `Lanes/a.yml`.
        let lane: String
        var words: [String] = ["a"]
        /// Other files, by their paths.
        var files: [String: String] = [:]
        /// The parts of the output, in any order.
        let prints: [String]
        var status: Int32 = 0

        init(
            _ name: String, _ lane: String, words: [String] = ["a"], files: [String: String] = [:],
            prints: [String], status: Int32 = 0
        ) {
            (testDescription, self.lane, self.words, self.files) = (name, lane, words, files)
            (self.prints, self.status) = (prints, status)
        }
    }

    @Test(arguments: [commands, values, structure, results].flatMap { $0 })
    func itRuns(_ example: Example) throws {
        var session = try Session(example.files.merging(["Lanes/a.yml": example.lane]) { $1 })
        session.processes = ChildRunner()
        session.environment["API_TOKEN"] = "0123456789"
        let checked = try session.run("check")
        #expect(checked.status == .done && checked.errors.isEmpty, "\(checked.errors)")
        let outcome = try session.run(example.words)
        #expect(outcome.status.rawValue == example.status, "\(outcome.transcript)")
        for text in example.prints { #expect(outcome.output.contains(text), "\(outcome.transcript)") }
    }

    private static let commands: [Example] = [
        Example("a command", "steps:\n  - run: echo hello\n", prints: ["\nhello\n", "a passed"]),
        Example("a script", "steps:\n  - run: |\n      for x in 1 2; do echo \"<$x>\"; done\n", prints: ["<1>\n<2>\n"]),
        Example("a program with arguments", "steps:\n  - run: [printf, '<%s>', a b]\n", prints: ["<a b>"]),
        Example("a pipe", "steps:\n  - run: printf 'b\\na\\n' | sort\n", prints: ["\na\nb\n"]),
        Example(
            "another shell", "steps:\n  - run: { shell: bash, command: 'x=(1 2); echo \"${#x[@]} values\"' }\n",
            prints: ["2 values"]),
        Example(
            "a directory", "steps:\n  - run: ls\n    directory: site\n", files: ["site/index.html": ""],
            prints: ["index.html"]),
        Example(
            "a service",
            "steps:\n  - service: { run: 'echo up; exec sleep 60', ready-line: up }\n  - run: echo used\n",
            prints: ["used", "a passed"]),
    ]

    private static let values: [Example] = [
        Example(
            "a parameter",
            "parameters: { name: { default: you } }\nsteps:\n  - run: echo Hello, ${{ parameters.name }}\n",
            words: ["a", "--name", "Ada"], prints: ["Hello, Ada\n"]),
        Example(
            "a choice",
            """
            parameters: { to: { type: enum, values: [staging, production], position: 1 } }
            steps:
              - run: [echo, "${{ parameters.to }}"]

            """,
            words: ["a", "production"], prints: ["\nproduction\n"]),
        Example(
            "several files",
            """
            parameters: { files: { variadic: true, position: 1 } }
            steps:
              - run: [printf, '<%s>', "${{ parameters.files }}"]

            """,
            words: ["a", "x", "y z"], prints: ["<x><y z>"]),
        Example(
            "arguments for a tool", "steps:\n  - run: [echo, \"${{ arguments }}\"]\n", words: ["a", "--", "-v", "x"],
            prints: ["-v x"]),
        Example(
            "a variable", "env: { SITE: build/site }\nsteps: [run: 'echo \"in $SITE\"']\n",
            prints: ["in build/site"]),
        Example(
            "a dotenv file", "dotenv: [.env]\nsteps: [run: 'echo \"port $PORT\"']\n", files: [".env": "PORT=8080\n"],
            prints: ["port 8080"]),
        Example(
            "a value of a command", "let: { day: { run: echo Monday } }\nsteps: [run: 'echo On ${{ let.day }}']\n",
            prints: ["On Monday"]),
        Example(
            "an output",
            """
            steps:
              - id: size
                run: echo bytes=12 >> "$LANE_OUTPUT"
              - run: echo ${{ steps.size.bytes }} bytes

            """,
            prints: ["12 bytes"]),
        Example(
            "a variable for later steps",
            "steps:\n  - id: set\n    run: echo MODE=fast >> \"$LANE_ENV\"\n  - run: echo \"mode $MODE\"\n",
            prints: ["mode fast"]),
        Example(
            "a secret", "secrets: [API_TOKEN]\nsteps:\n  - run: echo \"with $API_TOKEN\"\n    secrets: [API_TOKEN]\n",
            prints: ["with ***"]),
    ]

    private static let structure: [Example] = [
        Example(
            "a lane that needs another", "needs: [b]\nsteps: [run: echo second]\n",
            files: ["Lanes/b.yml": "steps: [run: echo first]\n"], prints: ["\nfirst\n", "\nsecond\n"]),
        Example(
            "a lane as a step", "steps:\n  - lane: b\n    parameters: { x: 1 }\n",
            files: ["Lanes/b.yml": "parameters: { x: int }\nsteps: [run: 'echo x is ${{ parameters.x }}']\n"],
            prints: ["x is 1"]),
        Example(
            "two lanes", "steps: [run: echo one]\n", words: ["a", "b"],
            files: ["Lanes/b.yml": "steps: [run: echo two]\n"], prints: ["\none\n", "\ntwo\n"]),
        Example(
            "a matrix", "matrix: { mode: [debug, release] }\nsteps: [run: 'echo in ${{ matrix.mode }}']\n",
            prints: ["in debug", "in release"]),
        Example(
            "parallel steps", "steps:\n  - parallel:\n      - run: echo left\n      - run: echo right\n",
            prints: ["left", "right"]),
        Example(
            "a step for each file", "steps:\n  - foreach: { files: 'Pages/*.md' }\n    run: echo page ${{ item }}\n",
            files: ["Pages/a.md": "", "Pages/b.md": ""], prints: ["page Pages/a.md", "page Pages/b.md"]),
        Example(
            "shared settings", "include: [_common]\nsteps: [run: 'echo \"as $ROLE\"']\n",
            files: ["Lanes/_common.yml": "env: { ROLE: admin }\n"], prints: ["as admin"]),
        Example("another name", "aliases: [t]\nsteps: [run: echo done]\n", words: ["t"], prints: ["a passed"]),
        Example("the default", "default: true\nsteps: [run: echo done]\n", words: [], prints: ["a passed"]),
        Example("a plan", "steps: [run: rm -r Lanes]\n", words: ["a", "--plan"], prints: ["a/run  rm -r Lanes"]),
    ]

    private static let results: [Example] = [
        Example(
            "a condition", "steps:\n  - run: echo never\n    if: ci.active\n  - run: echo here\n",
            prints: ["\nhere\n", "skipped"]),
        Example(
            "a message after a failure",
            "steps: [run: exit 3]\non-failure: [run: echo sorry]\nalways: [run: echo cleaned]\n",
            prints: ["\nsorry\n", "\ncleaned\n", "failed with exit status 3"], status: 3),
        Example(
            "a retry", "steps:\n  - run: test -e again || { touch again; exit 1; }\n    retry: 1\n",
            prints: ["a passed"]),
        Example(
            "a time limit", "steps:\n  - run: sleep 60\n    timeout: 100ms\n", prints: ["timed out after 0.1"],
            status: 124),
        Example(
            "a step that may fail", "steps:\n  - run: exit 1\n    continue-on-error: true\n  - run: echo on\n",
            prints: ["\non\n", "a passed"]),
        Example(
            "a question", "confirm: Deploy?\nsteps: [run: echo deployed]\n", words: ["a", "--yes"],
            prints: ["\ndeployed\n"]),
    ]

    @Test func aStepIsUpToDateUntilAFileChanges() throws {
        let lane = "steps:\n  - run: cp in out; echo copied\n    inputs: [in]\n    outputs: [out]\n"
        var session = try Session(["Lanes/a.yml": lane, "in": "1"])
        session.processes = ChildRunner()
        #expect(try session.run("a").output.contains("copied"))
        #expect(try session.run("a").output.contains("up to date"))
        try session.directory.write("2", to: "in")
        #expect(try session.run("a").output.contains("copied"))
    }
}
