import TestSupport
import Testing
import Text

@Suite struct JSONWriterTests {
    @Test func writesCompactAndIndented() {
        func write(_ layout: JSONWriter.Layout) -> String {
            var writer = JSONWriter(layout)
            writer.object { writer in
                writer.member("name", "a\"b")
                writer.member("count", 2)
                writer.array("list") { writer in
                    writer.value(true)
                    writer.null()
                    writer.object { _ in }
                    writer.array { $0.value(1.5) }
                }
                writer.object("empty") { _ in }
                writer.member("words", ["x", "y"])
            }
            return writer.text
        }
        #expect(
            write(.compact)
                == #"{"name":"a\"b","count":2,"list":[true,null,{},[1.5]],"empty":{},"words":["x","y"]}"#
        )
        #expect(
            write(.indented) == """
                {
                  "name": "a\\"b",
                  "count": 2,
                  "list": [
                    true,
                    null,
                    {},
                    [
                      1.5
                    ]
                  ],
                  "empty": {},
                  "words": [
                    "x",
                    "y"
                  ]
                }
                """)
    }

    @Test func infinitiesAndNaNBecomeNull() {
        var writer = JSONWriter()
        writer.array { writer in
            for value in [Double.infinity, .nan, -0.0, 1e15, 1e300, 0.1] { writer.value(value) }
        }
        #expect(writer.text.hasPrefix("[null,null,"))
        #expect(throws: Never.self) { try JSONParser.parse(writer.text) }
    }

    @Test func aDocumentIsAnIndentedObjectWithALineFeed() {
        #expect(JSONWriter.document { $0.member("a", 1) } == "{\n  \"a\": 1\n}\n")
        #expect(JSONWriter.documentBytes { _ in } == Array("{}\n".utf8))
    }

    @Test func aWriterCanBeReused() {
        var writer = JSONWriter()
        writer.object { $0.member("a", 1) }
        writer.removeAll()
        writer.object { $0.member("b", 2) }
        #expect(writer.text == #"{"b":2}"#)
    }
}
