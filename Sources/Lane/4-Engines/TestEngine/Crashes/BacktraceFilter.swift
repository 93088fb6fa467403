import ToolOutput

/// A filter that removes Swift's stack traces from standard error. The crash report contains the relevant frames, and
/// about thirty others belong to the test library. The memory map of AddressSanitizer is also removed.
struct BacktraceFilter {
    private var splitter = LineSplitter()
    private var isWithin = false
    private var isWithinMap = false
    private var hasJustEnded = false

    /// Adds bytes, and returns the remaining output. Buffers an unterminated line.
    mutating func remains(of bytes: UnsafeRawBufferPointer) -> [UInt8] {
        var kept: [UInt8] = []
        var splitter = splitter
        splitter.consume(bytes) { line, ending in take(line, ending, &kept) }
        self.splitter = splitter
        return kept
    }

    /// Returns the buffered rest at the end of the process.
    mutating func finish() -> [UInt8] {
        var kept: [UInt8] = []
        var splitter = splitter
        splitter.finish { line, ending in take(line, ending, &kept) }
        self.splitter = splitter
        return kept
    }

    private mutating func take(_ line: UnsafeRawBufferPointer, _ ending: LineEnding, _ kept: inout [UInt8]) {
        if line.starts(with: "Shadow bytes around the buggy address:".utf8) { isWithinMap = true }
        if line.starts(with: "==".utf8) { isWithinMap = false }
        guard !isWithinMap else { return }
        if line.starts(with: "*** Signal ".utf8) || line.starts(with: "*** Program crashed: ".utf8) { isWithin = true }
        let isEmptyAfter = hasJustEnded && line.isEmpty
        hasJustEnded = false
        if isWithin {
            hasJustEnded = line.starts(with: "Backtrace took ".utf8)
            if hasJustEnded { isWithin = false }
        } else if !isEmptyAfter, !line.starts(with: "swift-runtime: failed to suspend thread".utf8) {
            kept.append(contentsOf: line)
            if ending != .cut, ending != .end { kept.append(UInt8(ascii: "\n")) }
        }
    }
}
