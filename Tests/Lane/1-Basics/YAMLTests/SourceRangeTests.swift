import TestSupport
import Testing
import Text
import YAML

@Suite struct SourceRangeTests {
    /// The marks are the ranges of all nodes and keys.
    @Test(arguments: [
        "««a»: «1»»\n",
        "««a»:\n  «- «x»\n  - «'y z'»»   # c\n«b»: «[«p», «\"q\"» ]»»\n\n",
        "««ü»: «{ «é»: «ö», «k»: «»}»»\n",
        "««a»: «|\n  one\n  two»\n\n«b»: «>-\n    folded\n    text»»\n",
        "««a»: «one\n  two»\n«b»: «\"x\n  y\"»»\n",
        "«- «x»\n- ««a»: «1»\n  «b»:«»»\n- «[]»»\n",
        "\u{FEFF}««a»: «ä»\r\n«b»: «- «1»\r\n  - «2»»»\r\n".replacing(
            "«b»: «- «1»\r\n  - «2»»", with: "«b»:\r\n  «- «1»\r\n  - «2»»"),
    ]) func rangesOfNodes(_ marked: String) throws {
        let expected = MarkedText(marked)
        let file = SourceFile(path: "x.yml", text: expected.text)
        let (node, diagnostics) = YAMLParser.parse(file)
        #expect(diagnostics.all.isEmpty)
        var found: [Range<Int>] = []
        try #require(node).visit { node in
            if let span = node.span { found.append(span.range) }
            found += node.members?.compactMap { $0.nameSpan?.range } ?? []
        }
        found.sort { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
        #expect(found == expected.ranges, "\(expected.marked(found))")
    }

    /// The marks are the range in the file of the part `@…@` of the scalar's text.
    @Test(arguments: [
        "a: x «@y z@» w\n",
        "a: 'it''s «@here@» x'\n",
        "a: 'it «@''s@» x'\n",
        "a: \"tab\\t «@here@» x\"\n",
        "a: \"\\u00e4\\U0001F600 «@here\\\"@» x\"\n",
        "a: \"one\n\n   two «@three@»\"\n",
        "a: \"one \\\n   two «@three@»\"\n",
        "a: |  # header @ @\n  line\n    «@deep@»\n  end\n",
        "a: |\n  line\n\n\n  «@after empty lines@»\n",
        "a: >-\n  one\n  two «@three\n  four@» five\n",
        "a: one\n  two «@three@»\n",
        "ä: 'ö «@ü@»'\n",
    ]) func rangesOfPartsOfAScalar(_ marked: String) throws {
        let expected = MarkedText(marked)
        let file = SourceFile(path: "x.yml", text: expected.text)
        let node = try #require(YAMLParser.parse(file).node?.members?.first?.value)
        let text = Array(try #require(node.scalar?.text).utf8)
        let first = try #require(text.firstIndex(of: UInt8(ascii: "@")))
        let last = try #require(text.lastIndex(of: UInt8(ascii: "@")))
        let span = try #require(ScalarSourceMap(node)).span(of: first..<last + 1)
        #expect(span.range == expected.ranges[0], "\(expected.marked([span.range]))")
    }
}
