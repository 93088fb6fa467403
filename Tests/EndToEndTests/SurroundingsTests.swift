import OperatingSystem
import TestSupport
import Testing

extension EndToEnd {
    @Suite("Missing tools and settings are reported before anything changes")
    struct SurroundingsTests {
        @Test("Without HOME and a git identity the release is refused with a fix, and nothing changes")
        func noIdentity() async throws {
            let package = try MiniPackage(lanes: [
                "release": """
                transaction: true
                steps:
                  - require: { clean: true }
                  - bump: { version: 0.2.0 }
                  - commit: {}
                  - tag: {}
                """
            ])
            try await package.commit()
            let before = try await package.state()
            let kept = ["PATH", "LLVM_PROFILE_FILE", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM"]
            let environment = plainEnvironment().filter { kept.contains($0.key) }
            let run = try await capture(
                Command(BuiltTool.lane.path, ["release"], environment: environment, directory: package.path))
            #expect(run.report.status == 65)
            #expect(
                redacted(run.text) == """
                    ▸ require
                    ✘ require: git has no author for commits (exit status 65)
                        hint: git config user.name and user.email, or GIT_COMMITTER_NAME and _EMAIL
                    note: nothing has been changed in the repository

                    Steps
                      ✘ require  <time>  failed with exit status 65
                      ○ bump           -  skipped: 'require' failed
                      ○ commit         -  skipped: 'require' failed
                      ○ tag            -  skipped: 'require' failed

                    ✘ release failed with exit status 65 after <time>

                    """, "\(run.errorText)")
            #expect(try await package.state() == before)
        }

        @Test("A deleted current directory is an error, and no other is used instead")
        func removedDirectory() async throws {
            let (run, _) = try await runScript(
                "mkdir gone && cd gone && rmdir ../gone && \"$0\" list; echo status $?", lanes: ["a": "steps: [run: a]"]
            )
            #expect(run.text == "status 66\n")
            #expect(run.errorText.hasPrefix("error: the current directory was deleted\n"), "\(run.errorText)")
        }

        @Test("Without a terminal a missing parameter is an error before the first step")
        func missingParameter() async throws {
            let lane = """
                parameters:
                  target: { type: string, required: true, help: Where to }
                steps:
                  - run: touch ran
                """
            let (run, package) = try await runScript(
                "\"$0\" deploy < /dev/null; echo status $?", lanes: ["deploy": lane])
            #expect(run.text == "status 64\n")
            #expect(
                run.errorText == """
                    Error: Missing expected argument '--target <string>'
                    Usage: lane deploy [<options>]
                      See 'lane deploy --help' for more information.

                    """)
            #expect(!fileExists("\(package.path)/ran"))
        }

        @Test("Plan, list, check, help, graph and completion change nothing on disk")
        func readOnlyCommands() async throws {
            let lane = "steps:\n  - run: touch ran\n    inputs: [\"*.txt\"]\n    outputs: [ran]\n"
            let text = """
                mkdir w && cd w && mkdir Lanes && cp ../Lanes/build.yml Lanes && find . | sort > ../before
                for words in "build --plan" "build --plan --json" list "list --json" check "build --help" graph \\
                    schema "--complete lane bu" "completions bash" version "ci check"; do
                    "$0" $words > /dev/null 2>&1
                done
                find . | sort | diff ../before -
                """
            let (run, _) = try await runScript(text, lanes: ["build": lane])
            #expect(run.text == "" && run.report.status == 0, "\(run.text)\(run.errorText)")
        }
    }
}
