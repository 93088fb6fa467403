import Synchronization

/// A text that the user wrote, kept with its name so that any place in it can be shown.
package final class SourceFile: Sendable {
    /// How the file is named in messages, relative to where the user stands when it can be.
    package let path: String
    /// As read; a byte order mark is kept, though no line holds it.
    package let bytes: [UInt8]
    /// Found when somebody asks, which is when something is wrong.
    private let knownLineStarts = Mutex<[Int]?>(nil)

    package init(path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
    }

    private var lineStarts: [Int] {
        knownLineStarts.withLock { known in
            if let known { return known }
            // A byte order mark is no part of the first line.
            var starts = [bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0]
            starts.reserveCapacity(bytes.count / 16)
            for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") { starts.append(index + 1) }
            known = starts
            return starts
        }
    }

    /// For a text that is in memory already.
    package convenience init(path: String, text: String) {
        self.init(path: path, bytes: Array(text.utf8))
    }

    /// The line and column of a byte offset; offsets past the end give the end.
    package func position(of offset: Int) -> SourcePosition {
        let offset = min(max(offset, 0), bytes.count)
        let lineStarts = lineStarts
        var low = 0
        var high = lineStarts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= offset { low = middle } else { high = middle }
        }
        let prefix = bytes[lineStarts[low]..<max(offset, lineStarts[low])]
        return SourcePosition(line: low + 1, column: String(decoding: prefix, as: UTF8.self).count + 1)
    }

    /// The byte range of a line counted from 1, without its line end; `nil` when there is no such line.
    package func range(ofLine line: Int) -> Range<Int>? {
        let lineStarts = lineStarts
        guard lineStarts.indices.contains(line - 1) else { return nil }
        let start = lineStarts[line - 1]
        var end = line < lineStarts.count ? lineStarts[line] - 1 : bytes.count
        if end > start, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
        return start..<end
    }

    /// The text in a byte range, repaired where it is not UTF-8.
    package func text(in range: Range<Int>) -> String {
        String(decoding: bytes[range.clamped(to: 0..<bytes.count)], as: UTF8.self)
    }
}

/// A place in a text, both numbers from 1; the column counts characters as a person does.
package struct SourcePosition: Equatable, Sendable {
    /// From 1.
    package let line: Int
    /// From 1.
    package let column: Int
}

/// A stretch of a source file, in bytes.
package struct Span: Sendable, Equatable {
    /// What it is a stretch of.
    package let file: SourceFile
    // Every node of every lane file has a span, so it is small: a place behind the first two gigabytes is shown there.
    private let start32: Int32
    private let end32: Int32

    package init(file: SourceFile, range: Range<Int>) {
        self.file = file
        start32 = Int32(clamping: range.lowerBound)
        end32 = Int32(clamping: range.upperBound)
    }

    /// Offsets in the bytes of the file.
    package var range: Range<Int> { Int(start32)..<Int(end32) }

    var start: SourcePosition { file.position(of: range.lowerBound) }

    /// `path:line:column`, as editors and CI systems recognise it.
    package var location: String { "\(file.path):\(start.line):\(start.column)" }

    /// What stands there, repaired where it is not UTF-8.
    package var text: String { file.text(in: range) }

    /// Two readings of one file are the same: the path counts and not the object.
    package static func == (one: Span, other: Span) -> Bool {
        one.range == other.range && one.file.path == other.file.path
    }
}
