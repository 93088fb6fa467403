import Files
import Processes
import TestSupport
import Testing

extension EndToEnd {
    @Suite("What a machine may lack is told before anything has changed")
    struct SurroundingsTests {
        @Test("No home and no identity for git: the release is refused with the cure, and nothing is touched")
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
            #expect(run.text.contains("git has no author for commits"), "\(run.text)\(run.errorText)")
            #expect(run.text.contains("hint: git config user.name and user.email"))
            #expect(try await package.state() == before)
        }

        @Test("A folder that is gone is no place to work in, and no other is taken for it")
        func removedFolder() async throws {
            let (run, _) = try await runScript(
                "mkdir gone && cd gone && rmdir ../gone && \"$0\" list; echo status $?", lanes: ["a": "steps: [run: a]"]
            )
            #expect(run.text == "status 66\n")
            #expect(run.errorText.hasPrefix("error: the current directory was deleted\n"), "\(run.errorText)")
        }

        @Test("Nobody is asked for a parameter that is missing: it is named before the first step")
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
            #expect(run.errorText.contains("--target"), "\(run.errorText)")
            #expect(!fileExists("\(package.path)/ran"))
        }

        @Test("Looking changes nothing on disk: plan, list, check, help, graph, completion")
        func lookingOnly() async throws {
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
