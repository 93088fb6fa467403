/// The terminator of a line or of a part of a line.
package enum LineEnding: Sendable {
    case newline, returnAndNewline
    /// A single carriage return, which tools print to redraw a terminal row.
    case carriageReturn
    /// No terminator: the line continues in the next part.
    case cut
    /// No terminator: the input has ended.
    case end

    var bytes: StaticString {
        switch self {
        case .newline: "\n"
        case .returnAndNewline: "\r\n"
        case .carriageReturn: "\r"
        case .cut, .end: ""
        }
    }
}

/// A splitter of byte chunks into lines.
///
/// Lines within a chunk are passed without a copy. A line longer than `longest` is passed in parts of exactly that
/// size. Its last 4 KiB are always in one part, which keeps a result at the end of long output intact. The parts do not
/// depend on the chunks.
package struct LineSplitter: Sendable {
    private static let tail = 4096

    private let longest: Int
    private var carry: [UInt8] = []

    package init(longest: Int = 1 << 18) {
        self.longest = longest
    }

    /// Splits a chunk. `line` receives the text without its terminator. The memory is valid only during the call.
    @inline(__always)
    package mutating func consume(
        _ chunk: UnsafeRawBufferPointer, line: (UnsafeRawBufferPointer, LineEnding) -> Void
    ) {
        let bytes = Bytes(chunk)
        guard !bytes.isEmpty else { return }
        let hasReturns = bytes.firstIndex(of: 0x0D) != nil
        var index = carry.isEmpty ? 0 : completeCarry(with: bytes, line)
        while let (end, ending) = terminator(in: bytes, from: index, hasReturns) {
            var start = index
            while end - start >= longest + Self.tail {
                line(UnsafeRawBufferPointer(bytes.between(start, start + longest).buffer), .cut)
                start += longest
            }
            line(UnsafeRawBufferPointer(bytes.between(start, end).buffer), ending)
            index = end + ending.bytes.utf8CodeUnitCount
        }
        keep(bytes.from(index), line)
    }

    /// Returns a Boolean value that indicates whether the unterminated line has this start and end.
    func isPending(from start: StaticString, to end: StaticString) -> Bool {
        carry.withUnsafeBufferPointer { Bytes($0).hasPrefix(start) && Bytes($0).hasSuffix(end) }
    }

    /// Passes an unterminated last line.
    package mutating func finish(line: (UnsafeRawBufferPointer, LineEnding) -> Void) {
        guard !carry.isEmpty else { return }
        deliverCarry(carry.last == 0x0D ? .carriageReturn : .end, line)
    }

    /// Returns the end and the terminator of a line, or `nil` if the chunk does not contain them.
    @inline(__always)
    private func terminator(in bytes: Bytes, from index: Int, _ hasReturns: Bool) -> (Int, LineEnding)? {
        let newline = bytes.firstIndex(of: 0x0A, from: index)
        guard hasReturns, let carriage = bytes.upTo(newline ?? bytes.count).firstIndex(of: 0x0D, from: index) else {
            return newline.map { ($0, .newline) }
        }
        guard carriage + 1 < bytes.count else { return nil }
        return (carriage, bytes[carriage + 1] == 0x0A ? .returnAndNewline : .carriageReturn)
    }

    /// Passes the buffered line if the chunk contains its end. Returns the index of the next line.
    private mutating func completeCarry(
        with bytes: Bytes, _ line: (UnsafeRawBufferPointer, LineEnding) -> Void
    ) -> Int {
        if carry.last == 0x0D {
            let isPair = bytes[0] == 0x0A
            deliverCarry(isPair ? .returnAndNewline : .carriageReturn, line)
            return isPair ? 1 : 0
        }
        guard let (end, ending) = terminator(in: bytes, from: 0, true) else {
            keep(bytes, line)
            return bytes.count
        }
        keep(bytes.upTo(end), line)
        deliverCarry(ending, line)
        return end + ending.bytes.utf8CodeUnitCount
    }

    private mutating func deliverCarry(_ ending: LineEnding, _ line: (UnsafeRawBufferPointer, LineEnding) -> Void) {
        carry.withUnsafeBytes { line(UnsafeRawBufferPointer(rebasing: $0.dropLast($0.last == 0x0D ? 1 : 0)), ending) }
        carry.removeAll(keepingCapacity: true)
    }

    private mutating func keep(_ bytes: Bytes, _ line: (UnsafeRawBufferPointer, LineEnding) -> Void) {
        guard !bytes.isEmpty else { return }
        carry.append(contentsOf: bytes.buffer)
        var start = 0
        carry.withUnsafeBytes { rest in
            let end = rest.count - (rest.last == 0x0D ? 1 : 0)
            while end - start >= longest + Self.tail {
                line(UnsafeRawBufferPointer(rebasing: rest[start..<start + longest]), .cut)
                start += longest
            }
        }
        carry.removeFirst(start)
    }
}
