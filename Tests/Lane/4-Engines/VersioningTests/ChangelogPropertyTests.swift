import Git
import TestSupport
import Testing
import Text

@testable import Versioning

/// Tests of generated changelogs in all styles and encodings.
@Suite struct ChangelogPropertyTests {
    /// The text before a version, and the text after it.
    private static let headings: [(String, String)] = [
        ("## [", "] - 2024-01-01"), ("## ", ""), ("### v", " (2024-01-01)"), ("# ", ""), ("## Version ", ""),
        ("## Shape ", " / 2024-01-01"),
        ("## **", "** (2024-01-01)"), ("## 2024-01-01 - ", ""), ("## \\[", "\\] - 2024-01-01"),
        ("**", "** (2024-01-01)"), ("", ""),
        ("v", " - 2024-01-01"), ("", "\n======"), ("Version ", " (2024-01-01)\n-------"),
        ("## [", "](https://a.b/c/d/releases/tag/1.0.0) (2024-01-01)"),
        ("## [", " - The name](https://a.b/c/d/compare/0.9.0...1.0.0)"), ("##### ", " #####"), (" ## ", ""),
    ]

    /// Sections above the newest version.
    private static let held = [
        "", "## [Unreleased]\n\n", "## [Unreleased]\n\n- Old\n- New\n\n", "## Unreleased\n- New\n\n",
        "## Next Version\n\n\n* New\n\n---\n\n",
        "## [Unreleased]\n\n### Added\n\n### Fixed\n\n", "## main\n\n<!-- notes -->\n\n",
        "Unreleased\n==========\n\nSome words.\n\n",
    ]

    private static let notes: [[UInt8]] =
        [
            "- First", "Words of\ntwo lines", "### Added\n\n- One\n  - Two", "```\n## 7.7.7\n```", "    code", "---",
            "- [x]: y", "\t",
            "<details>\n\n* One\n\n</details>", "| a |\n| - |", "1. One", "- ÄÖ 💥", "[docs]: <https://a.b> 'x'",
            "<!-- ## 7.7.7 -->",
        ].map { Array($0.utf8) } + [
            [0x2D, 0x20, 0x47, 0x72, 0xF6, 0xDF, 0x65], [0x49, 0x74, 0x92, 0x73], [0x8E, 0x8E, 0x8C, 0xB1], [0xFF],
            [0xE2, 0x82], [0xF4, 0x8F, 0xBE, 0x80],
        ]

    private static let titles = [
        "", "# Changelog\n\n", "Changelog\n=========\n\nAll of it.\n\n", "---\nversion: 0.1.0\n---\n\n",
        "# Changes\n\n---\n\n",
    ]

    private static let ends = [
        "", "\n[Unreleased]: https://a.b/c/d/compare/1.0.0...HEAD\n[1.0.0]: https://a.b/c/d/releases/tag/1.0.0",
        "\n[1.0.0]: <../x/1.0.0> 'x'\n",
        "\n\n\n", "\nThe end",
    ]

    /// Builds the bytes of a changelog from choices: title, line end, byte order mark, end, and the notes.
    private static func changelog(_ style: Int, _ above: Int, _ choices: [Int], _ notes: [[Int]]) -> [UInt8] {
        let (before, after) = headings[style % headings.count]
        // A level 1 heading of a version cannot be below a title of level 1.
        let title = before == "# " ? "" : titles[choices[0] % titles.count]
        var bytes = Array(title.utf8) + held[above % held.count].utf8
        for (index, list) in notes.enumerated() {
            bytes += "\(before)\(index == 0 ? "1.0.0" : "0.\(9 - index).0")\(after)\n\n".utf8
            for note in list { bytes += Self.notes[note % Self.notes.count] + "\n\n".utf8 }
        }
        bytes += ends[choices[1] % ends.count].utf8
        let lineEnd = Array(["\n", "\r\n", "\r"][choices[2] % 3].utf8)
        bytes = bytes.flatMap { $0 == 0x0A ? lineEnd : [$0] }
        return (choices[3] % 4 == 0 ? [0xEF, 0xBB, 0xBF] : []) + bytes
    }

    /// Returns a Boolean value that indicates whether all bytes of a text occur in another one, in the same order.
    private static func isSubsequence(_ old: some Sequence<UInt8>, of new: [UInt8]) -> Bool {
        var index = 0
        for byte in old {
            guard let next = new[index...].firstIndex(of: byte) else { return false }
            index = next + 1
        }
        return true
    }

    @Test func aReleaseOnlyInsertsBytes() throws {
        let version = try #require(SemanticVersion("1.1.0"))
        let numbers = Generator<Int>.integer(in: 0...999)
        let notes = numbers.array(count: 0...4).array(count: 1...4)
        checkProperty(
            "a release only inserts bytes", zip(numbers, numbers, numbers.array(count: 4...4), notes), cases: 2000
        ) {
            style, above, choices, notes in
            let old = Self.changelog(style, above, choices, notes)
            var changelog = Changelog(old)
            let read = try expectEqual(changelog.bytes, old, "bytes")
            do throws(ChangelogProblem) {
                try changelog.release(
                    version, date: "2026-11-21", entries: CommitEntry.list([GitCommit(hash: "", subject: "fix: it")]),
                    tag: "1.1.0", previousTag: "1.0.0", address: nil)
            } catch {
                // Notes that are not text are refused.
                guard error.message.hasPrefix("expected UTF-8") || error.message.hasPrefix("expected a heading") else {
                    throw error
                }
                throw Discard()
            }
            let new = changelog.bytes
            // The comparison with the last version is replaced.
            let link = Array("[Unreleased]: https://a.b/c/d/compare/1.0.0...HEAD".utf8)
            let kept = old.firstRange(of: link).map { Array(old[..<$0.lowerBound] + old[$0.upperBound...]) } ?? old
            guard Self.isSubsequence(kept, of: new) else {
                throw Mismatch(description: "bytes are gone: \(EscapedUTF8.decode(new))")
            }
            let again = Changelog(new)
            guard let found = again.notes(for: version), found == changelog.notes(for: version) else {
                throw Mismatch(description: "the section is not read: \(EscapedUTF8.decode(new))")
            }
            guard found.hasSuffix("It") || found.contains("New") || found.contains("Some words") else {
                throw Mismatch(description: "expected the notes, found '\(found)' in \(EscapedUTF8.decode(new))")
            }
            return try expectEqual(again.versions.first, version) && read
        }
    }
}
