import Git
import OperatingSystem
import TestSupport
import Testing
import Text

@testable import Versioning

/// Tests of headings, as real projects write them.
@Suite struct ChangelogStyleTests {
    private static func release(_ text: String, _ subjects: [String] = ["fix: it"]) throws -> String {
        var changelog = Changelog(text)
        try changelog.release(
            try #require(SemanticVersion("1.1.0")), date: "2026-11-21",
            entries: CommitEntry.list(subjects.map { GitCommit(hash: "", subject: $0) }), tag: "1.1.0",
            previousTag: "1.0.0", address: nil)
        #expect(changelog.versions.first?.description == "1.1.0")
        return changelog.text
    }

    @Test("A link definition above the newest version is no note of Unreleased")
    func definitionBelowUnreleased() throws {
        let text = "## [Unreleased]\n\n[1.0.0]: https://a.b/compare/0.9.0...1.0.0\n## [1.0.0] - 2026-01-01\n- X\n"
        let released = try Self.release(text)
        #expect(Changelog(released).notes(for: try #require(SemanticVersion("1.1.0")))?.hasSuffix("- It") == true)
        #expect(released.contains("[1.1.0]: https://a.b/compare/1.0.0...1.1.0\n"))
    }

    @Test("Notes get the headings that the changelog has for their kind")
    func subheadings() throws {
        let old = "## 1.0.0\n\n### 🚀 Features\n\n* a\n\n### Bug Fixes\n\n* b\n\n## 0.9.0\n\n### Added\n\n* c\n"
        #expect(
            try Self.release(old, ["feat: x", "fix: y", "perf: z"]).hasPrefix(
                "## 1.1.0\n\n### 🚀 Features\n\n* X\n\n### Changed\n\n* Z\n\n### Bug Fixes\n\n* Y\n\n## 1.0.0\n"))
    }

    @Test("Unreleased is known in other languages", arguments: ["Unveröffentlicht", "[Não publicado]", "未发布"])
    func unreleasedInOtherLanguages(title: String) throws {
        let released = try Self.release("## \(title)\n\n- Neu\n\n## [1.0.0] - 2026-01-01\n\n- Alt\n")
        #expect(released.hasPrefix("## \(title)\n\n## [1.1.0] - 2026-11-21\n\n- Neu\n\n## [1.0.0]"), "\(released)")
    }

    /// The headings of standard-version: patch versions and the kinds of notes have the same level.
    @Test(
        "The level of a heading is that of the last version of the same kind",
        arguments: [("1.1.0", "##"), ("1.0.1", "###")])
    func levels(next: String, marks: String) throws {
        let text = """
            # Changelog

            ### [0.9.1](https://a.b/compare/0.9.0...0.9.1) (2026-01-02)


            ### Bug Fixes

            * edges

            ## [0.9.0](https://a.b/compare/0.8.0...0.9.0) (2026-01-01)


            ### Features

            * faces

            """
        var changelog = Changelog(text)
        try changelog.release(
            try #require(SemanticVersion(next)), date: "2026-11-21",
            entries: CommitEntry.list([GitCommit(hash: "", subject: "feat: more")]), tag: next, previousTag: "0.9.1",
            address: nil)
        let head = """
            # Changelog

            \(marks) [\(next)](https://a.b/compare/0.9.1...\(next)) (2026-11-21)

            \(marks)# Features

            * More

            ### [0.9.1]
            """
        #expect(changelog.text.hasPrefix(head), "\(changelog.text)")
        #expect(changelog.notes(for: try #require(SemanticVersion("0.9.1"))) == "### Bug Fixes\n\n* edges")
    }

    @Test("The comparison of a 'Full Changelog' link ends at the tag")
    func fullChangelog() throws {
        let link = "[Full Changelog](https://a.b/compare/1.0.0"
        let released = try Self.release(
            "## [Unreleased](https://a.b/tree/HEAD)\n\n\(link)...HEAD)\n\n- X\n\n## [1.0.0](https://a.b/tree/1.0.0)\n")
        #expect(released.contains("\(link)...1.1.0)\n\n- X\n"), "\(released)")
    }

    @Test("Versions in a table are refused")
    func table() throws {
        var changelog = Changelog("# Changes\n\n| 1.0.0 | Begin |\n|---|---|\n")
        let version = try #require(SemanticVersion("1.1.0"))
        let problem = #expect(throws: ChangelogProblem.self) {
            try changelog.release(
                version, date: "2026-11-21", entries: [], tag: "1.1.0", previousTag: "1.0.0", address: nil)
        }
        #expect(problem?.line == 3)
    }

    /// The last heading and the next one.
    @Test(arguments: [
        (
            "## [1.0.0 - Order, order!](https://a.b/tag/1.0.0) (2017-06-04)",
            "## [1.1.0](https://a.b/tag/1.1.0) (2026-11-21)"
        ),
        (
            "## [1.0.0 - 1.0 Patch, on Mar 8th, 2022](https://a.b/tag/1.0.0)",
            "## [1.1.0](https://a.b/tag/1.1.0) - 2026-11-21"
        ),
        ("## Version 1.0.0", "## Version 1.1.0"), ("## Release v1.0.0 (2024-01-01)", "## Release v1.1.0 (2026-11-21)"),
        ("## V1.0.0", "## V1.1.0"), ("## [Version 1.0.0] - 2024-01-01", "## [Version 1.1.0] - 2026-11-21"),
        ("## Shape 1.0.0", "## Shape 1.1.0"), ("# shape-kit 1.0.0", "# shape-kit 1.1.0"),
        ("## shape-1.0.0", "## shape-1.1.0"), ("## shape@1.0.0", "## shape@1.1.0"),
        ("## Changes in 1.0.0", "## Changes in 1.1.0"), ("# Changes in version 1.0.0", "# Changes in version 1.1.0"),
        ("## **1.0.0** (2024-01-01)", "## **1.1.0** (2026-11-21)"),
        ("## **1.0.0 - Storm**", "## **1.1.0** - 2026-11-21"),
        ("## __1.0.0__", "## __1.1.0__"), ("## `1.0.0` - 2024-01-01", "## `1.1.0` - 2026-11-21"),
        ("## 2024-01-01 - 1.0.0", "## 2026-11-21 - 1.1.0"),
        ("## 2024-01-01, Version 1.0.0 (Current), @ada", "## 2026-11-21, Version 1.1.0"),
        ("## \\[1.0.0\\] - 2024-01-01", "## \\[1.1.0\\] - 2026-11-21"), ("## 1.0", "## 1.1"),
        ("## [1.0] - 2024-01-01", "## [1.1] - 2026-11-21"),
        ("## v1.0 (2024/01/01)", "## v1.1 (2026/11/21)"), ("## 1.0.0 / 2024.01.01", "## 1.1.0 / 2026.11.21"),
        ("## 🎉 1.0.0", "## 🎉 1.1.0"), ("##1.0.0", "##1.1.0"), ("##\t1.0.0 ##", "##\t1.1.0 ##"),
        (" ## 1.0.0", " ## 1.1.0"), ("##### 1.0.0", "##### 1.1.0"),
        ("## 1.0.0 Release notes (2024-01-01)", "## 1.1.0 Release notes (2026-11-21)"),
        ("Version 1.0.0\n-------------", "Version 1.1.0\n-------------"),
        ("## [1.0.0][1.0.0] - 2024-01-01", "## [1.1.0][1.1.0] - 2026-11-21"),
        ("1.0.0-rc.10\n-----------", "1.1.0\n-----"), ("**1.0.0** (2024-01-01)", "**1.1.0** (2026-11-21)"),
        ("**Version 1.0.0**", "**Version 1.1.0**"), ("**1.0.0: The Storm**", "**1.1.0** - 2026-11-21"),
        ("## <a name=\"1.0.0\"></a>1.0.0 (2024-01-01)", "## <a name=\"1.1.0\"></a>1.1.0 (2026-11-21)"),
        ("## <a id=\"v1.0.0\"></a> [v1.0.0]", "## <a id=\"v1.1.0\"></a> [v1.1.0]"),
        ("1.0.0", "1.1.0"), ("v1.0.0 (2024-01-01)", "v1.1.0 (2026-11-21)"), ("Version 1.0.0:", "Version 1.1.0:"),
    ]) func aNewHeadingIsLikeTheLast(_ last: String, _ next: String) throws {
        let hasHeadings = last.hasPrefix(" ") || last.hasPrefix("#") || last.contains("\n")
        let marks = last.split(separator: " ").first.map { $0.filter { $0 == "#" }.count } ?? 0
        let level = String(repeating: "#", count: min((marks == 0 ? 2 : marks) + 1, 6))
        let added = "\(next)\n\n\(hasHeadings ? "\(level) Fixed\n\n" : "")* It\n\n"
        let rest = "\(last)\n\n* First\n"
        for begin in ["", "# Changelog\n\n", "# Changelog\n\nWhat changed since 0.5.0.\n\n-----\n\n"] {
            guard !begin.hasPrefix("# ") || !last.hasPrefix("# ") else { continue }
            #expect(try Self.release(begin + rest) == begin + added + rest)
        }
    }

    /// An older section has the same form, and other headings contain versions.
    @Test(arguments: [
        ("## Shape 1.0.0", "## Shape 0.9.0", "### Swift 5.9.0"), ("## 1.0.0", "## 0.9.0", "### Migrating from 0.9.0"),
        ("## 1.0.0", "## 0.9.0", "## Notes for 2.0.0"), ("## 1.0", "## 0.9", "### 2.5 times faster"),
        ("## 1.0.0", "## 0.9.0", "**2.0.0** is near"),
        ("**1.0.0**", "**0.9.0**", "2.0.0 is near"), ("1.0.0", "0.9.0", "2.0.0 is near\nand 3.0.0"),
        ("## [1.0.0](https://a.b/1.0.0)", "## [0.9.0](https://a.b/0.9.0)", "## [Order](https://a.b/tag/0.8.0)"),
    ]) func otherTextIsNoVersion(_ newest: String, _ older: String, _ other: String) throws {
        let text = "\(newest)\n\n- First\n\n\(other)\n\n- More\n\n\(older)\n\n- Zero\n"
        let new = try Self.release(text)
        #expect(new.hasSuffix(text))
        #expect(!Changelog(text).versions.contains { $0.description.hasPrefix("2.") || $0.description.hasPrefix("5.") })
    }

    @Test func listsKeepTheirSign() throws {
        #expect(
            try Self.release("## 1.0.0\n\n+ First\n", ["fix: it"]).hasPrefix(
                "## 1.1.0\n\n### Fixed\n\n+ It\n\n## 1.0.0"))
    }

    @Test func anchorsStayAboveTheirHeading() throws {
        let old = "<a name=\"1.0.0\"></a>\n## 1.0.0\n\n- First\n"
        #expect(try Self.release("# Changes\n\n\(old)") == "# Changes\n\n## 1.1.0\n\n### Fixed\n\n- It\n\n\(old)")
        let held = "## [Unreleased]\n\n- It\n\n\(old)"
        #expect(try Self.release(held) == "## [Unreleased]\n\n## 1.1.0\n\n- It\n\n\(old)")
    }

    @Test func frontMatterIsNoSection() throws {
        let front = "---\nversion: 0.1.0\n---\n\n"
        let old = "## 1.0.0\n\n- First\n"
        #expect(try Self.release(front + old) == "\(front)## 1.1.0\n\n### Fixed\n\n- It\n\n\(old)")
    }

    /// No place for the section is known. The line of the message follows.
    @Test(arguments: [
        ("# Changelog\n\n## January\n\n- First\n", 3), ("# Changelog\n\n## 2024-01-01\n\n- First\n", 3),
        ("# Changelog\n\n## 1.0.0.1\n\n- First\n", 3), ("# Changelog\n\n- First\n", 3), ("## 1\n\n- First\n", 3),
        ("## shape-1.0.0\n\n- First\n\n## other-1.0.0\n\n- First\n", 3),
        ("# Changelog\n\n## [Storm](https://a.b/tag/1.0.0)\n", 3),
    ]) func otherTextIsRefused(_ text: String, _ line: Int) throws {
        var changelog = Changelog(text)
        let problem = #expect(throws: ChangelogProblem.self) {
            try changelog.release(
                try #require(SemanticVersion("1.1.0")), date: "2026-11-21", entries: [], tag: "1.1.0", previousTag: nil,
                address: nil)
        }
        #expect(problem?.line == line)
        #expect(problem?.message.hasPrefix("expected a heading with a version, found '") == true)
        #expect(problem?.refusal(in: "CHANGELOG.md").message.hasPrefix("CHANGELOG.md:\(line): expected") == true)
    }

    @Test(arguments: [
        "## 0.9.0\n\n- Zero\n\n## 1.0.0\n\n- First\n", "## 1.0.0\n\n- First\n\n## [Unreleased]\n\n- New\n",
    ])
    func theOldestFirstIsRefused(_ text: String) throws {
        var changelog = Changelog(text)
        #expect(throws: ChangelogProblem(line: 1, message: "expected the newest version first, found the oldest")) {
            try changelog.release(
                try #require(SemanticVersion("1.1.0")), date: "2026-11-21", entries: [], tag: "1.1.0", previousTag: nil,
                address: nil)
        }
    }
}
