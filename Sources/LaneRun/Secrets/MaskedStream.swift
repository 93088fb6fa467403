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
            if index + 1 < bytes.count, !mask.mayBegin(bytes[index], bytes[index + 1]) {
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

    /// Patterns come longest first: a shorter one that fits has to wait for a longer one that still may.
    private func match(_ bytes: UnsafeRawBufferPointer, at start: Int, isLast: Bool) -> Match {
        let left = bytes.count - start
        for pattern in left > 1 ? mask.patterns(bytes[start], bytes[start + 1]) : mask.patterns {
            var count = 0
            let most = min(left, pattern.count)
            while count < most, bytes[start + count] == pattern[count] { count += 1 }
            if count == pattern.count { return .whole(count) }
            if count == left, !isLast { return .begun }
        }
        return .none
    }

    private func emit(
        _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>, _ output: (UnsafeRawBufferPointer) -> Void
    ) {
        if !range.isEmpty { output(UnsafeRawBufferPointer(rebasing: bytes[range])) }
    }
}
