import OperatingSystem
import TestSupport
import Testing

extension EndToEnd {
    @Suite("CI files are generated from the lanes")
    struct CIFilesTests {
        private static let project = repositoryRoot

        @Test("The CI files of this repository are up to date")
        func own() async throws {
            let run = try await BuiltTool.lane.run(["ci", "check"], in: Self.project)
            #expect(run.report.status == 0, "\(run.text)\(run.errorText)")
        }

        @Test("CI files are generated for any package, drift is reported with a fix, and a second run changes nothing")
        func anyPackage() async throws {
            let package = try MiniPackage(lanes: ["test": "summary: Tests\nsteps:\n  - test: {}\n"])
            let missing = try await lane(["ci", "check"], package)
            #expect(missing.report.status == 1 && missing.text.isEmpty)
            #expect(
                missing.errorText == """
                    error: there are no generated CI files
                    hint: run 'lane ci generate' and commit the files

                    """)
            #expect(
                try await lane(["ci", "generate"], package).text
                    == "written  .github/workflows/ci.yml\nwritten  .github/workflows/release.yml\n")
            #expect(
                try await lane(["ci", "generate"], package).text
                    == "kept     .github/workflows/ci.yml\nkept     .github/workflows/release.yml\n")
            #expect(try await lane(["ci", "check"], package).text == "2 generated files: up to date\n")

            try package.directory.write("summary: All tests\nsteps:\n  - test: {}\n", to: "Lanes/test.yml")
            let drift = try await lane(["ci", "check"], package)
            #expect(drift.report.status == 1)
            expectGolden(drift.text + drift.errorText, "ci-drift.txt")
        }

        @Test(
            "Handwritten files are not replaced without '--force', and generated files that are not needed are removed")
        func otherFiles() async throws {
            let package = try MiniPackage()
            try package.directory.write("name: mine\n", to: ".github/workflows/ci.yml")
            let refusal = try await lane(["ci", "generate"], package)
            #expect(refusal.report.status == 65)
            expectGolden(refusal.text + refusal.errorText, "ci-refusal.txt")
            #expect(try package.directory.read(".github/workflows/ci.yml") == "name: mine\n")
            _ = try await lane(["ci", "generate", "--force"], package)
            let jobs = try package.directory.read("Lanes/ci/jobs.yml")
            try package.directory.write("services: [circleci]\n\(jobs)", to: "Lanes/ci/jobs.yml")
            let run = try await lane(["ci", "generate"], package)
            expectGolden(run.text + run.errorText, "ci-other-service.txt")
            #expect(!fileExists("\(package.path)/.github/workflows/ci.yml"))
        }

        @Test("Packages below the root of a repository have separate files where the services read them")
        func belowTheRoot() async throws {
            let repository = try TemporaryDirectory()
            func manifest(_ name: String, _ more: String) -> String {
                "// swift-tools-version: 6.0\nimport PackageDescription\nlet package = Package(name: \"\(name)\"\(more))\n"
            }
            try repository.write(
                manifest("app", ", dependencies: [.package(path: \"../../libs/text\")]"), to: "apps/app/Package.swift")
            try repository.write(manifest("text", ""), to: "libs/text/Package.swift")
            for package in ["apps/app", "libs/text"] {
                try repository.write(
                    "services: [github, circleci, azure]\nlane: ci/lane\n", to: "\(package)/Lanes/ci/jobs.yml")
            }
            _ = try await capture(
                Command("git", ["init", "-q"], environment: plainEnvironment(), directory: repository.path))
            func lane(_ package: String, _ words: String...) async throws -> CapturedRun {
                try await BuiltTool.lane.run(words, in: "\(repository.path)/\(package)")
            }
            let first = try await lane("apps/app", "ci", "generate")
            #expect(
                first.text == """
                    written  ../../.circleci/config.yml
                    written  ../../.github/workflows/apps_app_ci.yml
                    written  ../../.github/workflows/apps_app_release.yml
                    written  ci/azure-pipelines.yml

                    """, "\(first.errorText)")
            #expect(first.errorText.isEmpty)
            #expect(try await lane("libs/text", "ci", "generate").report.status == 0)
            for package in ["apps/app", "libs/text"] {
                #expect(try await lane(package, "ci", "check").text == "4 generated files: up to date\n")
            }
            let workflow = try repository.read(".github/workflows/apps_app_ci.yml")
            #expect(workflow.contains("      - apps/app/**\n      - libs/text/**\n"), "\(workflow)")

            try repository.write("services: [github]\nlane: ci/lane\n", to: "libs/text/Lanes/ci/jobs.yml")
            #expect(try await lane("libs/text", "ci", "check").text.hasPrefix("--- ../../.circleci/config.yml\n"))
            let second = try await lane("libs/text", "ci", "generate")
            #expect(second.text.hasSuffix("removed  ci/azure-pipelines.yml\n"), "\(second.text)")
            #expect(try await lane("apps/app", "ci", "check").text == "4 generated files: up to date\n")
            #expect(!(try repository.read(".circleci/config.yml").contains("libs_text")))

            // Git keeps the directory of a removed package if it has ignored files.
            try repository.write("", to: "libs/text/.build/debug.yaml")
            try repository.write(manifest("app", ""), to: "apps/app/Package.swift")
            for name in ["Package.swift", "Lanes"] { try removeTree("\(repository.path)/libs/text/\(name)") }
            let removal = try await lane("apps/app", "ci", "generate")
            #expect(removal.text.contains("removed  ../../.github/workflows/libs_text_ci.yml\n"), "\(removal.text)")
            try repository.write(manifest("text", ""), to: "libs/text/Package.swift")
            try repository.write("services: [github]\nlane: ci/lane\n", to: "libs/text/Lanes/ci/jobs.yml")

            try repository.write("name: mine\n", to: ".github/workflows/libs_text_ci.yml")
            #expect(
                try await lane("libs/text", "ci", "generate").errorText == """
                    error: '../../.github/workflows/libs_text_ci.yml' would be replaced, but was not generated for this package
                    hint: move the necessary parts to Lanes/ci/jobs.yml, and run 'lane ci generate --force'

                    """)
            #expect(try repository.read(".github/workflows/libs_text_ci.yml") == "name: mine\n")
        }

        @Test("Without a known address of lane, the package must name one")
        func unknownAddress() async throws {
            let package = try MiniPackage()
            for task in ["generate", "check"] {
                let before = try await BuiltTool.lane.run(["ci", task], in: package.path)
                #expect(before.report.status == 65)
                #expect(
                    before.errorText.hasPrefix(
                        "error: the repository from which the jobs get lane is unknown\nhint: mkdir -p Lanes/ci && echo "
                    ))
                #expect(before.text.isEmpty && !fileExists("\(package.path)/.github"))
            }
            let place = "https://host.test/tracer.git"
            try package.directory.write("lane: { repository: \(place), version: 0.1.0 }\n", to: "Lanes/ci/jobs.yml")
            let after = try await BuiltTool.lane.run(["ci", "generate"], in: package.path)
            #expect(after.report.status == 0, "\(after.errorText)")
            #expect(after.errorText.hasPrefix("note: the job 'release' compiles lane in each run"))
            #expect(try package.directory.read(".github/workflows/ci.yml").contains("--branch 0.1.0 \(place) "))
        }

        @Test("A default branch that starts no job is written to jobs.yml, or reported if that names others")
        func ownBranch() async throws {
            let package = try MiniPackage(lanes: ["test": "steps: [test: {}]\n"])
            try package.directory.write("#!/bin/sh\n", to: "ci/lane", mode: 0o755)
            try await package.commit()
            let clone = try TemporaryDirectory()
            let script = "git -C \"$0\" switch -qc trunk && git clone -q \"$0\" \"$1\""
            let made = try await capture(
                Command("sh", ["-ec", script, package.path, clone.path], environment: plainEnvironment()))
            #expect(made.report.status == 0, "\(made.errorText)")
            let first = try await BuiltTool.lane.run(["ci", "generate"], in: clone.path)
            #expect(first.report.status == 0)
            #expect(first.errorText.isEmpty)
            #expect(try clone.read("Lanes/ci/jobs.yml") == "branches: [trunk]\n")
            try clone.write("branches: [main]\n", to: "Lanes/ci/jobs.yml")
            #expect(
                try await BuiltTool.lane.run(["ci", "generate"], in: clone.path).errorText == """
                    warning: pushes to 'trunk', the default branch, would not start a job
                    hint: set 'branches: [trunk]' in Lanes/ci/jobs.yml

                    """)
            // With several branches, the default one is unknown.
            let other = "cd \"$0\"; git remote remove origin; git switch -qc develop; git branch -qm trunk next"
            let switched = try await capture(
                Command("sh", ["-ec", other, clone.path], environment: plainEnvironment()))
            #expect(switched.report.status == 0, "\(switched.errorText)")
            #expect(
                try await BuiltTool.lane.run(["ci", "generate"], in: clone.path).errorText == """
                    warning: pushes to 'develop' or 'next' would not start a job
                    hint: set 'branches' in Lanes/ci/jobs.yml

                    """)
        }

        @Test("A workflow with a similar name is reported")
        func namesakes() async throws {
            let package = try MiniPackage(lanes: ["test": "steps: [test: {}]\n"])
            try package.directory.write("#!/bin/sh\n", to: "ci/lane", mode: 0o755)
            for name in ["CI.yaml", "ci-old.yml"] {
                try package.directory.write("on: push\n", to: ".github/workflows/\(name)")
            }
            let generated = try await lane(["ci", "generate"], package)
            #expect(generated.report.status == 0)
            #expect(
                generated.errorText == """
                    warning: GitHub runs both '.github/workflows/CI.yaml' and '.github/workflows/ci.yml'
                    hint: remove the duplicate jobs from '.github/workflows/CI.yaml'
                    note: the job 'release' compiles lane in each run, because jobs that may write to the repository use no cache
                    hint: set 'sha256' in 'lane' of Lanes/ci/jobs.yml, so that they download the release

                    """)
            #expect(try package.directory.read(".github/workflows/CI.yaml") == "on: push\n")
        }

        @Test("Each input of a form reaches lane as one argument")
        func inputs() async throws {
            let lane = """
                parameters:
                  note: { type: string, position: 1, help: A line }
                  loud: { type: bool, default: false, help: In capitals }
                  safe: { type: bool, default: true, help: With care }
                  count: { type: int, required: true, help: How often }
                steps:
                  - run: [tool]
                """
            let package = try MiniPackage(lanes: ["tell": lane])
            try package.directory.write("jobs: { tell: { lanes: [tell], on: manual } }\n", to: "Lanes/ci/jobs.yml")
            try package.directory.write("#!/bin/sh\nfor word; do echo \"<$word>\"; done\n", to: "ci/lane", mode: 0o755)
            #expect(try await self.lane(["ci", "generate"], package).report.status == 0)
            let lines = try package.directory.read(".github/workflows/tell.yml").split(separator: "\n")
            let script = lines.drop { !$0.hasPrefix("        run: |") }.dropFirst().prefix {
                $0.hasPrefix("          ")
            }
            let hostile = "it's \"a\" $(touch owned) `touch owned`; touch owned"
            let run = try await capture(
                Command(
                    "sh", ["-ec", script.map { $0.dropFirst(10) + "\n" }.joined()],
                    environment: plainEnvironment().merging([
                        "LANE_PARAMETER_NOTE": hostile, "LANE_PARAMETER_LOUD": "true", "LANE_PARAMETER_SAFE": "false",
                        "LANE_PARAMETER_COUNT": "3",
                    ]) { $1 }, directory: package.path))
            #expect(run.text == "<tell>\n<--note=\(hostile)>\n<--loud>\n<--no-safe>\n<--count=3>\n", "\(run.errorText)")
            #expect(!fileExists("\(package.path)/owned"))
        }

        @Test("A restored .build is up to date in a fresh checkout, and a change of the same size is built")
        func cache() async throws {
            let package = try MiniPackage()
            try await package.commit()
            let text = """
                git clone -q . work && cd work && "$0" ci stamp && swift build >../one 2>&1 && mv .build ../kept
                cd .. && rm -rf work && git clone -q . work && mv kept work/.build
                cd work && "$0" ci stamp && swift build >../two 2>&1
                sed -i s/hello/jello/ Sources/Mini/Mini.swift && "$0" ci stamp && swift build >../three 2>&1
                """
            let (run, _) = try await runScript(text, lanes: [:], in: package)
            #expect(run.report.succeeded, "\(run.text)\(run.errorText)")
            let built = try ["one", "two", "three"].map { try package.directory.read($0).contains("Compiling") }
            #expect(built == [true, false, true])
        }

        @Test("Submodules are dated by their content, too")
        func submodules() async throws {
            let text = """
                git init -q two.git-source && (cd two.git-source && echo two > deep && git add deep && git commit -qm begin)
                git -c protocol.file.allow=always submodule --quiet add "$PWD/two.git-source" inner 2> log
                for round in one two; do
                    touch Package.swift inner/deep
                    "$0" ci stamp > /dev/null && stat -c %Y Package.swift inner/deep
                done
                rm -rf two.git-source
                """
            let package = try MiniPackage()
            try await package.commit()
            let (run, _) = try await runScript(text, lanes: [:], in: package)
            let times = run.text.split(separator: "\n").compactMap { Int($0) }
            #expect(times.count == 4 && Array(times[..<2]) == Array(times[2...]), "\(run.text)\(run.errorText)")
        }

        private func lane(_ arguments: [String], _ package: MiniPackage) async throws -> CapturedRun {
            let jobs = "\(package.path)/Lanes/ci/jobs.yml"
            if !fileExists(jobs) {
                try package.directory.write(
                    "lane: { repository: https://host.test/lane.git, version: 0.1.0 }\n", to: "Lanes/ci/jobs.yml")
            }
            return try await BuiltTool.lane.run(arguments, in: package.path)
        }
    }
}
