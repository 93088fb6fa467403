import Events
import TestSupport
import Testing
import Text

@testable import Reports

/// Tests that a failed comparison shows the difference of its values.
@Suite struct DifferenceTests {
    private func explained(_ text: String) -> String {
        IssueExplanation(text).plainLines().joined(separator: "\n")
    }

    private func unequal(_ left: String, _ right: String, _ comment: String = "") -> String {
        explained("XCTAssertEqual failed: (\"\(left)\") is not equal to (\"\(right)\") - \(comment)")
    }

    @Test func wordsOfALine() {
        #expect(
            unequal(
                "the quick brown fox jumps over the lazy dog", "the quick red fox jumped over the dog", "animals")
                    == """
                    XCTAssertEqual failed: left (-) is not equal to right (+) - animals
                    - the quick brown fox jumps over the lazy dog
                                ~~~~~     ~~~~~         ~~~~~
                    + the quick red fox jumped over the dog
                                ~~~     ~~~~~~
                    """)
    }

    /// Two long words that differ in some characters would be two equal texts if they were cut.
    @Test func charactersOfALongWord() {
        let (start, end) = (String(repeating: "aé", count: 400), String(repeating: "z", count: 700))
        #expect(
            unequal(start + "123" + end, start + "é" + end) == """
                XCTAssertEqual failed: left (-) is not equal to right (+)
                - …aéaéaéaéaéaéaéaé123zzzzzzzzzzzzzzzzzzzzzzzz…
                                   ~~~
                + …aéaéaéaéaéaéaéaéézzzzzzzzzzzzzzzzzzzzzzzz…
                                   ~
                """)
    }

    @Test func linesOfAText() {
        #expect(
            unequal("a\nb\nc\nd\ne\nf\ng\nh\ni\n", "a\nb\nc\nd\nE\nf\ng\nh\ni\nj") == """
                XCTAssertEqual failed: left (-) is not equal to right (+)
                  a
                  b
                  c
                  d
                - e
                + E
                  f
                  g
                  h
                  i
                + j
                note: only the left text ends with a line break
                """)
    }

    @Test func distantLinesAreOmitted() {
        let lines = (1...1000).map { "line \($0)" }
        var other = lines
        other[499] = "line of 500"
        #expect(
            unequal(lines.joined(separator: "\n"), other.joined(separator: "\n")) == """
                XCTAssertEqual failed: left (-) is not equal to right (+)
                … 496 equal lines
                  line 497
                  line 498
                  line 499
                - line 500
                + line of 500
                       ~~~
                  line 501
                  line 502
                  line 503
                … 497 equal lines
                """)
    }

    @Test(arguments: [
        ("[1, 2, 3, 4, 5]", "[1, 3, 4, 6, 5]", "  1\n- 2\n  3\n  4\n+ 6\n  5"),
        ("Optional([1, 2, 3])", "Optional([1, 2])", "  1\n  2\n- 3"),
        (#"["a, b", "c"]"#, #"["a, b", "d", "\"q\""]"#, "  \"a, b\"\n- \"c\"\n+ \"d\"\n+ \"\\\"q\\\"\""),
        ("[[1, 2], [3]]", "[[1, 2], [4]]", "  [1, 2]\n- [3]\n   ~\n+ [4]\n   ~"),
        ("[10, 20, 20, 10]", "[20, 10, 10, 20]", "- 10\n  20\n- 20\n  10\n+ 10\n+ 20"),
        // Sets, whose order is random.
        ("[2, 5, 9, 3, 1]", "[9, 5, 2, 7, 3]", "… 4 equal elements\n- 1\n+ 7\nnote: equal elements have another order"),
        ("Set([2, 5, 9, 3, 1])", "Set([9, 5, 2, 7, 3])", "… 4 equal elements\n- 1\n+ 7"),
        // Dictionaries.
        (
            #"["b": 2, "a": 1, "c": 3]"#, #"["d": 3, "b": 3, "a": 1]"#,
            "… 1 equal element\n- \"b\": 2\n       ~\n+ \"b\": 3\n       ~\n- \"c\": 3\n+ \"d\": 3"
        ),
        (#"["a": 1, "b": [1]]"#, "[:]", "- \"a\": 1\n- \"b\": [1]"),
    ])
    func elementsOfACollection(left: String, right: String, rows: String) {
        #expect(unequal(left, right) == "XCTAssertEqual failed: left (-) is not equal to right (+)\n" + rows)
    }

    @Test func theRelationIsOutsideTheValues() {
        #expect(
            explained(
                "Expectation failed: (sql → \"where (a) == (b) and c\") == (expected → \"where (a) == (b) and d\")"
            ).hasPrefix("Expectation failed: sql (-) == expected (+)\n"))
        #expect(
            explained("Expectation failed: (a → P((: one two three four)) == (b → P((: one two four five))")
                .hasPrefix("Expectation failed: a (-) == b (+)\n"))
    }

    @Test func valuesWithManyRelations() {
        let source = String(repeating: "if (a) == (b) { c } ", count: 5000)
        let text = "Expectation failed: \"\(source)\" == (out → \"\(source)x\")"
        #expect(IssueExplanation(text).plainLines().count < 210)
    }

    @Test func theNamesOfSwiftTesting() {
        #expect(
            explained(
                """
                Expectation failed: (made → P(name: "x", tags: ["a", "b"], count: 1)) == (wanted → P(name: "y", tags: ["a"], count: 1))
                ± inserted [1]
                a comment
                """) == """
                    Expectation failed: made (-) == wanted (+)
                    - P(name: "x", tags: ["a", "b"], count: 1)
                               ~            ~~~~~
                    + P(name: "y", tags: ["a"], count: 1)
                               ~
                    a comment
                    """)
        #expect(
            explained("Expectation failed: \"one two\" == (f(\"b == c\") → \"one\ntwo\")") == """
                Expectation failed: left (-) == f("b == c") (+)
                - one two
                + one
                + two
                """)
        // The order of an array matters.
        let ordered =
            "Expectation failed: (a → [100, 200, 300]) == (b → [300, 200, 400])\n± inserted [100], removed [400]"
        #expect(
            explained(ordered) == """
                Expectation failed: a (-) == b (+)
                - 100
                - 200
                  300
                + 200
                + 400
                """)
    }

    @Test(arguments: [
        ("one two three\u{A0}d", "one two three d", "- one two three\\u{00A0}d"),
        ("one two three\tc", "one two three    c", "- one two three\\tc"),
        ("one two\r\nthree", "one two\nthree", "- one two\\r"),
    ])
    func invisibleDifferencesAreVisible(left: String, right: String, row: String) {
        #expect(unequal(left, right).split(separator: "\n").contains(Substring(row)), "\(unequal(left, right))")
    }

    /// A short value, a value of one word and a text that only looks like a comparison stay as they are.
    @Test(arguments: [
        #"XCTAssertEqual failed: ("1") is not equal to ("2") - "#,
        #"XCTAssertEqual failed: ("left") is not equal to ("right-handed") - x"#,
        #"XCTAssertEqual failed: ("the same text") is not equal to ("the same text") - "#,
        #"XCTAssertNotEqual failed: ("the same text") is equal to ("the same text") - "#,
        #"Expectation failed: (n → 2) == 3"#, #"Expectation failed: "a" == x && y == "a long text that is not""#,
        #"Expectation failed: (f(s).count == 3 → false) && (s == "r" → <not evaluated>)"#,
        "Expectation failed: (a → \"one two three", "Caught error: \"a == b\"", "",
    ])
    func otherTextsAreUnchanged(text: String) {
        #expect(explained(text) == text)
    }

    @Test func colorsReplaceMarks() {
        let text = #"XCTAssertEqual failed: ("one two three") is not equal to ("one 2 three") - "#
        #expect(
            IssueExplanation(text).lines(TextStyle(isColored: true, isUnicode: true)).dropFirst() == [
                "\u{1B}[31m- \u{1B}[0m\u{1B}[31mone \u{1B}[0m\u{1B}[31;7mtwo\u{1B}[0m\u{1B}[31m three\u{1B}[0m",
                "\u{1B}[32m+ \u{1B}[0m\u{1B}[32mone \u{1B}[0m\u{1B}[32;7m2\u{1B}[0m\u{1B}[32m three\u{1B}[0m",
            ])
    }

    /// Values of 10 kB are cheap to compare in the worst case, and their difference is short.
    @Test(.timeLimit(.minutes(1)), arguments: [" ", "\n", ", "])
    func largeValuesAreBounded(separator: String) {
        func value(_ factor: Int) -> String {
            "[" + (0..<2000).map { "\(($0 * factor) % 7919)" }.joined(separator: separator) + "]"
        }
        let start = ContinuousClock.now
        for (left, right) in [(value(31), value(37)), (value(31), value(31) + separator + "x"), (value(1), "[")] {
            let lines = IssueExplanation(
                "Expectation failed: (a → \(left)) == (b → \(right))"
            ).plainLines()
            #expect(lines.count < 210 && lines.joined().utf8.count < 10_000)
        }
        #expect(ContinuousClock.now - start < .seconds(20))
    }

    // MARK: Properties

    private static func applied(_ changes: [SequenceDifference.Change], _ left: [Int], _ right: [Int]) -> [Int] {
        var (result, done): ([Int], Int) = ([], 0)
        for change in changes {
            result += left[done..<change.left.lowerBound] + right[change.right]
            done = change.left.upperBound
        }
        return result + left[done...]
    }

    @Test func changesGiveTheOtherSide() {
        let sequence = Generator<Int>.integer(in: 0...4).array(count: 0...30)
        checkProperty("changes give the other side", zip(sequence, sequence), cases: 500) { left, right in
            for limit in [0, 3, 1000] {
                let changes = SequenceDifference(left, right, limit: limit).changes
                _ = try expectEqual(Self.applied(changes, left, right), right)
                // Changes are in order, are not empty, and have equal elements between them.
                for (one, next) in zip(changes, changes.dropFirst()) {
                    guard one.left.upperBound < next.left.lowerBound || one.right.upperBound < next.right.lowerBound,
                        next.left.lowerBound - one.left.upperBound == next.right.lowerBound - one.right.upperBound
                    else { return false }
                }
            }
            return true
        }
    }

    /// The smallest number of edits, by dynamic programming.
    @Test func changesAreMinimal() {
        let sequence = Generator<Int>.integer(in: 0...2).array(count: 0...12)
        checkProperty("changes are minimal", zip(sequence, sequence), cases: 300) { left, right in
            var common = [[Int]](repeating: [Int](repeating: 0, count: right.count + 1), count: left.count + 1)
            for i in left.indices {
                for j in right.indices {
                    common[i + 1][j + 1] =
                        left[i] == right[j] ? common[i][j] + 1 : max(common[i][j + 1], common[i + 1][j])
                }
            }
            let edits = SequenceDifference(left, right).changes.reduce(0) { $0 + $1.left.count + $1.right.count }
            _ = try expectEqual(edits, left.count + right.count - 2 * common[left.count][right.count])
            return true
        }
    }

    /// The rows of each side are its lines.
    @Test func rowsGiveBothSides() {
        let word = Generator<String>.element(of: ["a", "b", " ", "c d", "é", "\t", "[", ","])
        let line = word.array(count: 0...4).map { $0.joined() }
        let text = line.array(count: 1...6).map { $0.joined(separator: "\n") }
        checkProperty("rows give both sides", zip(text, text), cases: 500) { left, right in
            guard let difference = ValueDifference(left[...], right[...]), difference.unit == "line" else {
                throw Discard()
            }
            for (side, value) in [(ValueDifference.Side.left, left), (.right, right)] {
                let rows = difference.parts.compactMap { part -> [UInt8]? in
                    guard case .row(let row) = part, row.side == .both || row.side == side else { return nil }
                    return row.text
                }
                let ending = value.hasSuffix("\n") ? "\n" : ""
                guard !difference.parts.contains(where: { if case .gap = $0 { true } else { false } }) else {
                    throw Discard()
                }
                _ = try expectEqual(
                    rows.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n") + ending, value)
            }
            return true
        }
    }

    @Test func issuesShowTheSource() {
        let test = TestID(library: .xctest, module: "M", suite: "S", name: "test")
        let issue = TestIssue(
            test: test, text: "XCTAssertTrue failed", at: SourceLocation(path: "S.swift", line: 9),
            source: ["XCTAssertTrue(", "    value)"])
        let events = ReportFixture.events([
            ("test", .test(.started(test, attempt: 1, worker: 1))), ("test", .test(.issue(issue))),
            ("test", .test(.ended(TestResult(test: test, outcome: .failed, duration: nil)))),
        ])
        #expect(
            ReportFixture.text(of: events) { PlainReport(style: .plain, write: $0) } == """
                ✘ M.S/test failed
                    S.swift:9
                    9 | XCTAssertTrue(
                    10 |     value)
                    XCTAssertTrue failed

                """)
    }
}
