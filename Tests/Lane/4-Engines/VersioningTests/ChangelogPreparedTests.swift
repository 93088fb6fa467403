import Git
import TestSupport
import Testing
import Text

@testable import Versioning

/// Tests of sections that are prepared for the next version, and of the link definitions at the end.
@Suite struct ChangelogPreparedTests {
    private static func release(
        _ text: String, _ subjects: [String] = ["fix: not used"], previous: String = "1.0.0", address: String? = nil
    ) throws -> String {
        var changelog = Changelog(text)
        let version = try #require(SemanticVersion("1.1.0"))
        #expect(!changelog.isReleased(version))
        let isPrefixed = previous.hasPrefix("v")
        try changelog.release(
            version, date: "2026-11-21", entries: CommitEntry.list(subjects.map { GitCommit(hash: "", subject: $0) }),
            tag: isPrefixed ? "v1.1.0" : "1.1.0", previousTag: previous, address: address)
        #expect(changelog.isReleased(version))
        return changelog.text
    }

    @Test(arguments: [
        ("## 1.1.0 (unreleased)", "## 1.1.0 (2026-11-21)"), ("## [1.1.0] - Unreleased", "## [1.1.0] - 2026-11-21"),
        ("## 1.1.0 - TBD", "## 1.1.0 - 2026-11-21"), ("## [1.1.0] - YYYY-MM-DD", "## [1.1.0] - 2026-11-21"),
        ("## 1.1.0 (20XX-XX-XX)", "## 1.1.0 (2026-11-21)"), ("## [1.1.0] - ????-??-??", "## [1.1.0] - 2026-11-21"),
        ("## 1.1.0 (2026-11-xx)", "## 1.1.0 (2026-11-21)"), ("## 1.1.0 (dd/mm/yyyy)", "## 1.1.0 (2026-11-21)"),
        ("## v1.1.0 (In development)", "## v1.1.0 (2026-11-21)"),
        ("## 1.1.0 [not yet released]", "## 1.1.0 [2026-11-21]"),
        ("## Version 1.1.0 (work in progress)", "## Version 1.1.0 (2026-11-21)"),
        ("x.y.z Release notes (yyyy-MM-dd)\n===", "1.1.0 Release notes (2026-11-21)\n==="),
        ("## X.Y.Z (TBA)", "## 1.1.0 (2026-11-21)"), ("## [x.y.z]", "## [1.1.0]"), ("## vX.Y.Z", "## v1.1.0"),
        ("## 2.0.0 (unreleased)", "## 1.1.0 (2026-11-21)"), ("## 1.1 (unreleased)", "## 1.1.0 (2026-11-21)"),
        ("## 1.1.x - Unreleased", "## 1.1.0 - 2026-11-21"), ("## 1.1.0-dev", "## 1.1.0"),
        ("## 1.1.0-SNAPSHOT", "## 1.1.0"),
        ("1.1.0 (unreleased)\n------------------", "1.1.0 (2026-11-21)\n------------------"),
        ("## [1.1.0](https://a.b/tag/1.1.0) (unreleased)", "## [1.1.0](https://a.b/tag/1.1.0) (2026-11-21)"),
    ]) func preparedHeadingsBecomeFinal(_ prepared: String, _ final: String) throws {
        let rest = "\n\n- New\n\n## 1.0.0 (2024-01-01)\n\n- First\n"
        #expect(try Self.release("# Changes\n\n\(prepared)\(rest)") == "# Changes\n\n\(final)\(rest)")
        // An empty section is filled from the commits.
        let old = "## 1.0.0 (2024-01-01)\n\n- First\n"
        let level = final.hasSuffix("===") ? "##" : "###"
        for held in ["", "* None.\n\n", "- Nothing changed yet.\n\n"] {
            #expect(
                try Self.release("\(prepared)\n\n\(held)\(old)", ["fix: it"])
                    == "\(final)\n\n\(level == "##" ? "###" : level) Fixed\n\n- It\n\n\(old)")
        }
    }

    /// Titles without a version stay for the next notes.
    @Test(arguments: [
        "## Next Version", "## Next Release", "## In development", "## In Development", "## Upcoming release", "## TBD",
        "## vNext", "## trunk", "## Work in progress", "## Unreleased", "## Unreleased - YYYY-MM-DD", "## _Unreleased_",
        "## **Unreleased**", "## 🚧 Unreleased", "## Shape (unreleased)", "## [Unreleased] - 1.1.0",
        "# shape (development version)",
        "Unreleased\n==========", "In development\n--------------",
    ]) func otherTitlesStay(title: String) throws {
        let level = title.hasPrefix("# ") ? "#" : "##"
        let rest = "- New\n\n\(level) 1.0.0\n\n- First\n"
        #expect(try Self.release("\(title)\n\n\(rest)") == "\(title)\n\n\(level) 1.1.0\n\n\(rest)")
    }

    @Test func theSectionForTheVersionIsTaken() throws {
        let text = "## [Unreleased]\n\n\n## 1.1.0 - TBD\n\n- New\n\n## 1.0.0\n\n- First\n"
        #expect(try Self.release(text) == text.replacing("TBD", with: "2026-11-21"))
        let next = "## 2.0.0 - TBD\n\n- Big\n\n## [Unreleased]\n\n- New\n\n## 1.0.0\n\n- First\n"
        #expect(
            try Self.release(next)
                == "## 2.0.0 - TBD\n\n- Big\n\n## [Unreleased]\n\n## 1.1.0\n\n- New\n\n## 1.0.0\n\n- First\n")
    }

    @Test func aReleasedSectionIsLeft() throws {
        let version = try #require(SemanticVersion("1.1.0"))
        #expect(Changelog("## 1.1.0\n\n- New\n").isReleased(version))
        #expect(Changelog("## 1.1.0 - The TBD release\n\n- New\n").isReleased(version))
    }

    /// The last definitions, and those after the release.
    @Test(arguments: [
        (
            "[Unreleased]: <https://a.b/c/d/compare/1.0.0...HEAD>\n[1.0.0]: <https://a.b/c/d/releases/tag/1.0.0>\n",
            "[Unreleased]: <https://a.b/c/d/compare/1.1.0...HEAD>\n[1.1.0]: <https://a.b/c/d/compare/1.0.0...1.1.0>\n"
        ),
        (
            "[unreleased]:  https://a.b/c/d/compare/1.0.0..main \"What is new\"\n",
            "[unreleased]:  https://a.b/c/d/compare/1.1.0..main \"What is new\"\n[1.1.0]:  https://a.b/c/d/compare/1.0.0..1.1.0 \"What is new\"\n"
        ),
        (
            "[Unreleased]:https://gitlab.com/c/d/-/compare/1.0.0...develop\n",
            "[Unreleased]:https://gitlab.com/c/d/-/compare/1.1.0...develop\n[1.1.0]:https://gitlab.com/c/d/-/compare/1.0.0...1.1.0\n"
        ),
        (
            "[Unreleased]: https://bitbucket.org/main/d/branches/compare/HEAD..1.0.0\n",
            "[Unreleased]: https://bitbucket.org/main/d/branches/compare/HEAD..1.1.0\n[1.1.0]: https://bitbucket.org/main/d/branches/compare/1.1.0..1.0.0\n"
        ),
        (
            "[Unreleased]: https://bitbucket.org/c/d/branches/compare/HEAD%0D1.0.0#diff\n",
            "[Unreleased]: https://bitbucket.org/c/d/branches/compare/HEAD%0D1.1.0#diff\n[1.1.0]: https://bitbucket.org/c/d/branches/compare/1.1.0%0D1.0.0#diff\n"
        ),
        (
            "[Unreleased]: https://dev.azure.com/c/_git/d/branchCompare?baseVersion=GT1.0.0&targetVersion=GBmain\n"
                + "[1.0.0]: https://dev.azure.com/c/_git/d/branchCompare?baseVersion=GT0.9.0&targetVersion=GT1.0.0\n",
            "[Unreleased]: https://dev.azure.com/c/_git/d/branchCompare?baseVersion=GT1.1.0&targetVersion=GBmain\n"
                + "[1.1.0]: https://dev.azure.com/c/_git/d/branchCompare?baseVersion=GT1.0.0&targetVersion=GT1.1.0\n"
        ),
        // A version was left out.
        (
            "[Unreleased]: https://a.b/c/d/compare/0.9.0...HEAD\n",
            "[Unreleased]: https://a.b/c/d/compare/1.1.0...HEAD\n[1.1.0]: https://a.b/c/d/compare/1.0.0...1.1.0\n"
        ),
        // Unknown forms stay.
        ("[Unreleased]: https://a.b/c/d/tree/main\n", "[Unreleased]: https://a.b/c/d/tree/main\n"),
        ("[Unreleased]: ../../compare\n", "[Unreleased]: ../../compare\n"),
        ("[docs]: https://a.b/1.0.0\n", "[docs]: https://a.b/1.0.0\n"),
        // Without `Unreleased`, the last version is the model.
        (
            "[1.0.0]: <https://a.b/c/d/releases/tag/1.0.0> 'Shape 1.0.0'\n",
            "[1.1.0]: <https://a.b/c/d/releases/tag/1.1.0> 'Shape 1.1.0'\n[1.0.0]: <https://a.b/c/d/releases/tag/1.0.0> 'Shape 1.0.0'\n"
        ),
        (
            "[0.9.0]: https://a.b/c/d/releases/0.9.0\n[1.0.0]: https://a.b/c/d/releases/1.0.0\n",
            "[0.9.0]: https://a.b/c/d/releases/0.9.0\n[1.0.0]: https://a.b/c/d/releases/1.0.0\n[1.1.0]: https://a.b/c/d/releases/1.1.0\n"
        ),
        (
            "[1.1.0]: https://a.b/c/d/compare/1.0.0...HEAD\n", "[1.1.0]: https://a.b/c/d/compare/1.0.0...1.1.0\n"
        ),
    ]) func linksKeepTheirNotation(_ old: String, _ new: String) throws {
        let (held, first) = (
            "## [Unreleased]\n\n", "- New\n\n## [1.0.0] - 2024-01-01\n\n- First\n\n## [0.9.0]\n\n- Zero\n\n"
        )
        let text = try Self.release(held + first + old)
        let tail =
            old.contains("[Unreleased]") && old.contains("[1.0.0]")
            ? old.lines.suffix(1).map { "\($0)\n" }.joined() : ""
        #expect(text == "\(held)## [1.1.0] - 2026-11-21\n\n\(first)\(new)\(tail)")
        // The last line keeps its missing line break.
        #expect(try Self.release(held + first + old.dropLast()) == String(text.dropLast()))
    }

    @Test func theLinkInTheHeadingGoesOn() throws {
        let old = "## [1.0.0](https://a.b/tree/v1.0.0) (2024-01-01)\n\n- First\n"
        #expect(
            try Self.release(
                "## [Unreleased](https://a.b/compare/v1.0.0...HEAD)\n\n- New\n\n\(old)", previous: "v1.0.0")
                == "## [Unreleased](https://a.b/compare/v1.1.0...HEAD)\n\n## [1.1.0](https://a.b/tree/v1.1.0) (2026-11-21)\n\n- New\n\n\(old)"
        )
    }

    @Test func aCommentAboveTheLinksIsNoNote() throws {
        let links = "<!-- links -->\n\n[Unreleased]: https://a.b/compare/1.0.0...HEAD\n"
        let text = try Self.release("## [Unreleased]\n\n- New\n\n\(links)")
        #expect(
            text == "## [Unreleased]\n\n## [1.1.0] - 2026-11-21\n\n- New\n\n"
                + links.replacing("1.0.0", with: "1.1.0") + "[1.1.0]: https://a.b/compare/1.0.0...1.1.0\n")
        #expect(Changelog(text).notes(for: try #require(SemanticVersion("1.1.0"))) == "- New")
    }
}
