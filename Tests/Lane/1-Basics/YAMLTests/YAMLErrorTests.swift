import TestSupport
import Testing
import Text
import YAML

@Suite struct YAMLErrorTests {
    /// Compares the complete messages. Each text has one kind of error.
    @Test func messagesAndLocations() {
        let texts: [(String, [UInt8])] = [
            ("tab", Array("a:\n\tb: 1\n".utf8)),
            ("tab-in-list", Array("a:\n  - x\n\t- y\n".utf8)),
            ("colon", Array("a: b: c\n".utf8)),
            ("indentation", Array("a: 1\n  b: 2\n".utf8)),
            ("dedent", Array("a:\n    b: 1\n  c: 2\n".utf8)),
            ("no-colon", Array("a: 1\nb\nc: 2\n".utf8)),
            ("double-quote", Array("a: \"x\nb: 1\n".utf8)),
            ("single-quote", Array("a: 'x\nb: 1\n".utf8)),
            ("bracket", Array("a: [x, y\nb: 1\n".utf8)),
            ("brace", Array("a: {x: 1\nb: 2\n".utf8)),
            ("expression-in-bracket", Array("a: [x, y-${{ z }}]\n".utf8)),
            ("expression-in-brace", Array("a: { x: ${{ z }} }\n".utf8)),
            ("at-sign", Array("a: @x\n".utf8)),
            ("backtick", Array("a: `x`\n".utf8)),
            ("percent", Array("a: %x\n".utf8)),
            ("escape", Array("a: \"\\q\"\n".utf8)),
            ("hex", Array("a: \"\\xZZ\"\n".utf8)),
            ("twice", Array("a: 1\nb: 2\na: 3\nb: 4\n".utf8)),
            ("documents", Array("a: 1\n---\nb: 2\n".utf8)),
            ("anchor", Array("base: &base x\nb: *bse\n".utf8)),
            ("inside-itself", Array("a: &a [*a]\n".utf8)),
            ("merge", Array("b: &b {x: 1}\na:\n  <<: *b\n".utf8)),
            ("tag", Array("a: !!float 1\nb: !own x\n".utf8)),
            ("own-tag", Array("if: !parameters.x\n".utf8)),
            ("complex-key", Array("? [a, b]\n: c\n".utf8)),
            ("no-key", Array(": c\n".utf8)),
            ("control", Array("a: \u{1}\n".utf8)),
            ("nul", Array("a: x\0y\n".utf8)),
            ("not-utf8", Array("ä: ".utf8) + [0xFF, 0x0A]),
            ("utf16", [0xFF, 0xFE, 0x61, 0x00]),
            ("list-then-key", Array("- x\na: 1\n".utf8)),
            ("dash-after-key", Array("a: - x\n".utf8)),
            ("text-after", Array("'a' b\n".utf8)),
            ("text-after-quotes", Array("- a: \"b\" c\n".utf8)),
            ("text-too-far-left", Array("- a: |\n  b\n  c\n".utf8)),
            ("text-dedent", Array("- a: >\n     b\n    c\n".utf8)),
            ("comment-in-brace", Array("a: { b: #fff }\nc: d\n".utf8)),
        ]
        var report = ""
        for (name, bytes) in texts {
            let (_, diagnostics) = YAMLParser.parse(SourceFile(path: "\(name).yml", bytes: bytes))
            #expect(diagnostics.hasErrors, "\(name)")
            report += DiagnosticText().text(for: diagnostics) + "\n"
        }
        expectGolden(report, "errors.txt")
    }

    @Test func nestingIsLimited() {
        for text in [
            String(repeating: "[", count: 100_000), String(repeating: "- ", count: 100_000) + "x",
            String(repeating: "{a: ", count: 100_000),
        ] {
            let (node, diagnostics) = YAMLParser.parse(SourceFile(path: "x.yml", text: text))
            #expect(node == nil)
            #expect(diagnostics.all.first?.message == "nested more than 64 levels deep")
        }
    }

    @Test func exponentialAliasesAreRejected() {
        var text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
        for level in 1...40 {
            text +=
                "a\(level): &a\(level) [" + Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
                + "]\n"
        }
        let (_, diagnostics) = YAMLParser.parse(SourceFile(path: "x.yml", text: text))
        #expect(diagnostics.all.map(\.message) == ["aliases add more than 10000 nodes"])
    }
}
