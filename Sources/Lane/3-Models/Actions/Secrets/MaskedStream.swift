/// A filter that masks secrets in a stream of bytes. It holds back bytes that may be the start of a secret.
package struct MaskedStream {
    static let replacement = Array("***".utf8)

    private let mask: SecretMask
    private var held: [UInt8] = []
    /// The number of held bytes of a secret that is already replaced.
    private var covered = 0

    package init(_ mask: SecretMask) {
        self.mask = mask
    }

    /// Masks bytes and passes them to `output`. Holds back bytes that may be the start of a secret.
    package mutating func pass(_ bytes: UnsafeRawBufferPointer, to output: (UnsafeRawBufferPointer) -> Void) {
        pass(bytes) { Self.hide($0, output) }
    }

    /// Passes the held bytes to `output` at the end of the stream.
    package mutating func finish(to output: (UnsafeRawBufferPointer) -> Void) {
        finish { Self.hide($0, output) }
    }

    /// A part of the input that is no longer held back. Ranges are relative to the first held byte.
    struct Piece {
        let bytes: UnsafeRawBufferPointer
        let range: Range<Int>
        /// The range of the secret that contains the piece; `nil` outside secrets.
        let secret: Range<Int>?

        /// A Boolean value that indicates whether the piece is the start of its secret.
        var beginsSecret: Bool { secret?.lowerBound == range.lowerBound }
    }

    typealias Output = (Piece) -> Void

    /// The number of held bytes.
    var heldCount: Int { held.count }

    private static func hide(_ piece: Piece, _ output: (UnsafeRawBufferPointer) -> Void) {
        if piece.secret == nil {
            output(piece.bytes)
        } else if piece.beginsSecret {
            replacement.withUnsafeBytes(output)
        }
    }

    mutating func pass(_ bytes: UnsafeRawBufferPointer, to output: Output) {
        guard !mask.isEmpty else { return emit(bytes, 0..<bytes.count, output) }
        if held.isEmpty {
            let rest = scan(bytes, isLast: false, output)
            held = Array(bytes[rest...])
        } else {
            held += bytes
            let joined = held
            let rest = joined.withUnsafeBytes { scan($0, isLast: false, output) }
            held = Array(joined[rest...])
        }
    }

    mutating func finish(to output: Output) {
        let last = held
        held = []
        _ = last.withUnsafeBytes { scan($0, isLast: true, output) }
    }

    private enum Match {
        case none
        /// A pattern of this length matches.
        case complete(Int)
        /// The bytes end inside a pattern.
        case partial
    }

    /// Passes the pieces to `output`. Returns the index of the first byte to hold back.
    private mutating func scan(_ bytes: UnsafeRawBufferPointer, isLast: Bool, _ output: Output) -> Int {
        var clean = covered
        var index = 0
        while index < bytes.count {
            if index + 1 < bytes.count, !mask.mayBegin(bytes[index], bytes[index + 1]),
                !Gap.mayBegin(with: bytes[index + 1]) || !mayBegin(bytes, at: index)
            {
                index += 1
                continue
            }
            switch match(bytes, at: index, isLast: isLast) {
            case .none: index += 1
            case .complete(let length):
                let end = index + length
                if clean < index { emit(bytes, clean..<index, output) }
                if clean < end { emit(bytes, max(clean, index)..<end, of: index..<end, output) }
                // Another secret may start inside this one and end after it.
                clean = max(clean, end)
                index += 1
            case .partial:
                if clean < index { emit(bytes, clean..<index, output) }
                covered = max(0, clean - index)
                return index
            }
        }
        if clean < bytes.count { emit(bytes, clean..<bytes.count, output) }
        covered = 0
        return bytes.count
    }

    /// Returns a Boolean value that indicates whether a pattern with a gap after its first byte may start at an index.
    private func mayBegin(_ bytes: UnsafeRawBufferPointer, at start: Int) -> Bool {
        switch Gap.find(in: bytes, at: start + 1, includingLineBreaks: true) {
        case .none: return false
        case .unfinished: return true
        case .length(let length):
            let next = start + 1 + length
            return next == bytes.count || mask.mayBegin(bytes[start], bytes[next])
        }
    }

    /// Searches for the longest pattern at an index. A shorter match has to wait while a longer one is possible.
    private func match(_ bytes: UnsafeRawBufferPointer, at start: Int, isLast: Bool) -> Match {
        let isPair = start + 1 < bytes.count && !Gap.mayBegin(with: bytes[start + 1])
        for pattern in isPair ? mask.patterns(bytes[start], bytes[start + 1]) : mask.patterns {
            switch match(pattern, bytes, at: start) {
            case .none: continue
            case .partial where isLast: continue
            case let found: return found
            }
        }
        return .none
    }

    /// Compares bytes with one pattern. Gaps are allowed between its bytes, because color and wrapping must not reveal
    /// a secret.
    private func match(_ pattern: SecretMask.Pattern, _ bytes: UnsafeRawBufferPointer, at start: Int) -> Match {
        var index = start
        var count = 0
        while count < pattern.bytes.count {
            guard index < bytes.count else { return .partial }
            if bytes[index] == pattern.bytes[count] {
                index += 1
                count += 1
                continue
            }
            guard count > 0 else { return .none }
            switch Gap.find(in: bytes, at: index, includingLineBreaks: pattern.isWrappable) {
            case .none: return .none
            case .unfinished: return .partial
            case .length(let length):
                index += length
                // The pattern must continue after the gap.
                guard index < bytes.count else { return .partial }
                guard bytes[index] == pattern.bytes[count] else { return .none }
            }
        }
        return .complete(index - start)
    }

    private func emit(
        _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>, of secret: Range<Int>? = nil, _ output: Output
    ) {
        output(Piece(bytes: UnsafeRawBufferPointer(rebasing: bytes[range]), range: range, secret: secret))
    }
}

/// Bytes that may interrupt a secret without making it unreadable: terminal control sequences, and in base64 one line
/// break with indentation.
private enum Gap {
    case none
    case length(Int)
    /// The bytes end inside the gap.
    case unfinished

    private static let escape: UInt8 = 0x1B
    /// The maximum length of a gap in bytes, which limits the number of held bytes.
    private static let maximumLength = 96

    @inline(__always)
    static func mayBegin(with byte: UInt8) -> Bool { byte == escape || byte == 0x0A || byte == 0x0D }

    static func find(in bytes: UnsafeRawBufferPointer, at start: Int, includingLineBreaks: Bool) -> Gap {
        var index = start
        let limit = min(bytes.count, start + maximumLength)
        var hasBroken = !includingLineBreaks
        scan: while index < limit {
            switch bytes[index] {
            case escape:
                guard let end = endOfSequence(bytes, at: index, limit) else {
                    return limit == bytes.count ? .unfinished : .none
                }
                index = end
            case 0x0D where !hasBroken: index += 1
            case 0x0A where !hasBroken:
                hasBroken = true
                index += 1
            case 0x20 where includingLineBreaks && hasBroken, 0x09 where includingLineBreaks && hasBroken: index += 1
            default: break scan
            }
        }
        return index == start ? .none : .length(index - start)
    }

    /// Returns the index after a control sequence (ECMA-48: ESC, intermediate or CSI parameter bytes, a final byte), or
    /// `nil` if it does not end before `limit`.
    private static func endOfSequence(_ bytes: UnsafeRawBufferPointer, at start: Int, _ limit: Int) -> Int? {
        var index = start + 1
        let isControl = index < limit && bytes[index] == UInt8(ascii: "[")
        if isControl { index += 1 }
        while index < limit, (isControl ? 0x20...0x3F : 0x20...0x2F).contains(bytes[index]) { index += 1 }
        return index < limit ? index + 1 : nil
    }
}
