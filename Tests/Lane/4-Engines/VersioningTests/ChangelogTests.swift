import Actions
import Expressions
import Git
import LaneModel
import TestSupport
import Testing
import Text
import Versioning

@Suite struct ChangelogTests {
    private func released(_ text: String, _ commits: [String] = [], previous: String? = "v0.1.0") throws -> String {
        var changelog = Changelog(text)
        let version = try #require(SemanticVersion("0.2.0"))
        try changelog.release(
            version, date: "2026-11-21", entries: CommitEntry.list(commits.map { GitCommit(hash: "", subject: $0) }),
            tag: "v0.2.0", previousTag: previous, address: nil)
        return changelog.text
    }

    @Test func unreleasedBecomesTheSection() throws {
        let text = """
            # Changelog

            ## [Unreleased]

            ### Added

            - Corners

            ## [0.1.0] - 2026-01-01

            - First

            [Unreleased]: https://example.org/o/r/compare/v0.1.0...HEAD
            [0.1.0]: https://example.org/o/r/releases/tag/v0.1.0

            """
        #expect(
            try released(text, ["feat: not used"]) == """
                # Changelog

                ## [Unreleased]

                ## [0.2.0] - 2026-11-21

                ### Added

                - Corners

                ## [0.1.0] - 2026-01-01

                - First

                [Unreleased]: https://example.org/o/r/compare/v0.2.0...HEAD
                [0.2.0]: https://example.org/o/r/compare/v0.1.0...v0.2.0
                [0.1.0]: https://example.org/o/r/releases/tag/v0.1.0

                """)
    }

    @Test func commitsFillAnEmptySection() throws {
        let commits = [
            "feat(cli): corners", "fix: crash on empty paths", "docs: words", "Merge branch 'x'", "Parser: reads tabs",
            "feat!: new names", "Release 0.1.0", "chore: nothing", "deprecate: old names", "Fix: holes",
            "Merge adjacent strokes", "API!: tokens", "revert: feat: nothing of this range",
        ]
        #expect(
            try released("# Changelog\n\n## Unreleased\n", commits) == """
                # Changelog

                ## Unreleased

                ## [0.2.0] - 2026-11-21

                ### Added

                - Cli: corners
                - **Breaking:** New names

                ### Changed

                - Parser: reads tabs
                - Merge adjacent strokes
                - **Breaking:** API: tokens
                - Revert "feat: nothing of this range"

                ### Deprecated

                - Old names

                ### Fixed

                - Crash on empty paths
                - Holes

                """)
    }

    /// The section stays for the notes of the next version.
    @Test(arguments: [
        "### Added\n\n### Fixed", "#### Breaking\n\n* None.\n\n#### Bug Fixes\n\n* None.", "- Nothing yet ",
        "_No changes yet._",
        "<!-- a line for each change -->", "<!--\nA line for each change:\n\n## 0.0.9\n\n- Fixed: …\n-->\n* None.",
    ]) func templatesAreNotNotes(template: String) throws {
        let text = "# Changelog\n\n## Unreleased\n\n\(template)\n\n## 0.1.0\n\n- First\n"
        #expect(
            try released(text, ["fix: a crash"]) == """
                # Changelog

                ## Unreleased

                \(template)

                ## 0.2.0

                ### Fixed

                - A crash

                ## 0.1.0

                - First

                """)
    }

    @Test func commitsThatSayTheSameAreOneLine() throws {
        let subjects = ["fix: a crash", "Parser: tabs", "fix: a crash", "feat: a crash", "Parser: tabs"]
        #expect(
            try released("# Changelog\n\n## 0.1.0\n\n- First\n", subjects) == """
                # Changelog

                ## 0.2.0

                ### Added

                - A crash

                ### Changed

                - Parser: tabs

                ### Fixed

                - A crash

                ## 0.1.0

                - First

                """)
    }

    @Test func aTemplateWithOneNoteIsTakenAsItIs() throws {
        let notes = "### Added\n\n- Nothing but corners\n\n### Fixed\n\n* None."
        let text = "# Changelog\n\n## Unreleased\n\n\(notes)\n\n## 0.1.0\n\n- First\n"
        let expected = "# Changelog\n\n## Unreleased\n\n## 0.2.0\n\n\(notes)\n\n## 0.1.0\n\n- First\n"
        #expect(try released(text, ["fix: a crash"]) == expected)
    }

    /// Some changelogs have the name of a branch for the section of unreleased notes.
    @Test(arguments: [
        ("## Main", "## 0.1.0", "## 0.2.0"), ("## master", "## 0.1.0", "## 0.2.0"), ("# master", "# 0.1.0", "# 0.2.0"),
        ("## [Next]", "## [0.1.0]", "## [0.2.0]"), ("Upcoming\n--------", "0.1.0\n-----", "0.2.0\n-----"),
        ("## HEAD", "## 0.1.0", "## 0.2.0"),
    ]) func theUnreleasedSectionMayHaveOtherNames(_ held: String, _ last: String, _ next: String) throws {
        let rest = "\(last)\n\n### Main\n\n- First\n"
        let changes = "# Changes\n\n\(held)\n\n"
        #expect(
            try released("\(changes)##### Bug Fixes\n\n* One\n\n\(rest)", ["fix: it"])
                == "\(changes)\(next)\n\n##### Bug Fixes\n\n* One\n\n\(rest)")
        let marks = last.hasPrefix("# ") ? "##" : "###"
        #expect(
            try released("\(changes)\(rest)", ["fix: it"])
                == "\(changes)\(next)\n\n\(marks) Fixed\n\n- It\n\n\(rest)")
    }

    @Test(arguments: [
        "# Changes\n\n## Main changes\n\n- All\n\n", "# Next\n\nWhat changed in Next.\n\n", "### Main\n\nOf old.\n\n",
    ]) func otherHeadingsOfThatNameAreLeft(_ begin: String) throws {
        let rest = "## 0.1.0\n\n### Main\n\n- First\n"
        #expect(try released(begin + rest, ["fix: it"]) == "\(begin)## 0.2.0\n\n### Fixed\n\n- It\n\n\(rest)")
    }

    @Test func theLinkOfABranchGoesOn() throws {
        let text = "## [Main]\n\n- It\n\n## [0.1.0]\n\n- First\n\n[Main]: https://a.b/c/compare/v0.1.0...HEAD\n"
        #expect(
            try released(text).hasSuffix(
                "\n[Main]: https://a.b/c/compare/v0.2.0...HEAD\n[0.2.0]: https://a.b/c/compare/v0.1.0...v0.2.0\n"))
    }

    /// A thematic break is not a note, and separates the sections as before.
    @Test(arguments: ["---", "***", "_____", "* * *", " - - -"]) func breaksAreNoNotes(line: String) throws {
        let fixed = "## [0.2.0]\n\n### Fixed\n\n- It\n\n"
        let (held, last, older) = ("## [Unreleased]\n\n", "## [0.1.0]\n\n- First\n", "## [0.0.1]\n\n- None\n")
        let between = "\(line)\n\n"
        #expect(try released(held + between + last, ["fix: it"]) == held + between + fixed + between + last)
        #expect(
            try released("\(held)- It\n\n\(between)\(last)\n\(between)\(older)", ["fix: not used"])
                == "\(held)\(between)## [0.2.0]\n\n- It\n\n\(between)\(last)\n\(between)\(older)")
        // The break separates only the unreleased section.
        #expect(
            try released("\(held)\(between)\(last)\n\(older)", ["fix: it"])
                == "\(held)\(between)\(fixed)\(last)\n\(older)")
        #expect(
            try released("\(last)\n\(between)\(older)", ["fix: it"]) == "\(fixed)\(between)\(last)\n\(between)\(older)")
        let notes = Changelog("\(last)\n\(between)\(older)").notes(for: try #require(SemanticVersion("0.1.0")))
        #expect(notes == "- First")
    }

    /// Dashes directly below text are a heading. Between lines, they are a break.
    @Test(arguments: ["Corners\n---", "- One\n\n---\n\n- Two"]) func otherLinesOfDashesAreKept(notes: String) throws {
        let text = "## [Unreleased]\n\n\(notes)\n\n## [0.1.0]\n\n- First\n"
        #expect(
            try released(text)
                == "## [Unreleased]\n\n## [0.2.0]\n\n\(notes)\n\n## [0.1.0]\n\n- First\n")
    }

    @Test func lineEndsStayAsTheyAre() throws {
        #expect(
            try released("# Changes\r\n\r\n## [Unreleased]\r\n- It\r\n")
                == "# Changes\r\n\r\n## [Unreleased]\r\n\r\n## [0.2.0] - 2026-11-21\r\n\r\n- It\r\n")
    }

    @Test func eachLineKeepsItsOwnEnd() throws {
        #expect(
            try released("# Changes\n\n## [Unreleased]\n- It\r\n- That\n")
                == "# Changes\n\n## [Unreleased]\n\n## [0.2.0] - 2026-11-21\n\n- It\r\n- That\n")
    }

    /// Code blocks contain neither headings nor links.
    @Test(arguments: ["```", "~~~~", "  ````"]) func codeIsPartOfItsSection(fence: String) throws {
        let code = "\(fence)sh\n# install\n## really\n[x]: y\n\(fence)"
        let text = "# Changes\n\n## [Unreleased]\n\n- How:\n\n\(code)\n\n- That\n\n## 0.1.0\n\n- First\n"
        let changelog = Changelog(try released(text))
        #expect(
            changelog.notes(for: try #require(SemanticVersion("0.2.0"))) == "- How:\n\n\(code)\n\n- That")
        #expect(changelog.versions.map(\.description) == ["0.2.0", "0.1.0"])
    }

    /// Some tools write the headings of patch versions one level lower.
    @Test func headingsOfVersionsMayBeOfTheFirstLevel() throws {
        let text = "# Changes\n\n# [0.1.0](https://example.org) (2026-01-01)\n\n- Big\n\n## 0.0.9\n\n- Small\n"
        let new = try released(text, ["fix: it"])
        #expect(
            new.hasPrefix("# Changes\n\n# [0.2.0] (2026-11-21)\n\n## Fixed\n\n- It\n\n# [0.1.0]"), "\(new)")
        #expect(Changelog(new).notes(for: try #require(SemanticVersion("0.1.0"))) == "- Big")
    }

    @Test func aChangelogBeginsWithTheFirstRelease() throws {
        let text = try released("", ["feat: all"], previous: nil)
        #expect(text.hasPrefix("# Changelog\n"))
        #expect(text.hasSuffix("## [Unreleased]\n\n## [0.2.0] - 2026-11-21\n\n### Added\n\n- All\n"))
    }

    @Test(arguments: [
        ("## 0.1.0", "## 0.2.0"), ("## v0.1.0 (2020-02-03)", "## v0.2.0 (2026-11-21)"), ("# 0.1.0", "# 0.2.0"),
        ("### [0.1.0] — 2020-02-03", "### [0.2.0] — 2026-11-21"),
        ("0.1.0\n-----", "0.2.0\n-----"), ("0.1.0 - 2020-02-03\n===", "0.2.0 - 2026-11-21\n==="),
        ("## [0.1.0](https://a.b/c/tag/0.1.0) (2020-02-03)", "## [0.2.0](https://a.b/c/tag/0.2.0) (2026-11-21)"),
        ("## [0.1.0](https://a.b/c/tag/v0.1.0)", "## [0.2.0](https://a.b/c/tag/v0.2.0)"),
        ("## [0.1.0](https://a.b/compare/v0.0.9...v0.1.0)", "## [0.2.0](https://a.b/compare/v0.1.0...v0.2.0)"),
        // Text about the previous version is not copied.
        ("## [0.1.0](https://a.b/milestone/4)", "## [0.2.0]"), ("## 0.1.0: The Storm", "## 0.2.0 - 2026-11-21"),
        ("## [0.1.0] - 3 February 2020", "## [0.2.0] - 2026-11-21"),
    ]) func aNewSectionLooksLikeTheOnesBelow(_ last: String, _ next: String) throws {
        let marks = String(
            repeating: "#", count: last.hasPrefix("### ") ? 4 : last.hasPrefix("# ") || last.hasSuffix("=") ? 2 : 3)
        let begin = "Change Log\n==========\n\n"
        let added = "\(next)\n\n\(marks) Fixed\n\n- It\n\n"
        let rest = "\(last)\n\n- First\n\n---\n\nThe end\n"
        #expect(try released(begin + rest, ["fix: it"]) == begin + added + rest)
        let held = "\(begin)## Unreleased\n\n"
        #expect(try released("\(held)- New\n\n\(rest)", ["fix: it"]) == "\(held)\(next)\n\n- New\n\n\(rest)")

        let changelog = Changelog(begin + added + rest)
        #expect(changelog.versions.map(\.description) == ["0.2.0", "0.1.0"])
        #expect(changelog.notes(for: try #require(SemanticVersion("0.2.0"))) == "\(marks) Fixed\n\n- It")
    }

    @Test func notesOfAVersion() throws {
        let changelog = Changelog(try released("", ["feat: all"]))
        #expect(changelog.notes(for: try #require(SemanticVersion("0.2.0"))) == "### Added\n\n- All")
        #expect(changelog.notes(for: try #require(SemanticVersion("0.3.0"))) == nil)
        #expect(changelog.versions.map(\.description) == ["0.2.0"])
    }
}
