import TestSupport
import Testing
import Text
import YAML

@Suite struct YAMLWriterTests {
    @Test func writesBlockStyle() {
        let tree = YAMLNode.map([
            ("name", .text("CI")),
            ("on", .map([("push", .map([("branches", .list([.text("main")]))])), ("pull_request", .map([]))])),
            (
                "jobs",
                .map([
                    (
                        "test",
                        .map([
                            ("timeout-minutes", .integer(30)),
                            (
                                "steps",
                                .list([
                                    .map([
                                        ("uses", .text("a/b@0123", comment: "v4.2.2")),
                                        ("with", .map([("x", .bool(true))])),
                                    ]),
                                    .map([("run", .text("one\ntwo: 2\n")), ("if", .text("${{ always() }}"))]),
                                    .list([.text("1.10"), .text("no"), .text("")]),
                                ])
                            ),
                        ])
                    )
                ])
            ),
        ])
        #expect(
            YAMLWriter.text(of: tree) == """
                name: CI
                on:
                  push:
                    branches:
                      - main
                  pull_request: {}
                jobs:
                  test:
                    timeout-minutes: 30
                    steps:
                      - uses: a/b@0123  # v4.2.2
                        with:
                          x: true
                      - run: |
                          one
                          two: 2
                        if: ${{ always() }}
                      -
                        - '1.10'
                        - 'no'
                        - ''

                """)
    }

    private static let texts = Generator<String> { source in
        let pieces = [
            "a", "B", "0", "1.5", " ", "  ", "\n", "\t", ":", "#", "-", "'", "\"", "\\", "{", "}", "[", "]", ",", "&",
            "*", "!",
            "|", ">", "%", "@", "`", "$", "${{ x }}", "ü", "😀", "\u{2028}", "\u{85}", "\u{7F}", "\u{FEFF}", "~", "true",
            "no", "?",
            // The generator rarely draws two consecutive characters that together start a comment or a value.
            " #", ": ", "<<", "=", "---", "...", ".", "\r", "e", "_", "+", "0x",
        ]
        var text = ""
        while source.draw(upTo: 4) > 0, text.count < 40 {
            text += pieces[Int(source.draw(upTo: UInt64(pieces.count - 1)))]
        }
        return text
    }

    @Test func stringsRoundTrip() {
        checkProperty("strings round-trip", Self.texts, cases: 2000) { text in
            let tree = YAMLNode.map([("k", .text(text)), ("l", .list([.text(text), .list([.text(text)])]))])
            let written = YAMLWriter.text(of: tree)
            let (node, diagnostics) = YAMLParser.parse(SourceFile(path: "x.yml", text: written))
            _ = try expectEqual(DiagnosticText().text(for: diagnostics), "")
            _ = try expectEqual(node?["k"]?.scalar?.text, text)
            _ = try expectEqual(node?["l"]?.sequence?[1].sequence?[0].scalar?.text, text)
            return node?["k"]?.scalar?.meaning == .string
        }
    }

    @Test func keysRoundTrip() {
        checkProperty("keys round-trip", Self.texts.filter { $0 != "<<" }, cases: 1000) { text in
            let written = YAMLWriter.text(of: .map([(text, .text("x"))]))
            let (node, diagnostics) = YAMLParser.parse(SourceFile(path: "x.yml", text: written))
            _ = try expectEqual(DiagnosticText().text(for: diagnostics), "")
            return node?.members?.first?.name == text
        }
    }

    @Test(arguments: ["L M's\u{619}norm'\u{619}", "'\u{301}", "a\r\nb\n\n", "a\n\u{301}b\n"])
    func charactersOfSeveralScalarsRoundTrip(_ text: String) throws {
        let written = YAMLWriter.text(of: .map([("a", .text(text))]))
        let (node, diagnostics) = YAMLParser.parse(SourceFile(path: "a.yml", text: written))
        #expect(!diagnostics.hasErrors, "\(written)")
        let read = node?["a"]?.scalar?.text
        #expect(read.map { Array($0.utf8) } == Array(text.utf8), "\(written)")
    }
}
