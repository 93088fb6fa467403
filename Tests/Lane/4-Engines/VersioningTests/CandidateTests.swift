import ActionFixtures
import Actions
import Expressions
import LaneModel
import TestSupport
import Testing
import Text

@testable import Versioning

/// Tests of a final version after its prereleases.
@Suite(.startsPrograms) struct CandidateTests {
    private func package() throws -> GitFixture {
        let fixture = try GitFixture("plain")
        try fixture.write("let package = Package(name: \"plain\")\n", to: "Package.swift")
        try fixture.commit("Begin")
        try fixture.git("tag 1.0.0")
        return fixture
    }

    /// Commits and tags. `release` is relative to the next tag, as documented.
    private func release(_ word: String, _ fixture: GitFixture) throws -> String {
        let version = try #require(try fixture.run(BumpAction(), ["version": .string(word)]).outputs["version"]?.text)
        try fixture.run(ChangelogAction(), ["version": .string(version)])
        try fixture.commit("Release \(version)")
        try fixture.git("tag \(version)")
        return version
    }

    private func notes(_ version: String, _ fixture: GitFixture) throws -> String? {
        Changelog(try fixture.read("CHANGELOG.md")).notes(for: try #require(SemanticVersion(version)))
    }

    @Test func theFinalVersionHasTheNotesOfAll() throws {
        let fixture = try package()
        try fixture.commit("feat: corners")
        #expect(try release("preminor", fixture) == "1.1.0-rc.1")
        try fixture.commit("fix: holes")
        #expect(try release("prerelease", fixture) == "1.1.0-rc.2")
        #expect(try notes("1.1.0-rc.2", fixture) == "### Fixed\n\n- Holes")
        #expect(try release("release", fixture) == "1.1.0")
        #expect(try notes("1.1.0", fixture) == "### Added\n\n- Corners\n\n### Fixed\n\n- Holes")
        #expect(try notes("1.1.0-rc.1", fixture) == "### Added\n\n- Corners")
    }

    @Test func candidatesWithoutSectionsAreReadFromTheCommits() throws {
        let fixture = try package()
        try fixture.commit("feat: corners")
        try fixture.git("tag 1.1.0-rc.1")
        try fixture.commit("fix: holes")
        #expect(try release("auto", fixture) == "1.1.0")
        #expect(try notes("1.1.0", fixture) == "### Added\n\n- Corners\n\n### Fixed\n\n- Holes")
    }

    /// An earlier tag, the commits after it, and the version that they require.
    @Test(
        arguments: [
            ("1.1.0-rc.1", [], "1.1.0"), ("1.0.1-rc.1", ["feat: x"], "1.1.0"), ("1.1.0-rc.1", ["fix: x"], "1.1.0"),
            ("1.1.0-rc.1", ["feat!: x"], "2.0.0"), ("2.0.0-rc.1", ["fix: x"], "2.0.0"),
            ("1.1.0-rc.1", ["docs: x"], "1.1.0"),
        ] as [(String, [String], String)]) func automaticVersions(tag: String, commits: [String], version: String)
        throws
    {
        let fixture = try package()
        try fixture.commit("fix: first")
        try fixture.git("tag \(tag)")
        for commit in commits { try fixture.commit(commit) }
        #expect(try fixture.run(BumpAction(), ["version": .string("auto")]).outputs["version"] == .string(version))
        #expect(try fixture.run(BumpAction()).outputs["version"] == .string(version))
    }

    @Test func notesByHandAreJoinedBelowTheirHeadings() throws {
        let one = "Some words.\n\n### Added\n\n- One\n  and more\n- Two\n\n```\n## no heading\n\n- One\n```"
        let two = "### Fixed\n\n- Hole\n\n### Added\n\n- Two\n- Three"
        var changelog = Changelog(
            """
            # Changelog

            ## [Unreleased]

            ### Removed

            - Old

            ## [1.1.0-rc.2] - 2026-02-02

            \(two)

            ## [1.1.0-rc.1] - 2026-01-01

            \(one)

            ## [1.0.1-rc.1] - 2025-01-01

            - Not this

            """)
        try changelog.release(
            try #require(SemanticVersion("1.1.0")), date: "2026-03-03", entries: [], tag: "1.1.0", previousTag: nil,
            address: nil)
        let expected = """
            Some words.

            ### Added

            - One
              and more
            - Two

            ```
            ## no heading

            - One
            ```

            - Three

            ### Fixed

            - Hole

            ### Removed

            - Old
            """
        #expect(changelog.notes(for: try #require(SemanticVersion("1.1.0"))) == expected)
        #expect(changelog.text.contains("## [1.1.0-rc.1] - 2026-01-01\n\n\(one)\n"))
    }

    @Test func candidatesWithoutNotesSayNothing() throws {
        let fixture = try package()
        try fixture.commit("docs: words")
        #expect(try release("prepatch", fixture) == "1.0.1-rc.1")
        #expect(try release("release", fixture) == "1.0.1")
        #expect(try notes("1.0.1", fixture) == "No changes for users.")
        try fixture.commit("fix: holes")
        #expect(try release("prepatch", fixture) == "1.0.2-rc.1")
        #expect(try release("release", fixture) == "1.0.2")
        #expect(try notes("1.0.2", fixture) == "### Fixed\n\n- Holes")
    }

    /// Lane files and the command line accept the same words as the actions.
    @Test func parametersAcceptAllWords() {
        let words = ["major", "minor", "patch", "premajor", "preminor", "prepatch", "prerelease", "release", "auto"]
        for word in words {
            #expect(SettingType.version.reads(word))
            #expect(VersionRequest(word) != nil)
        }
        let parts = Generator<String>.element(of: words + ["1.2.3", "1.2", "01.2.3", "pre", "Minor", "", "v1.2.3"])
        let tails = Generator<String>.element(of: [
            "", ":beta", ":rc.1", ":1", ":", ":a-b", "-rc.1", "-01", "+x.01", " ",
        ])
        checkProperty("both take the same", zip(parts, tails)) { head, tail in
            let text = head + tail
            return text.isEmpty || SettingType.version.reads(text) == (VersionRequest(text) != nil)
        }
    }
}
