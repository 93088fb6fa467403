import Diagnostics
import Testing
import YAML

@Suite struct YAMLParserTests {
    @Test func aMappingKeepsPlaces() throws {
        let file = SourceFile(path: "x.yml", text: "a: 1\nb:\n  - \"zwei\"\n  - ü: [x, y]\nc: |\n  text\n")
        let (node, diagnostics) = YAMLParser.parse(file)
        #expect(diagnostics.all.isEmpty)
        let root = try #require(node)
        #expect(root["b"]?.span?.text == "- \"zwei\"\n  - ü: [x, y]")
        #expect(root["b"]?.sequence?[1]["ü"]?.span?.text == "[x, y]")
        #expect(root["c"]?.scalar?.text == "text\n")
        #expect(root["c"]?.span?.text == "|\n  text")
        #expect(YAMLWriter.text(of: root) == "a: 1\nb:\n  - zwei\n  - 'ü':\n      - x\n      - 'y'\nc: |\n  text\n")
    }
}
