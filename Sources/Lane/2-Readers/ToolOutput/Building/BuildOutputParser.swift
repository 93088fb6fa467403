package import Events

/// A parser of the output of `swift build`, or of the build in `swift test`. It supports all build systems and linkers.
/// It emits the progress, and each diagnostic once.
package struct BuildOutputParser: Sendable {
    private var feed = LineFeed(stripsEscapes: true)
    private var lines: BuildLines
    /// The lines that match no grammar, in order, for builds that fail without a diagnostic.
    package private(set) var unknownLines: [String] = []

    /// Creates a parser. `root` is the absolute path of the package.
    package init(root: String) {
        lines = BuildLines(paths: SourcePaths(root: root))
    }

    /// The number of reported errors.
    package var errors: Int { lines.errors }

    /// A Boolean value that indicates whether the linker reported an error.
    package var hasLinkError: Bool { lines.hasLinkError }

    /// Parses the next bytes and emits their events. A chunk can end anywhere.
    package mutating func consume(_ bytes: UnsafeRawBufferPointer, emit: (LaneEvent.Kind) -> Void) {
        var feed = self.feed.lend()
        feed.consume(bytes) { take($0, emit) }
        self.feed = feed
    }

    /// Parses an unterminated last line, and emits buffered events.
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
