import LaneEvents

/// One line of a log, or a piece of an overlong one, as the line grammars see it.
struct Line {
    let text: Bytes
    let ending: LineEnding
    /// It goes on where the previous piece was cut.
    let continuesPiece: Bool
}

/// Printed lines, gathered so that a run of them becomes one event.
struct GatheredOutput: Sendable {
    /// Enough for one event; a longer run becomes several.
    private static let enough = 1 << 16

    private var bytes: [UInt8] = []

    var isEmpty: Bool { bytes.isEmpty }
    var isFull: Bool { bytes.count >= Self.enough }

    mutating func append(_ text: Bytes, _ ending: LineEnding) {
        bytes.append(contentsOf: text.buffer)
        let terminator = ending.bytes
        bytes.append(
            contentsOf: UnsafeBufferPointer(start: terminator.utf8Start, count: terminator.utf8CodeUnitCount))
    }

    mutating func take() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }
}

/// A message that may go on over further lines.
struct GatheredText: Sendable {
    private(set) var bytes: [UInt8]

    init(_ text: Bytes) {
        bytes = Array(text.buffer)
    }

    mutating func append(_ text: Bytes, onNewLine: Bool) {
        if onNewLine { bytes.append(0x0A) }
        bytes.append(contentsOf: text.buffer)
    }

    var string: String { String(decoding: bytes, as: UTF8.self) }
}

/// Turns the absolute paths of a log into paths that a person can open from the package's root.
struct SourcePaths: Sendable {
    /// The root with a slash at its end; empty if it is not known.
    let root: [UInt8]

    init(root: String) {
        let bytes = Array(root.utf8)
        self.root = bytes.isEmpty || bytes.last == UInt8(ascii: "/") ? bytes : bytes + [UInt8(ascii: "/")]
    }

    func relative(_ path: Bytes) -> String {
        !root.isEmpty && path.hasPrefix(root) ? path.from(root.count).string : path.string
    }

    /// Reads `path:line` or `path:line:column`; `nil` for pseudo files and line 0.
    func location(_ text: Bytes) -> SourceLocation? {
        guard let colon = text.lastIndex(of: UInt8(ascii: ":")), let last = text.number(at: colon + 1),
            last.end == text.count
        else { return nil }
        if let before = text.lastIndex(of: UInt8(ascii: ":"), before: colon),
            let line = text.number(at: before + 1), line.end == colon
        {
            return location(text.upTo(before), line: line.value, column: last.value)
        }
        return location(text.upTo(colon), line: last.value, column: nil)
    }

    private func location(_ path: Bytes, line: Int, column: Int?) -> SourceLocation? {
        guard line > 0, !path.isEmpty, path[0] != UInt8(ascii: "<") else { return nil }
        return SourceLocation(path: relative(path), line: line, column: column)
    }

    /// Where a path begins that ends before `end`, when a print without newline may stand before it.
    func start(ofPathIn text: Bytes, endingAt end: Int) -> Int {
        let head = text.upTo(end)
        if !root.isEmpty, let start = head.lastIndex(of: root) { return start }
        if let pseudo = head.lastIndex(of: UInt8(ascii: "<")),
            head.from(pseudo).hasPrefix("<EXPR>") || head.from(pseudo).hasPrefix("<unknown>")
        {
            return pseudo
        }
        return head.firstIndex(of: UInt8(ascii: "/")) ?? 0
    }
}
