/// One stream of bytes on its way through a mask. What may be the beginning of a secret is held back until the rest of
/// it, or something else, has come.
package struct MaskedStream {
    private static let stars = Array("***".utf8)

    private let mask: SecretMask
    private var held: [UInt8] = []
    /// How many of those held back are a part of a secret for which stars were handed on already.
    private var covered = 0

    package init(_ mask: SecretMask) {
        self.mask = mask
    }

    /// Hands on what is certain of these bytes and of those held back before.
    package mutating func pass(_ bytes: UnsafeRawBufferPointer, to output: (UnsafeRawBufferPointer) -> Void) {
        guard !mask.isEmpty else { return output(bytes) }
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

    /// Hands on what was held back: nothing more comes.
    package mutating func finish(to output: (UnsafeRawBufferPointer) -> Void) {
        let last = held
        held = []
        _ = last.withUnsafeBytes { scan($0, isLast: true, output) }
    }

    private enum Match {
        case none
        /// A pattern of this length stands here.
        case whole(Int)
        /// The bytes end in the middle of one.
        case begun
    }

    /// Hands on everything up to the place that it returns, from where on it has to wait.
    private mutating func scan(
        _ bytes: UnsafeRawBufferPointer, isLast: Bool, _ output: (UnsafeRawBufferPointer) -> Void
    ) -> Int {
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
            case .whole(let length):
                if index >= clean {
                    emit(bytes, clean..<index, output)
                    Self.stars.withUnsafeBytes(output)
                }
                // Another secret may begin within this one and end behind it.
                clean = max(clean, index + length)
                index += 1
            case .begun:
                if clean < index { emit(bytes, clean..<index, output) }
                covered = max(0, clean - index)
                return index
            }
        }
        if clean < bytes.count { emit(bytes, clean..<bytes.count, output) }
        covered = 0
        return bytes.count
    }

    /// Returns whether a pattern may begin here whose second byte stands behind a gap.
    private func mayBegin(_ bytes: UnsafeRawBufferPointer, at start: Int) -> Bool {
        switch Gap.find(in: bytes, at: start + 1, includingLineBreaks: true) {
        case .none: return false
        case .unfinished: return true
        case .length(let length):
            let next = start + 1 + length
            return next == bytes.count || mask.mayBegin(bytes[start], bytes[next])
        }
    }

    /// Looks for a pattern. They come longest first: a shorter one that fits has to wait for a longer one that still may.
    private func match(_ bytes: UnsafeRawBufferPointer, at start: Int, isLast: Bool) -> Match {
        let isPair = start + 1 < bytes.count && !Gap.mayBegin(with: bytes[start + 1])
        for pattern in isPair ? mask.patterns(bytes[start], bytes[start + 1]) : mask.patterns {
            switch match(pattern, bytes, at: start) {
            case .none: continue
            case .begun where isLast: continue
            case let found: return found
            }
        }
        return .none
    }

    /// Compares with one pattern. Gaps may lie between its bytes, so that color or wrapping does not uncover a secret.
    private func match(_ pattern: SecretMask.Pattern, _ bytes: UnsafeRawBufferPointer, at start: Int) -> Match {
        var index = start
        var count = 0
        while count < pattern.bytes.count {
            guard index < bytes.count else { return .begun }
            if bytes[index] == pattern.bytes[count] {
                index += 1
                count += 1
                continue
            }
            guard count > 0 else { return .none }
            switch Gap.find(in: bytes, at: index, includingLineBreaks: pattern.isWrappable) {
            case .none: return .none
            case .unfinished: return .begun
            case .length(let length):
                index += length
                // Behind a gap the pattern goes on.
                guard index < bytes.count else { return .begun }
                guard bytes[index] == pattern.bytes[count] else { return .none }
            }
        }
        return .whole(index - start)
    }

    private func emit(
        _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>, _ output: (UnsafeRawBufferPointer) -> Void
    ) {
        if !range.isEmpty { output(UnsafeRawBufferPointer(rebasing: bytes[range])) }
    }
}

/// Bytes that may interrupt a secret without hiding it from a person: terminal control sequences, and in base64 one line
/// break with the indentation behind it.
private enum Gap {
    case none
    case length(Int)
    /// The bytes end within it.
    case unfinished

    private static let escape: UInt8 = 0x1B
    /// The most bytes that are taken for one gap, so that little is held back.
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

    /// Returns the index behind a control sequence (ECMA-48: ESC, intermediate or CSI parameter bytes, a final byte);
    /// `nil` where it does not end before `limit`.
    private static func endOfSequence(_ bytes: UnsafeRawBufferPointer, at start: Int, _ limit: Int) -> Int? {
        var index = start + 1
        let isControl = index < limit && bytes[index] == UInt8(ascii: "[")
        if isControl { index += 1 }
        while index < limit, (isControl ? 0x20...0x3F : 0x20...0x2F).contains(bytes[index]) { index += 1 }
        return index < limit ? index + 1 : nil
    }
}
