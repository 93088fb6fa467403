import ActionFixtures
import Actions
import OperatingSystem
import TestSupport
import Testing

/// Tests that a release that failed leaves its build directory to the next attempt, and nothing else.
@Suite(.startsPrograms) struct KeptBuildTests {
    @Test func theNextAttemptBuildsIncrementally() throws {
        let fixture = try GitFixture("mini")
        try fixture.write(
            """
            // swift-tools-version: 6.0
            import PackageDescription
            let package = Package(name: "mini", targets: [.target(name: "Mini"), .target(name: "Other")])

            """, to: "Package.swift")
        try fixture.write("public let mini = 1\n", to: "Sources/Mini/mini.swift")
        try fixture.write("public let other = 1\n", to: "Sources/Other/other.swift")
        try fixture.writeBuildProducts()
        try fixture.commit("Begin")
        func build() throws -> String {
            let transaction = try fixture.beginUnbuilt()
            defer { transaction.abandon() }
            let run = try ChildRunner().capture(
                Command(
                    "swift", ["build"], environment: buildEnvironment().merging(fixture.environment) { $1 },
                    directory: transaction.directory))
            #expect(run.report.succeeded, "\(run.text)\(run.errorText)")
            return run.text
        }
        #expect(try build().contains("Compiling Mini"))
        let again = try build()
        #expect(!again.contains("Compiling"), "\(again)")
        // The same size
        try fixture.write("public let mini = 2\n", to: "Sources/Mini/mini.swift")
        try fixture.commit("fix: number")
        let changed = try build()
        #expect(changed.contains("Compiling Mini") && !changed.contains("Compiling Other"), "\(changed)")
    }

    /// Archives are built from scratch, and a release leaves no build directory.
    @Test(arguments: ["sample", "a b"]) func onlyTheBuildIsKept(name: String) throws {
        let fixture = try GitFixture.ready(name)
        let first = try fixture.begin()
        try fixture.shell(
            "cd '\(first.directory)'; mkdir -p .build/lane-package dist; touch .build/lane-package/a dist/a; echo 1 > .build/kept; echo x > version.txt"
        )
        let time = try fixture.shell("stat -c %Y '\(first.directory)/deep/er/file.txt'")
        first.abandon()
        #expect(try fixture.git("worktree list").split(separator: "\n").count == 1)
        try fixture.shell("touch deep/er/file.txt")
        let second = try fixture.beginUnbuilt()
        #expect(
            try fixture.shell("cd '\(second.directory)'; ls -A . .build; cat version.txt") == """
                .:
                .build
                .git
                .gitignore
                deep
                old.txt
                version.txt

                .build:
                debug
                kept
                lane-place
                version 0.1.0
                """)
        #expect(try fixture.shell("stat -c %Y '\(second.directory)/deep/er/file.txt'") == time)
        try fixture.releaseSteps(in: second.directory)
        fixture.planRelease(second)
        try second.commit()
        #expect(try fixture.shell("ls .git/lane") == "lock\nreleased.json")
    }
}
