import Events
import Testing

@testable import ToolOutput

@Suite struct BuildWaitTests {
    private static let waiting =
        "Another instance of SwiftPM (PID: 7) is already running using '/p/.build', waiting until that process has "
        + "finished execution..."

    /// SwiftPM prints its next message on the same line.
    @Test(arguments: [[waiting, "Building for debugging...\n"], ["\(waiting)Building for debugging...\n"]])
    func aWaitIsReportedWhenItBegins(chunks: [String]) {
        var parser = BuildOutputParser(root: "/p")
        var events: [LaneEvent.Kind] = []
        func consume(_ chunk: String) {
            Array(chunk.utf8).withUnsafeBytes { parser.consume($0) { events.append($0) } }
        }
        let message = LaneEvent.Kind.message(
            Message(.note, "waiting, because another instance of SwiftPM (PID: 7) is already running using '/p/.build'")
        )
        consume(chunks[0])
        #expect(events.first == message)
        for chunk in chunks.dropFirst() { consume(chunk) }
        let progress = BuildProgress(finished: 0, total: 1, text: "Building for debugging...")
        #expect(events == [message, .buildProgress(progress)])
        #expect(parser.unknownLines.isEmpty)
    }
}
