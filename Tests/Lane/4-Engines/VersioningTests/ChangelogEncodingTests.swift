import ActionFixtures
import Actions
import Expressions
import Git
import LaneModel
import OperatingSystem
import TestSupport
import Testing
import Text

@testable import Versioning

/// Tests of changelogs that are not UTF-8, or that have other line ends.
@Suite(.startsPrograms) struct ChangelogEncodingTests {
    private static func latin1(_ text: String) -> [UInt8] { text.unicodeScalars.map { UInt8($0.value) } }

    private static func released(_ bytes: [UInt8], _ subjects: [String] = ["feat: x"]) throws -> [UInt8] {
        var changelog = Changelog(bytes)
        let entries = CommitEntry.list(subjects.map { GitCommit(hash: "", subject: $0) })
        try changelog.release(
            try #require(SemanticVersion("1.1.0")), date: "2026-11-21", entries: entries, tag: "1.1.0",
            previousTag: "1.0.0", address: nil)
        return changelog.bytes
    }

    /// Notes in Latin-1, Windows-1252, Shift JIS, EUC-KR, with one wrong byte, and scalars that stand for bytes.
    @Test(
        arguments: [
            [0x47, 0x72, 0xF6, 0xDF, 0x65], [0x49, 0x74, 0x92, 0x73], [0x8E, 0x8E, 0x8C, 0xB1, 0x83, 0x5C],
            [0xC7, 0xD1, 0xB1, 0xB9], [0xC3, 0xBC, 0xEF, 0x76, 0xC3, 0xBC], [0xEE, 0xBE, 0x80, 0xFF],
            [0xED, 0xA0, 0x80], [0xC0, 0xAF], [0xE2, 0x82],
        ] as [[UInt8]]) func otherBytesStayAsTheyAre(note: [UInt8]) throws
    {
        for end in ["\n", "\r\n", "\r"] {
            let old = Array("## 1.0.0\(end)\(end)- ".utf8) + note
            let title = "# Changes\(end)\(end)"
            let section = "## 1.1.0\(end)\(end)### Added\(end)\(end)- X\(end)\(end)"
            #expect(try Self.released(title.utf8 + old) == (title + section).utf8 + old)
        }
    }

    /// The characters of icon fonts are in the private range that stands for bytes.
    @Test func iconsAreUTF8() throws {
        let old = Array("## 1.0.0\n\n- \u{EFB0} \u{EF80}\n".utf8)
        #expect(
            try Self.released(old, ["feat: über"]) == "## 1.1.0\n\n### Added\n\n- Über\n\n".utf8 + old)
    }

    /// The dash of Windows-1252 is copied from the last heading.
    @Test func headingsAreCopiedAsBytes() throws {
        let heading = Self.latin1("## 1.0.0 \u{96} 2026-01-01\n\n- One\n")
        #expect(
            try Self.released(heading) == Self.latin1("## 1.1.0 \u{96} 2026-11-21\n\n### Added\n\n- X\n\n") + heading)
    }

    @Test func textOfAnotherEncodingIsRefused() throws {
        let old = Self.latin1("## 1.0.0\n\n- Größe\n")
        #expect(
            throws: ChangelogProblem(
                line: 3, column: 5,
                message: "expected UTF-8, found the byte 0xF6, so '- Über' cannot be added\n"
                    + "hint: convert the file to UTF-8")
        ) { try Self.released(old, ["feat: über"]) }
        let mixed = old + Array("- Größer als größer\n".utf8)
        #expect(try Self.released(mixed, ["feat: über"]).firstOffset(of: "- Über") != nil)
    }

    @Test(
        arguments: [
            [0xFF, 0xFE] + "# C\n\n## 1.0.0\n".utf16.flatMap { [UInt8(truncatingIfNeeded: $0), 0] },
            [0xFE, 0xFF] + "# C\n\n## 1.0.0\n".utf16.flatMap { [0, UInt8(truncatingIfNeeded: $0)] },
            "# C\n\n## 1.0.0\n".utf16.flatMap { [UInt8(truncatingIfNeeded: $0), 0] },
        ] as [[UInt8]]) func wideCharactersAreRefused(bytes: [UInt8])
    {
        #expect(
            throws: ChangelogProblem(
                line: 1, message: "expected UTF-8, found a byte 0, as in UTF-16\nhint: convert the file to UTF-8")
        ) { try Self.released(bytes) }
    }

    @Test func theByteOrderMarkStaysFirst() throws {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let old = "## 1.0.0\r\n\r\n- One"
        let section = "## 1.1.0\r\n\r\n### Added\r\n\r\n- X\r\n\r\n"
        #expect(try Self.released(mark + old.utf8) == mark + section.utf8 + old.utf8)
        let other = "## [Unreleased]\r\n\r\n- Two\r\n\r\n"
        let new = "## [Unreleased]\r\n\r\n## 1.1.0\r\n\r\n- Two\r\n\r\n"
        #expect(try Self.released(mark + other.utf8 + old.utf8) == mark + new.utf8 + old.utf8)
    }

    @Test(arguments: ["\n", "\r\n"]) func aMissingLineEndStaysMissing(end: String) throws {
        #expect(
            try Self.released(Array("# Changes".utf8))
                == Array("# Changes\n\n## [Unreleased]\n\n## [1.1.0] - 2026-11-21\n\n### Added\n\n- X".utf8))
        #expect(
            try Self.released(Array("# Changes\(end)\(end)## [Unreleased]\(end)- It".utf8))
                == Array("# Changes\(end)\(end)## [Unreleased]\(end)\(end)## [1.1.0] - 2026-11-21\(end)\(end)- It".utf8)
        )
    }

    /// The notes of a release are text, in the tag and on GitHub.
    @Test func notesThatAreNotTextAreRefused() throws {
        let fixture = try GitFixture.package()
        let old = Self.latin1("# Changes\n\n## [Unreleased]\n\n- One\n- Größe\n\n## 0.1.0\n\n- First\n")
        try writeFile(old, to: "\(fixture.path)/CHANGELOG.md")
        let expected =
            "CHANGELOG.md:6:5: expected UTF-8, found the byte 0xF6, so the notes of 0.2.0 cannot be read\n"
            + "hint: convert the file to UTF-8"
        let problem = fixture.refusal(of: ChangelogAction(), ["version": .string("0.2.0")])
        #expect(problem?.message == expected)
        #expect(try readFile("\(fixture.path)/CHANGELOG.md") == old)
    }
}
