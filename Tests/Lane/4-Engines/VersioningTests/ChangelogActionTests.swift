import ActionFixtures
import Actions
import Expressions
import Git
import LaneModel
import OperatingSystem
import TestSupport
import Testing
import Text
import Versioning

@Suite(.startsPrograms) struct ChangelogActionTests {
    @Test func theActionReadsCommitsAndWritesLinks() throws {
        let fixture = try GitFixture.package()
        try fixture.git("tag 0.1.0")
        try fixture.git("remote add origin git@github.com:example/shape.git")
        try fixture.commit("feat: corners")
        try fixture.run(BumpAction(), ["version": .string("0.2.0")])
        let result = try fixture.run(ChangelogAction())
        #expect(result.outputs["notes"] == .string("### Added\n\n- Corners"))
        let text = try fixture.read("CHANGELOG.md")
        #expect(
            text == """
                # Changelog

                All notable changes to this project are documented in this file. The format is based on
                [Keep a Changelog](https://keepachangelog.com/en/1.1.0/), and this project adheres to
                [Semantic Versioning](https://semver.org/spec/v2.0.0.html).

                ## [Unreleased]

                ## [0.2.0] - 2026-11-21

                ### Added

                - Corners

                [Unreleased]: https://github.com/example/shape/compare/0.2.0...HEAD
                [0.2.0]: https://github.com/example/shape/compare/0.1.0...0.2.0

                """)
        #expect(text.hasSuffix("\n[0.2.0]: https://github.com/example/shape/compare/0.1.0...0.2.0\n"))
        #expect(try fixture.run(ChangelogAction()).skipReason == "there is already a section for 0.2.0")
    }

    @Test func theFileMayBeSpeltInOtherLetters() throws {
        let fixture = try GitFixture.package()
        try fixture.write("# Changes\n", to: "Changelog.md")
        try fixture.commit("feat: corners")
        try fixture.run(ChangelogAction(), ["version": .string("0.2.0")])
        #expect(
            try fixture.read("Changelog.md") == """
                # Changes

                ## [Unreleased]

                ## [0.2.0] - 2026-11-21

                ### Added

                - Corners

                ### Changed

                - Begin

                """)
        #expect(try fixture.git("ls-files --others --modified --exclude-standard") == "Changelog.md")
    }

    @Test(arguments: ["CHANGES.md", "History.markdown", "CHANGELOG", "NEWS.md", "RELEASES.md", "docs/Changelog.md"])
    func theFileMayHaveAnotherName(name: String) throws {
        let fixture = try GitFixture.package()
        try fixture.git("tag 0.1.0")
        try fixture.shell("rm -f CHANGELOG.md; echo words > CHANGES.txt; mkdir CHANGELOG.d")
        try fixture.write("# 0.1.0\n\n- First\n", to: name)
        try fixture.commit("feat: corners")
        try fixture.run(ChangelogAction(), ["version": .string("0.2.0")])
        let text = try fixture.read(name)
        #expect(text.hasPrefix("# 0.2.0\n\n## Added\n\n- Corners\n\n# 0.1.0\n"), "\(text)")
        #expect(try fixture.git("ls-files --others --modified --exclude-standard") == name)
    }

    @Test func aFileWithoutVersionsIsNotTakenForAChangelog() throws {
        let fixture = try GitFixture.package()
        try fixture.shell("rm -f CHANGELOG.md")
        try fixture.write("Since 0.1.0:\n- First\n", to: "CHANGELOG")
        try fixture.commit("feat: corners")
        let settings = Settings(["version": .string("0.2.0")])
        let events = RecordedEvents()
        let context = fixture.context(events: events)
        #expect(
            ChangelogAction().forecast(of: settings, in: context, after: [:]).summary
                == "write the section of 0.2.0 in CHANGELOG.md, a new file; 'CHANGELOG' is not changed, because no heading in it names a version"
        )
        _ = try ChangelogAction().run(settings, in: context)
        #expect(events.messages == ["'CHANGELOG' is not changed, because no heading in it names a version"])
        #expect(try fixture.read("CHANGELOG") == "Since 0.1.0:\n- First\n")
    }

    /// Plain text has versions on lines of their own. Files in other formats are left.
    @Test(
        arguments: [
            ("CHANGELOG", "0.1.0\n- First\n", "0.2.0\n\n- Corners\n\n0.1.0\n- First\n"),
            (
                "CHANGES.txt", "v0.1.0 (2026-01-01):\n  * First\n",
                "v0.2.0 (2026-11-21):\n\n- Corners\n\nv0.1.0 (2026-01-01):\n  * First\n"
            ),
            (
                "HISTORY", "\n0.1.0 / 2026-01-01\n==================\n\n  * First\n",
                "\n0.2.0 / 2026-11-21\n==================\n\n## Added\n\n- Corners\n\n0.1.0 / 2026-01-01\n==================\n\n  * First\n"
            ),
            ("CHANGES.rst", "0.1.0\n=====\n\n- First\n", nil), ("changelog.adoc", "= 0.1.0\n\n- First\n", nil),
        ] as [(String, String, String?)]) func plainTextIsAChangelog(name: String, old: String, new: String?) throws
    {
        let fixture = try GitFixture.package()
        try fixture.git("tag 0.1.0")
        try fixture.shell("rm -f CHANGELOG.md")
        try fixture.write(old, to: name)
        try fixture.commit("feat: corners")
        try fixture.run(ChangelogAction(), ["version": .string("0.2.0")])
        #expect(try fixture.read(name) == new ?? old)
        #expect(
            try fixture.git("ls-files --others --modified --exclude-standard") == (new == nil ? "CHANGELOG.md" : name))
    }

    @Test func aPlanNamesAFileThatCannotBeRead() throws {
        let fixture = try GitFixture.package()
        try fixture.shell("rm CHANGELOG.md; mkfifo CHANGELOG.md")
        let settings = Settings(["version": .string("0.2.0")])
        let forecast = ChangelogAction().forecast(of: settings, in: fixture.context(), after: [:])
        #expect(forecast.obstacles.count == 1)
        #expect(forecast.obstacles[0].hasSuffix("CHANGELOG.md': expected a file, found a pipe"))
        #expect(fixture.refusal(of: ChangelogAction(), ["version": .string("0.2.0")])?.message == forecast.obstacles[0])
    }

    /// The plan contains the reason, and the step leaves the file.
    @Test func aPlanNamesTheHeadingThatIsMissing() throws {
        let fixture = try GitFixture.package()
        try fixture.write("# Changelog\n\n## January\n\n- First\n", to: "CHANGELOG.md")
        let settings = Settings(["version": .string("0.2.0")])
        let reason = "CHANGELOG.md:3: expected a heading with a version, found '## January'"
        let forecast = ChangelogAction().forecast(of: settings, in: fixture.context(), after: [:])
        #expect(forecast.obstacles == [reason])
        let refusal = fixture.refusal(of: ChangelogAction(), ["version": .string("0.2.0")])
        #expect(
            refusal?.message
                == "\(reason)\nhint: add the heading '## [Unreleased]' above the notes of the next version")
        #expect(try fixture.read("CHANGELOG.md") == "# Changelog\n\n## January\n\n- First\n")
    }

    @Test func theDateMayBeGiven() throws {
        let fixture = try GitFixture.package()
        try fixture.run(
            ChangelogAction(), ["version": .string("0.1.0")], environment: ["SOURCE_DATE_EPOCH": "951782400"])
        #expect(
            try fixture.read("CHANGELOG.md") == """
                # Changelog

                All notable changes to this project are documented in this file. The format is based on
                [Keep a Changelog](https://keepachangelog.com/en/1.1.0/), and this project adheres to
                [Semantic Versioning](https://semver.org/spec/v2.0.0.html).

                ## [Unreleased]

                ## [0.1.0] - 2000-02-29

                ### Changed

                - Begin

                """)
        let other = fixture.refusal(
            of: ChangelogAction(), ["version": .string("0.2.0")],
            environment: ["SOURCE_DATE_EPOCH": "yesterday"])
        #expect(other?.message == "SOURCE_DATE_EPOCH: expected seconds since 1970, found 'yesterday'")
    }

    @Test func linesOfMessagesMayEndAsOnWindows() throws {
        let commit = GitCommit(hash: "", subject: "fix: it", body: "Words.\r\n\r\nBREAKING CHANGE: it\r\n")
        #expect(try #require(CommitEntry(commit)).isBreaking)
    }
}
