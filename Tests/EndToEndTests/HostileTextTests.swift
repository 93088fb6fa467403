import OperatingSystem
import TestSupport
import Testing

extension EndToEnd {
    @Suite("Text in lane files and file names cannot move the cursor")
    struct HostileTextTests {
        private static let lane = """
            summary: "s\\e[2J\\a\\u009b2J"
            description: "d\\e]0;t\\a\\e[2J"
            parameters:
              "text": { type: string, default: "v\\e[2J", help: "h\\e[2J\\r" }
              kind: { type: enum, values: ["a\\e[2J", b], default: b }
            steps:
              - name: "n\\e[2J"
                run: "true"
                inputs: ["in/**", { path: "no\\e[2J/*", optional: true }]
              - name: "\\e[>4;2m fails"
                run: [nothing-of-this-name, "\\e[2J"]
            """

        /// Runs commands that print such text, most of them in errors.
        @Test("No control byte is printed", arguments: ["", "CLICOLOR_FORCE=1 TERM=xterm"])
        func nothing(_ settings: String) async throws {
            let text = """
                export \(settings.isEmpty ? "NO_COLOR=1" : settings)
                mkdir in && : > "in/$(printf 'f\\033[2J')"
                printf 'steps: [' > "Lanes/$(printf 'bad\\033[2J').yml"
                for words in list help "x --help" "x --plan" "x --plan --json" "x --why" "x --nope" "x --kind c" check \\
                    "graph x" history "y$(printf '\\033[2J')" "x --step z" "-C $(printf '\\033[2J') list" ; do
                    "$0" $words 2>&1
                done > all
                : >> "in/$(printf 'f\\033[2J')"; echo 1 > "in/$(printf 'f\\033[2J')"
                "$0" x --why >> all 2>&1
                sed 's/\\x1b\\[[0-9;]*m//g' all | tr -d '\\n\\t' | LC_ALL=C grep -c '[[:cntrl:]]'
                LC_ALL=C grep -c "$(printf '\\302\\233')" all
                """
            let (run, package) = try await runScript(text, lanes: ["x": Self.lane])
            let all = try package.directory.read("all")
            #expect(run.text == "0\n0\n", "\(all.debugDescription)")
        }
    }

    @Suite("A lane that starts itself as a program is stopped")
    struct NestedLaneTests {
        @Test("With any program in between", arguments: ["\"$0\" x", "sh -c 'exec \"$1\" x' sh \"$0\""])
        func selfStarting(_ command: String) async throws {
            let lane = "steps:\n  - run: |\n      \(command.replacing("$0", with: BuiltTool.lane.path))\n"
            let (run, _) = try await runScript("\"$0\" x; echo status $?", lanes: ["x": lane])
            #expect(run.text.hasSuffix("status 65\n"), "\(run.text)")
            #expect(run.text.contains("lanes have started each other 17 levels deep: 'x'"), "\(run.text)")
        }
    }
}
