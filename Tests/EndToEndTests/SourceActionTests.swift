import OperatingSystem
import TestSupport
import Testing

extension EndToEnd {
    @Suite("Actions on sources: lint, coverage, docs")
    struct SourceActionTests {
        private func lane(_ step: String, in package: MiniPackage) async throws -> CapturedRun {
            try package.directory.write("steps:\n  - \(step)\n", to: "Lanes/try.yml")
            return try await BuiltTool.lane.run(["try"], in: package.path)
        }

        @Test("Lint reports locations and changes nothing; its paths, rules and strictness are settings")
        func lint() async throws {
            let package = try MiniPackage()
            try package.directory.write("let  a = 1;\n", to: "Sources/Mini/Ugly.swift")
            let run = try await lane("lint: {}", in: package)
            #expect(run.report.status == 1)
            #expect(run.text.contains("Sources/Mini/Ugly.swift:1:"), "\(run.text)")
            #expect(try package.directory.read("Sources/Mini/Ugly.swift") == "let  a = 1;\n")
            #expect(try await lane("lint: { strict: false }", in: package).report.status == 0)
            #expect(try await lane("lint: Sources/Mini/Mini.swift", in: package).report.status == 0)
            try package.directory.write(
                #"{"version": 1, "rules": {"DoNotUseSemicolons": false}, "indentation": {"tabs": 1}}"#, to: "rules.json"
            )
            let tabs = try await lane(
                "lint: { paths: [Sources/Mini/MiniVersion.swift], rules: rules.json }", in: package)
            #expect(tabs.report.status == 1)
            #expect(tabs.text.contains("MiniVersion.swift:2:1"), "\(tabs.text)")
        }

        @Test("Coverage shows each file, writes its files, and fails below its thresholds")
        func coverage() async throws {
            let package = try MiniPackage(keepingBuildsAs: "coverage")
            try await package.commit()
            try package.directory.write(
                "public func covered() -> Int {\n    1\n}\n\npublic func uncovered() -> Int {\n    2\n}\n",
                to: "Sources/Mini/Half.swift")
            try package.directory.write(
                "import Mini\nimport Testing\n\n@Test func half() {\n    #expect(covered() == 1)\n}\n",
                to: "Tests/MiniTests/HalfTests.swift")
            let run = try await lane("test: { coverage-threshold: 50 }", in: package)
            #expect(run.report.status == 0, "\(run.text)")
            #expect(
                screen(run, in: package).hasSuffix(
                    """
                    note: line coverage of each file
                         50.0 %  3/6  Sources/Mini/Half.swift

                    ✔ 3 tests in 1 suite: 3 passed
                    ✔ try passed in <time>

                    """), "\(run.text)")
            #expect(try !listDirectory(package.path).contains { $0.hasSuffix(".profraw") })
            // The new file is not in git.
            let failed = try await lane(
                """
                test: { coverage-threshold: 90, coverage-changed-threshold: 60, coverage-changed-base: HEAD, \
                coverage-lcov: c.info, coverage-html: out/c.html }
                """,
                in: package)
            #expect(failed.report.status == 1)
            let text = screen(failed, in: package)
            expectGolden(
                String(text[(text.firstRange(of: "note: ")?.lowerBound ?? text.startIndex)...]), "coverage.txt")
            #expect(
                try package.directory.read("c.info") == """
                    SF:Sources/Mini/Half.swift
                    DA:1,1
                    DA:2,1
                    DA:3,1
                    DA:5,0
                    DA:6,0
                    DA:7,0
                    LF:6
                    LH:3
                    end_of_record

                    """)
            #expect(try package.directory.read("out/c.html").contains("public func uncovered() -&gt; Int {"))
            let wrong = try await lane("test: { coverage-threshold: 101 }", in: package)
            #expect(wrong.report.status == 65)
            #expect(
                wrong.errorText == """
                    Lanes/try.yml:2:33: error: expected a whole number from 0 to 100, found the number 101
                          - test: { coverage-threshold: 101 }
                                                        ^~~

                    """)
        }

        @Test("Docs build a site for any library, replaced by a rename, without files of another directory")
        func docs() async throws {
            let package = try MiniPackage(keepingBuildsAs: "docs")
            try package.directory.write(
                "/// Greets, see ``nobody``.\npublic func greet() {}\n", to: "Sources/Mini/Greet.swift")
            try package.directory.write("# ``Mini``\n\nAn article.\n", to: "Sources/Mini/Mini.docc/Mini.md")
            let run = try await lane("docs: { base-path: /mini }", in: package)
            #expect(run.report.status == 0, "\(run.text)")
            #expect(run.text.contains("Sources/Mini/Greet.swift:1:19: warning: 'nobody' doesn't exist"), "\(run.text)")
            #expect(fileExists("\(package.path)/dist/docs/data/documentation/mini/greet().json"))
            #expect(try package.directory.read("dist/docs/index.html").contains("/mini/"))
            #expect(try package.directory.read("dist/docs/data/documentation/mini.json").contains("An article."))

            try package.directory.write("", to: "dist/docs/stale.html")
            let strict = try await lane("docs: { warnings-as-errors: true }", in: package)
            #expect(strict.report.status == 1)
            expectGolden(screen(strict, in: package), "docs-warnings.txt")
            #expect(fileExists("\(package.path)/dist/docs/stale.html"))
            #expect(try await lane("docs: { targets: Mini }", in: package).report.status == 0)
            #expect(!fileExists("\(package.path)/dist/docs/stale.html"))
            #expect(try listDirectory("\(package.path)/dist") == [".gitignore", "docs"])

            try package.directory.write(
                "public struct Silent: CustomStringConvertible {\n    public var description: String { \"\" }\n}\n",
                to: "Sources/Mini/Silent.swift")
            let silent = try await lane("docs: { require-comments: true }", in: package)
            #expect(silent.report.status == 1)
            expectGolden(screen(silent, in: package), "docs-comments.txt")
            try removeTree("\(package.path)/Sources/Mini/Silent.swift")

            try package.directory.write("/// Beside it.\npublic struct Beside {}\n", to: "Sources/Other/Other.swift")
            try package.directory.write(
                try package.directory.read("Package.swift").replacing(
                    ".target(name: \"Mini\")", with: ".target(name: \"Mini\"), .target(name: \"Other\")"),
                to: "Package.swift")
            let both = try await lane("docs: { targets: [Mini, Other], base-path: /both }", in: package)
            #expect(both.report.status == 0, "\(both.text)")
            #expect(try listDirectory("\(package.path)/dist/docs/documentation") == ["index.html", "mini", "other"])
            #expect(try package.directory.read("dist/docs/documentation/other/index.html").contains("/both/"))

            let foreign = try await lane("docs: { output: Sources }", in: package)
            #expect(foreign.report.status == 65)
            expectGolden(redacted(foreign.text), "docs-other-directory.txt")
            let unknown = try await lane("docs: { targets: [Mimi] }", in: package)
            #expect(unknown.report.status == 65)
            expectGolden(redacted(unknown.text), "docs-unknown-target.txt")
        }
    }
}
