import Git
import TestSupport
import Testing
import Text

@testable import Versioning

/// Tests of commit subjects as Markdown, and of the text of a release on GitHub.
@Suite struct ReleaseNotesTests {
    /// A subject and its entry.
    @Test(arguments: [
        ("feat: Array<Element> and Set<Element> extensions", "`Array<Element>` and `Set<Element>` extensions"),
        ("feat: add Array<Element>.first", "Add `Array<Element>`.first"),
        (
            "fix: mark Renderer as @MainActor and @available(macOS 14, *)",
            "Mark Renderer as `@MainActor` and `@available(macOS 14, *)`"
        ),
        ("fix: read <stdin> before <details>", "Read `<stdin>` before `<details>`"),
        ("fix: __proto__ is kept", "`__proto__` is kept"),
        ("fix: _storage and init_", "`_storage` and `init_`"), ("fix: snake_case stays", "Snake_case stays"),
        ("fix: 1. first", "1\\. first"),
        ("fix: 2) second", "2\\) second"), ("fix: # heading", "\\# heading"), ("fix: ## heading", "\\## heading"),
        ("fix: - item", "\\- item"),
        ("fix: * item", "\\* item"), ("fix: > quote", "\\> quote"), ("fix: #12 again", "#12 again"),
        ("fix: [x] done", "\\[x] done"),
        ("fix: 1.5 times", "1.5 times"),
        ("fix: `@MainActor` and `<T>` in code", "`@MainActor` and `<T>` in code"), ("fix: a ` alone", "A \\` alone"),
        ("fix: *.swift and *.md", "\\*.swift and \\*.md"), ("fix: 2 * 3 < 4 -> 5", "2 * 3 < 4 -> 5"),
        ("fix: a<b", "A\\<b"), ("fix: ~~gone~~", "\\~\\~gone\\~\\~"),
        ("fix: decode &lt; and &#64;", "Decode \\&lt; and \\&#64;"), ("fix: C:\\_x", "C:\\\\`_x`"),
        ("fix: mail to a@b.com", "Mail to a@b.com"),
        ("fix: <https://a.b> and [x](y)", "<https://a.b> and [x](y)"),
        ("fix: Map<K, Set<V>> of (T) -> U", "`Map<K, Set<V>>` of (T) -> U"),
        ("fix: Box<(T) -> U> copies", "Box<(T) -> U> copies"), ("fix: @ alone", "@ alone"),
        ("fix: thanks @ada", "Thanks `@ada`"),
        ("Renderer: @objc names", "Renderer: `@objc` names"), ("fix: größe<T>", "Größe\\<T>"),
    ]) func subjectsAreText(_ subject: String, _ text: String) throws {
        let entry = try #require(CommitEntry(GitCommit(hash: "", subject: subject)))
        #expect(entry.text == text)
    }

    /// Whatever a subject is, its Markdown contains no mention and no HTML outside code.
    @Test func subjectsMentionNobody() {
        let parts = Generator<String>.element(of: [
            "a", "@", "<", ">", "`", "``", "(", ")", "_", "*", " ", "\\", "ada", "T", "/", "-", "#", "1.", "[", "]",
            "é", "&", ";",
        ])
        checkProperty("no mention and no HTML", parts.array(count: 0...12), cases: 2000) { parts in
            let line = InlineMarkdown(InlineMarkdown.escaped(parts.joined()))
            var index = 0
            while index < line.bytes.count {
                if line.bytes[index] == UInt8(ascii: "\\") {
                    index += 2
                } else if let end = line.codeEnd(at: index) {
                    index = end
                } else if line.mentionEnd(at: index) != nil || line.isTag(at: index) {
                    throw Mismatch(description: String(decoding: line.bytes, as: UTF8.self))
                } else {
                    index += 1
                }
            }
            return true
        }
    }

    private static func text(_ section: String, _ rest: String = "", file: String = "CHANGELOG.md") throws -> String? {
        let changelog = Changelog("# Changes\n\n## 1.0.0\n\n\(section)\n\n## 0.9.0\n\n- Zero [other]\n\n\(rest)")
        return try changelog.releaseText(
            for: try #require(SemanticVersion("1.0.0")),
            TagPages(repository: "https://github.com/a/b", tag: "v1.0.0", file: file))
    }

    /// Notes by hand are Markdown already. A line and the line of the release.
    @Test(arguments: [
        ("- Mark it as @MainActor.", "- Mark it as `@MainActor`."),
        ("- `@MainActor` (@Sendable)", "- `@MainActor` (`@Sendable`)"),
        ("- Use @available(macOS 14, *)", "- Use `@available(macOS 14, *)`"),
        ("- Faster, by @ada", "- Faster, by @ada"),
        ("- Thanks to @ada, @bob and @eve-x", "- Thanks to @ada, @bob and @eve-x"),
        ("- Faster (@ada, #12)", "- Faster (@ada, #12)"),
        ("- Faster (#12, @ada)", "- Faster (#12, @ada)"),
        ("- By [@ada](https://github.com/ada)", "- By [@ada](https://github.com/ada)"),
        ("- Array<Element> and <T>", "- Array\\<Element> and \\<T>"), ("- H<sub>2</sub>O<br>", "- H<sub>2</sub>O<br>"),
        ("<details><summary>x</summary>", "<details><summary>x</summary>"),
        ("- <https://a.b> <a@b.c>", "- <https://a.b> <a@b.c>"),
        ("<!-- @note -->", "<!-- @note -->"), ("- \\@x \\<T>", "- \\@x \\<T>"), ("- a@b.c", "- a@b.c"),
        (
            "- [a](docs/a.md), [b](./b.md#c) [d](/d.md)",
            "- [a](https://github.com/a/b/blob/v1.0.0/docs/a.md), [b](https://github.com/a/b/blob/v1.0.0/b.md#c) [d](https://github.com/a/b/blob/v1.0.0/d.md)"
        ),
        (
            "- ![x](x.png \"x\") <img src=\"y.png\">",
            "- ![x](https://github.com/a/b/raw/v1.0.0/x.png \"x\") <img src=\"https://github.com/a/b/raw/v1.0.0/y.png\">"
        ),
        (
            "- [0.9](#090) [x](<a b.md>)",
            "- [0.9](https://github.com/a/b/blob/v1.0.0/CHANGELOG.md#090) [x](<https://github.com/a/b/blob/v1.0.0/a b.md>)"
        ),
        ("- [m](mailto:a@b.c) [p](//a.b/c) [h](https://a.b)", "- [m](mailto:a@b.c) [p](//a.b/c) [h](https://a.b)"),
        ("- `[a](docs/a.md)`", "- `[a](docs/a.md)`"),
        (
            "[![x](x.png)](y.md)",
            "[![x](https://github.com/a/b/raw/v1.0.0/x.png)](https://github.com/a/b/blob/v1.0.0/y.md)"
        ),
    ]) func notesByHandKeepTheirForm(_ note: String, _ text: String) throws {
        #expect(try Self.text(note) == text)
    }

    @Test func linksAreRelativeToTheChangelog() throws {
        let (note, address) = ("- [a](../a.md) [b](b.md)", "https://github.com/a/b/blob/v1.0.0")
        #expect(
            try Self.text(note, file: "kits/shape/CHANGELOG.md")
                == "- [a](\(address)/kits/a.md) [b](\(address)/kits/shape/b.md)")
    }

    @Test func codeBlocksStay() throws {
        let code = "```swift\n@MainActor let x: Array<T>\n\n\n# Empty\n```"
        #expect(try Self.text(code) == code)
    }

    @Test func definitionsTravelWithTheSection() throws {
        let rest =
            "[#12]: https://a.b/12\n[guide]: docs/guide.md 'Guide'\n[Other]: https://a.b/other\n[#12]: https://a.b/again\n"
        let section = "- One [#12], [the guide][Guide] and `[other]`"
        #expect(
            try Self.text(section, rest)
                == "\(section)\n\n[#12]: https://a.b/12\n[guide]: https://github.com/a/b/blob/v1.0.0/docs/guide.md 'Guide'"
        )
        let own = "- One [x]\n\n[x]: https://a.b/x"
        #expect(try Self.text(own, "[x]: https://a.b/y\n") == own)
    }

    @Test(arguments: [
        ("### Added\n\n### Fixed\n\n- One\n\n### Removed", "### Fixed\n\n- One"),
        ("### Added\n\n#### Deep\n\n- One", "### Added\n\n#### Deep\n\n- One"),
        ("### Added\n\n#### Deep\n\n### Fixed\n- One\n\n\n- Two", "### Fixed\n- One\n\n- Two"), ("### Added", ""),
    ]) func headingsWithoutNotesAreOmitted(_ section: String, _ text: String) throws {
        #expect(try Self.text(section) == text)
    }
}
