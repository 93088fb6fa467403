import Synchronization

/// A source text with its path, which converts byte offsets to lines and columns.
package final class SourceFile: Sendable {
    /// The path for messages, relative to the current directory if possible.
    package let path: String
    /// The contents of the file, including a byte order mark, which no line includes.
    package let bytes: [UInt8]
    /// The cached offsets of the lines, computed for the first diagnostic.
    private let cachedLineStarts = Mutex<[Int]?>(nil)

    package init(path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
    }

    /// A Boolean value that indicates whether the file starts with the byte order mark of UTF-16.
    package var isUTF16: Bool { bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) }

    private var lineStarts: [Int] {
        cachedLineStarts.withLock { cached in
            if let cached { return cached }
            // A byte order mark is not part of the first line.
            var starts = [bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0]
            starts.reserveCapacity(bytes.count / 16)
            for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") { starts.append(index + 1) }
            cached = starts
            return starts
        }
    }

    /// Creates a source file from a string.
    package convenience init(path: String, text: String) {
        self.init(path: path, bytes: Array(text.utf8))
    }

    /// Returns the line and column of a byte offset. Clamps the offset to the text.
    package func position(of offset: Int) -> SourcePosition {
        let offset = min(max(offset, 0), bytes.count)
        let lineStarts = lineStarts
        // A byte order mark precedes the first line.
        let line = max(1, lineStarts.partitioningIndex { $0 > offset })
        let start = lineStarts[line - 1]
        let prefix = bytes[start..<max(offset, start)]
        return SourcePosition(line: line, column: String(decoding: prefix, as: UTF8.self).count + 1)
    }

    /// Returns the byte range of a line without its line ending; `nil` if there is no such line.
    ///
    /// - Parameter line: The number of the line, starting at 1.
    package func range(ofLine line: Int) -> Range<Int>? {
        let lineStarts = lineStarts
        guard lineStarts.indices.contains(line - 1) else { return nil }
        let start = lineStarts[line - 1]
        var end = line < lineStarts.count ? lineStarts[line] - 1 : bytes.count
        if end > start, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
        return start..<end
    }

    /// Returns the text in a byte range, with U+FFFD in place of invalid UTF-8.
    package func text(in range: Range<Int>) -> String {
        String(decoding: bytes[range.clamped(to: 0..<bytes.count)], as: UTF8.self)
    }
}

/// A line and column in a source text.
package struct SourcePosition: Equatable, Sendable {
    /// The number of the line, starting at 1.
    package let line: Int
    /// The number of the column in characters (extended grapheme clusters), starting at 1.
    package let column: Int
}

/// A range of bytes in a source file.
package struct Span: Sendable, Equatable {
    package let file: SourceFile
    // 32 bits keep the spans of all nodes small; offsets beyond 2 GiB are clamped.
    private let start32: Int32
    private let end32: Int32

    package init(file: SourceFile, range: Range<Int>) {
        self.file = file
        start32 = Int32(clamping: range.lowerBound)
        end32 = Int32(clamping: range.upperBound)
    }

    /// The byte offsets in the file.
    package var range: Range<Int> { Int(start32)..<Int(end32) }

    var start: SourcePosition { file.position(of: range.lowerBound) }

    /// The start of the span as `path:line:column`, which editors and CI systems recognize.
    package var location: String { "\(file.path):\(start.line):\(start.column)" }

    /// The text of the span, with U+FFFD in place of invalid UTF-8.
    package var text: String { file.text(in: range) }

    /// Returns a Boolean value that indicates whether two spans have the same range and path. The spans may belong to
    /// different `SourceFile` objects.
    package static func == (one: Span, other: Span) -> Bool {
        one.range == other.range && one.file.path == other.file.path
    }
}
