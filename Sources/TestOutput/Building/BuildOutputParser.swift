package import LaneEvents

/// Reads what `swift build`, or the build part of `swift test`, prints on either stream: progress, and each diagnostic once
/// and whole, whichever back end or linker it comes from.
package struct BuildOutputParser: Sendable {
    private var feed = LineFeed(stripsEscapes: true)
    private var lines: BuildLines
    /// Lines that no grammar knows, in the order in which they came, for when the build fails without a diagnostic.
    package private(set) var unknownLines: [String] = []

    /// `root` is the package's absolute path.
    package init(root: String) {
        lines = BuildLines(paths: SourcePaths(root: root))
    }

    /// Told so far, each once.
    package var errors: Int { lines.errors }
    var warnings: Int { lines.warnings }
    /// The build's own last words were that it is complete.
    var hasCompleted: Bool { lines.hasCompleted }

    /// Takes the next bytes, cut anywhere, and hands on what they tell.
    package mutating func consume(_ bytes: UnsafeRawBufferPointer, emit: (LaneEvent.Kind) -> Void) {
        var feed = self.feed.lend()
        feed.consume(bytes) { take($0, emit) }
        self.feed = feed
    }

    /// Takes a last line without newline, and hands on what is still held back.
    package mutating func finish(emit: (LaneEvent.Kind) -> Void) {
        var feed = self.feed.lend()
        feed.finish { take($0, emit) }
        lines.finish(emit)
    }

    private mutating func take(_ line: Line, _ emit: (LaneEvent.Kind) -> Void) {
        guard !lines.take(line, emit), !line.text.isEmpty, unknownLines.count < 1000 else { return }
        unknownLines.append(line.text.string)
    }
}
