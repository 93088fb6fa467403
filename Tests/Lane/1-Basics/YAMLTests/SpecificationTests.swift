import Testing
import Text
import YAML

/// The constructs of https://yaml.org/spec/1.2.2 with the numbers of its examples and with other texts.
@Suite struct SpecificationTests {
    struct Example: Sendable, CustomTestStringConvertible {
        let number: String
        let text: String
        let form: String

        init(_ number: String, _ text: String, _ form: String) {
            self.number = number
            self.text = text
            self.form = form
        }

        var testDescription: String { number }
    }

    @Test(arguments: valid) func isParsed(_ example: Example) {
        let (node, diagnostics) = YAMLParser.parse(SourceFile(path: "x.yml", text: example.text))
        #expect(DiagnosticText().text(for: diagnostics) == "")
        #expect(node?.canonical == example.form)
    }

    static let valid: [Example] = [
        Example("2.1 list", "- one\n- two\n", "[one, two]"),
        Example("2.2 mapping", "a: 1\nb: 0.2   # note\n", "{a: 1, b: 0.2}"),
        Example("2.3 mapping of lists", "a:\n  - x\n  - y\nb:\n- z\n", "{a: [x, y], b: [z]}"),
        Example("2.4 list of mappings", "-\n  a: 1\n  b: 2\n-\n  a: 3\n", "[{a: 1, b: 2}, {a: 3}]"),
        Example("2.5 list of lists", "- [a, b]\n- [c, 1]\n", "[[a, b], [c, 1]]"),
        Example(
            "2.6 mapping of mappings", "a: {x: 1, y: 2}\nb: {\n    x: 3,\n    y: 4\n  }\n",
            "{a: {x: 1, y: 2}, b: {x: 3, y: 4}}"),
        Example("2.9 comments", "---\na: # one\n  - x\n# two\nb: y\n", "{a: [x], b: y}"),
        Example("2.10 anchor", "a:\n  - x\n  - &N name\nb:\n  - *N\n", "{a: [x, name], b: [name]}"),
        Example("2.12 compact mapping", "- a: 1\n  b: 2\n- a: 3\n", "[{a: 1, b: 2}, {a: 3}]"),
        Example("2.13 literal", "|\n  a  b\n   c\n", "\"a  b\\n c\\n\""),
        Example("2.14 folded", ">\n  one\n  two\n  three\n", "\"one two three\\n\""),
        Example(
            "2.15 folded with more indentation", ">\n  one\n  two\n\n    - x\n    - y\n\n  end\n",
            "\"one two\\n\\n  - x\\n  - y\\n\\nend\\n\""),
        Example(
            "2.17 quotes", "a: \"\\u263A\"\nb: \"\\x0a-\"\nc: 'it''s'\nd: ' # no comment'\n",
            "{a: \"☺\", b: \"\\n-\", c: \"it's\", d: \" # no comment\"}"),
        Example(
            "2.18 several lines", "a:\n  one\n  two\nb: \"three\n  four\\n\"\n", "{a: one two, b: \"three four\\n\"}"),
        Example(
            "2.21 nothing", "null:\nyes: [true, false]\ntext: '0123'\n", "{null: , yes: [true, false], text: \"0123\"}"),
        Example("2.24 string tag", "a: !!str 12\n", "{a: \"12\"}"),
        Example("5.3 block structure", "a:\n- one\n- two\nb:\n  x: 1\n", "{a: [one, two], b: {x: 1}}"),
        Example("5.7 block scalars", "a: |\n  x\n  y\nb: >\n  x\n  y\n", "{a: \"x\\ny\\n\", b: \"x y\\n\"}"),
        Example("5.13 escapes", "\"a \\\\ \\\" \\t \\/ \\x41 \\\n  b\"\n", "\"a \\\\ \\\" \\t / A b\""),
        Example("6.1 indentation", "  # comment\n\na: x\nb:\n - y\n -  z\n", "{a: x, b: [y, z]}"),
        Example("7.2 empty values", "{\n  a : ,\n  b: '',\n}\n", "{a: , b: \"\"}"),
        Example("7.4 quoted keys", "'a': ['b', \"c\"]\n", "{a: [\"b\", \"c\"]}"),
        Example(
            "7.10 plain characters", "- ::x\n- a, b\n- -123\n- https://x.y/z#w\n- [a:b, x::y, -1]\n",
            "[::x, a, b, -123, https://x.y/z#w, [a:b, x::y, -1]]"),
        Example("7.12 plain lines", "1st line\n\n 2nd one \n\t3rd line\n", "1st line\n2nd one 3rd line"),
        Example("7.13 flow list", "- [ a, b, ]\n- [c ,d]\n", "[[a, b], [c, d]]"),
        Example("7.15 flow mapping", "- { a : b , c: d , }\n- {e: f,g : h}\n", "[{a: b, c: d}, {e: f, g: h}]"),
        Example("7.19 pair in a list", "[a: b]\n", "[{a: b}]"),
        Example(
            "8.2 indentation indicator", "- |\n x\n- >\n \n  \n  # y\n- |1\n  z\n",
            "[\"x\\n\", \"\\n\\n# y\\n\", \" z\\n\"]"),
        Example("8.4 chomping", "a: |-\n  x\nb: |\n  x\nc: |+\n  x\n\n", "{a: \"x\", b: \"x\\n\", c: \"x\\n\\n\"}"),
        Example("8.15 block entries", "- # nothing\n- |\n b\n- - c\n  - d\n- e: f\n", "[, \"b\\n\", [c, d], {e: f}]"),
        Example("8.20 properties", "-\n  \"x\"\n- >\n y\n- a:\n    b\n", "[\"x\", \"y\\n\", {a: b}]"),
        Example("9.1 directive", "%YAML 1.2\n---\na: b\n...\n", "{a: b}"),
        Example("byte order mark", "\u{FEFF}a: b\nc: d\n", "{a: b, c: d}"),
        Example(
            "line ends of Windows", "a: x\r\nb:\r\n  - |\r\n    one\r\n    two\r\n", "{a: x, b: [\"one\\ntwo\\n\"]}"),
    ]

    @Test func anEmptyFileHasNoNode() {
        for text in ["", "\n", "# only a comment\n", "---\n...\n"] {
            let (node, diagnostics) = YAMLParser.parse(SourceFile(path: "x.yml", text: text))
            #expect(diagnostics.all.isEmpty)
            #expect(node?.isNull ?? true)
        }
    }

    @Test(arguments: [
        ("", YAMLScalar.Meaning.null), ("~", .null), ("null", .null), ("Null", .null), ("nUll", .string),
        ("true", .bool(true)), ("False", .bool(false)), ("TRUE", .bool(true)), ("tRue", .string),
        ("yes", .legacyBool(true)), ("No", .legacyBool(false)), ("ON", .legacyBool(true)), ("off", .legacyBool(false)),
        ("y", .string), ("12", .integer(12)), ("-3", .integer(-3)), ("+4", .integer(4)), ("0", .integer(0)),
        ("0x1F", .integer(31)), ("0o17", .integer(15)), ("010", .legacyOctal), ("00", .legacyOctal),
        ("99999999999999999999", .number), ("1.10", .number), ("1.", .number), (".5", .number), ("1e3", .number),
        ("-1.5E-3", .number), (".inf", .number), ("-.Inf", .number), (".nan", .number), (".", .string), ("-", .string),
        ("1.2.3", .string), ("1_000", .string), ("12:30", .string), ("0x", .string), ("0xZZ", .string), ("1e", .string),
        ("e3", .string), ("+", .string), ("0o8", .string), ("0x-1", .string),
    ]) func meaningOfAPlainScalar(_ text: String, _ meaning: YAMLScalar.Meaning) {
        #expect(YAMLScalar(text).meaning == meaning)
        #expect(YAMLScalar(text, style: .doubleQuoted).meaning == .string)
    }
}
