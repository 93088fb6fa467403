import Testing
import Text

@Suite struct JSONParserTests {
    @Test(arguments: [
        ("null", JSONNode.Content.null), (" true ", .bool(true)), ("false", .bool(false)), ("0", .integer(0)),
        ("-0", .integer(0)),
        ("12", .integer(12)), ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
        ("9223372036854775808", .number(9_223_372_036_854_775_808)), ("1.5", .number(1.5)), ("1e3", .number(1000)),
        ("-1.25E-2", .number(-0.0125)),
        ("1e-400", .number(0)), ("\"\"", .string("")),
        ("\"a\\n\\t\\\"\\\\\\/\\b\\f\\r\"", .string("a\n\t\"\\/\u{8}\u{C}\r")),
        ("\"\\u00e4\\u4E2D\"", .string("ä中")), ("\"\\uD83D\\uDE00\"", .string("😀")), ("\"ü😀\"", .string("ü😀")),
        ("\"\\u0000\"", .string("\0")), ("[]", .array([])), ("\r\n\t[ ]", .array([])), ("{}", .object([])),
    ]) func reads(_ text: String, _ content: JSONNode.Content) throws {
        #expect(try JSONParser.parse(text).content == content)
    }

    @Test func rangesAreKept() throws {
        let text = "{\"a\": [1, {\"ü\": \"x\"}] , \"b\":null}"
        let node = try JSONParser.parse(text)
        let bytes = Array(text.utf8)
        func part(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
        #expect(part(node.range) == text)
        #expect(node.members?.map { part($0.nameRange) } == ["\"a\"", "\"b\""])
        #expect(node["a"].map { part($0.range) } == "[1, {\"ü\": \"x\"}]")
        #expect(node["a"]?.array?[1]["ü"].map { part($0.range) } == "\"x\"")
    }

    @Test(arguments: [
        ("", "expected a value, found the end of the text", 0), ("nul", "expected a value", 0),
        ("nulll", "expected the end of the text after the value", 4),
        ("01", "expected the end of the text after the value", 1), ("-", "expected a digit", 1),
        ("1.", "expected a digit", 2),
        (".5", "expected a value", 0),
        ("1e", "expected a digit", 2), ("+1", "expected a value", 0), ("1e400", "the number is too large", 0),
        ("[1,]", "expected a value", 3),
        ("[1 2]", "expected ',' or ']'", 3), ("{\"a\":1,}", "expected a name in double quotes", 7),
        ("{a:1}", "expected a name in double quotes", 1),
        ("{\"a\" 1}", "expected ':' after the name 'a'", 5), ("{\"a\":1 \"b\":2}", "expected ',' or '}'", 7),
        ("{\"a\":1,\"a\":2}", "duplicate name 'a'", 7), ("\"x", "the string has no closing quote", 0),
        ("\"\\x\"", "unknown escape", 2), ("\"\\u12G4\"", "expected four hexadecimal digits", 3),
        ("\"a\nb\"", "a control character in a string must be escaped", 2),
        ("[1] x", "expected the end of the text after the value", 4), ("'a'", "expected a value", 0),
        ("NaN", "expected a value", 0), ("[", "expected a value, found the end of the text", 1),
    ]) func refuses(_ text: String, _ message: String, _ offset: Int) {
        #expect { try JSONParser.parse(text) } throws: { error in
            error as? JSONError == JSONError(message, at: offset)
        }
    }

    /// The output of other programs may contain unpaired surrogates; the characters after one are kept.
    @Test(arguments: [
        ("\"\\uD800\"", "\u{FFFD}"), ("\"\\uDC00x\"", "\u{FFFD}x"), ("\"\\uD800\\n\"", "\u{FFFD}\n"),
        ("\"\\uD800\\u0041\"", "\u{FFFD}A"), ("\"\\uD800\\uD83D\\uDE00\"", "\u{FFFD}😀"),
    ]) func unpairedSurrogatesAreReplaced(_ text: String, _ expected: String) throws {
        #expect(try JSONParser.parse(text).string == expected)
    }

    @Test func invalidUTF8IsReplaced() throws {
        #expect(try JSONParser.parse([0x22, 0xFF, 0x41, 0x22]).string == "\u{FFFD}A")
    }

    @Test func nestingIsLimited() {
        for opening in ["[", "{\"a\":", "[{\"a\":"] {
            #expect(throws: JSONError.self) { try JSONParser.parse(String(repeating: opening, count: 100_000)) }
        }
    }
}
