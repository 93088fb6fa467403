import OperatingSystem
import TestSupport
import Testing

extension EndToEnd {
    @Suite("A package without lane files has built-in lanes")
    struct BuiltInLaneTests {
        @Test("A package without tests is released with a warning")
        func withoutTests() async throws {
            let package = try MiniPackage(keepingBuildsAs: "without-tests")
            try removeTree("\(package.path)/Tests")
            try package.directory.write(
                try package.directory.read("Package.swift").replacing(
                    ", .testTarget(name: \"MiniTests\", dependencies: [\"Mini\"])", with: ""), to: "Package.swift")
            try await package.commit()
            let test = try await BuiltTool.lane.run(["test"], in: package.path)
            #expect(test.report.status == 4)
            #expect(
                redacted(test.text) == """
                    ▸ test
                    ✘ test: the package has no tests (exit status 4)
                        hint: add a test target to Package.swift, or let the step succeed with 'test: { allow-empty: true }'

                    ✘ test failed with exit status 4 after <time>

                    """)
            #expect(try await BuiltTool.lane.run(["test", "--allow-empty"], in: package.path).report.status == 0)
            let run = try await BuiltTool.lane.run(["release", "0.2.0"], in: package.path)
            #expect(run.report.status == 0, "\(run.text)\(run.errorText)")
            #expect(run.text.contains("skipped: the package has no tests"), "\(run.text)")
            #expect(try await package.git("tag", "--list") == "0.2.0\n")
        }

        /// The content of `.gitignore`. The first one is that of `swift package init`.
        @Test(
            "A new package that was built before is released and published",
            .enabled(if: hasTool("curl"), "needs curl"),
            arguments: [".DS_Store\n/.build\n/Packages\nxcuserdata/\nDerivedData/\n", ".build/\n.lane/\ndist/\n"])
        func published(ignored: String) async throws {
            let place = try await PublishingTests.Place(lane: nil)
            try removeTree("\(place.package.path)/Sources/Mini/MiniVersion.swift")
            try place.package.directory.write(
                "import Mini\nimport Testing\n\n@Test func greets() { #expect(greeting == \"hello\") }\n",
                to: "Tests/MiniTests/MiniTests.swift")
            try place.package.directory.write(ignored, to: ".gitignore")
            try await place.package.git("add", "-A")
            try await place.package.git("commit", "-q", "-m", "Begin")
            // Creates the directories that `.gitignore` lists.
            let lanes = ignored.contains("dist") ? ["build", "test", "package"] : ["test"]
            for lane in lanes {
                let run = try await place.lane(lane)
                #expect(run.report.status == 0, "\(run.text)\(run.errorText)")
            }
            let run = try await place.lane("release", "0.2.0", "--publish")
            #expect(run.report.status == 0, "\(run.text)\(run.errorText)")
            let releases = place.gitHub.state.releases
            #expect(releases.count == 1 && !releases[0].isDraft)
            let changes = try await place.package.git("show", "--format=%s", "--name-only", "0.2.0^{commit}")
            #expect(changes == "Release 0.2.0\n\nCHANGELOG.md\n")
            #expect(try await place.package.git("status", "--porcelain", "--", ":!dist") == "")
            let pushed = try await place.package.git("ls-remote", "origin", "refs/heads/main", "refs/tags/0.2.0^{}")
            let commit = try await place.package.git("rev-parse", "HEAD").prefix(40)
            #expect(pushed == "\(commit)\trefs/heads/main\n\(commit)\trefs/tags/0.2.0^{}\n")
        }

        @Test("A package that has only plugins is released")
        func pluginsAlone() async throws {
            let package = try MiniPackage()
            try removeTree("\(package.path)/Tests")
            try removeTree("\(package.path)/Sources")
            try package.directory.write(
                """
                // swift-tools-version: 6.0
                import PackageDescription
                let package = Package(
                    name: "Gen", products: [.plugin(name: "Gen", targets: ["Gen"])],
                    targets: [.plugin(name: "Gen", capability: .buildTool())])

                """, to: "Package.swift")
            try package.directory.write("", to: "Plugins/Gen/Gen.swift")
            try await package.commit()
            let test = try await BuiltTool.lane.run(["test"], in: package.path)
            #expect(test.report.status == 4)
            expectGolden(redacted(test.text), "nothing-to-build.txt")
            let run = try await BuiltTool.lane.run(["release", "0.2.0"], in: package.path)
            #expect(run.report.status == 0, "\(run.text)\(run.errorText)")
            #expect(
                redacted(run.text) == """
                    ▸ require
                    ▸ bump
                    ▸ changelog
                    ▸ commit
                    ▸ test
                    ▸ package
                    ▸ tag
                    note: 'main' is at <hash> now, with the tag '0.2.0'

                    Steps
                      ✔ require                            <time>
                      ○ check that publishing is possible        -  skipped: condition 'parameters.publish || parameters.pull-request' does not hold
                      ○ bump                                     -  skipped: no file names the version, only the tag will
                      ✔ changelog                          <time>
                      ✔ commit                             <time>
                      ○ test                                     -  skipped: the package has no tests
                      ○ pull-request                             -  skipped: condition 'parameters.pull-request' does not hold
                      ○ package                                  -  skipped: the package has no products to package
                      ✔ tag                                <time>
                      ○ publish                                  -  skipped: condition 'parameters.publish' does not hold

                    ✔ release passed in <time>

                    """)
            #expect(try await package.git("tag", "--list") == "0.2.0\n")
        }
    }
}
