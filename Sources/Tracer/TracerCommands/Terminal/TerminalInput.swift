/// An input event of a terminal, with cells numbered from zero.
enum TerminalEvent: Equatable {
    case press(column: Int, row: Int)
    case drag(column: Int, row: Int)
    case release
    case arrow(columns: Int, rows: Int)
    case key(Character)
    case escape
    /// Control-C.
    case interrupt
    /// Control-Z.
    case suspend
}

/// A parser of terminal input in raw mode: SGR mouse reports (mode 1006), arrow keys and letters.
struct TerminalInput {
    private static let escapeByte: UInt8 = 0x1B
    private var pending: [UInt8] = []

    /// A Boolean value that indicates whether input is incomplete. An escape byte may be the key or the start of a
    /// sequence, and only a timeout distinguishes them.
    var isWaiting: Bool { !pending.isEmpty }

    mutating func events(from bytes: some Sequence<UInt8>) -> [TerminalEvent] {
        pending += bytes
        var events: [TerminalEvent] = []
        while let (event, length) = next() {
            if let event { events.append(event) }
            pending.removeFirst(length)
        }
        return events
    }

    /// Returns the events of incomplete input after the timeout.
    mutating func flush() -> [TerminalEvent] {
        defer { pending = [] }
        return pending == [Self.escapeByte] ? [.escape] : []
    }

    /// Returns the first event and its length in bytes, or `nil` if the input is incomplete. The event is `nil` for
    /// unknown input.
    private func next() -> (TerminalEvent?, Int)? {
        guard let first = pending.first else { return nil }
        guard first == Self.escapeByte else {
            switch first {
            case 3: return (.interrupt, 1)
            case 26: return (.suspend, 1)
            case 0x20...0x7E: return (.key(Character(Unicode.Scalar(first))), 1)
            default: return (nil, 1)
            }
        }
        guard pending.count > 1 else { return nil }
        guard pending[1] == UInt8(ascii: "[") || pending[1] == UInt8(ascii: "O") else { return (.escape, 1) }
        // A control sequence ends at the first byte from `@` to `~`.
        guard let end = pending.indices.dropFirst(2).first(where: { (0x40...0x7E).contains(pending[$0]) }) else {
            return pending.count > 32 ? (nil, pending.count) : nil
        }
        return (Self.event(final: pending[end], parameters: pending[2..<end]), end + 1)
    }

    private static func event(final: UInt8, parameters: ArraySlice<UInt8>) -> TerminalEvent? {
        switch final {
        case UInt8(ascii: "A"): return .arrow(columns: 0, rows: -1)
        case UInt8(ascii: "B"): return .arrow(columns: 0, rows: 1)
        case UInt8(ascii: "C"): return .arrow(columns: 1, rows: 0)
        case UInt8(ascii: "D"): return .arrow(columns: -1, rows: 0)
        case UInt8(ascii: "M"), UInt8(ascii: "m"): break
        default: return nil
        }
        guard parameters.first == UInt8(ascii: "<") else { return nil }
        let numbers = parameters.dropFirst().split(separator: UInt8(ascii: ";")).map {
            Int(String(decoding: $0, as: UTF8.self))
        }
        guard numbers.count == 3, let button = numbers[0], let x = numbers[1], let y = numbers[2], button < 64 else {
            return nil
        }
        if final == UInt8(ascii: "m") { return .release }
        guard button & 3 == 0, (1...10_000).contains(x), (1...10_000).contains(y) else { return nil }
        return button & 32 == 0 ? .press(column: x - 1, row: y - 1) : .drag(column: x - 1, row: y - 1)
    }
}
