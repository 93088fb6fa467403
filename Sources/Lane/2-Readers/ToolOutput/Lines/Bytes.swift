import CLibrary
import Text

/// A borrowed range of bytes, valid only during the call that received it. All accesses are checked.
struct Bytes {
    private let start: UnsafePointer<UInt8>?
    let count: Int

    init(_ buffer: UnsafeRawBufferPointer) {
        start = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
        count = buffer.count
    }

    init(_ buffer: UnsafeBufferPointer<UInt8>) {
        start = buffer.baseAddress
        count = buffer.count
    }

    private init(start: UnsafePointer<UInt8>?, count: Int) {
        self.start = start
        self.count = count
    }

    var isEmpty: Bool { count == 0 }

    var buffer: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: count) }

    /// The text. Invalid UTF-8 is replaced by U+FFFD.
    var string: String { String(decoding: buffer, as: UTF8.self) }

    /// The byte at an index, or 0 if the index is out of range.
    @inline(__always)
    subscript(index: Int) -> UInt8 {
        guard let start, index >= 0, index < count else { return 0 }
        return start[index]
    }

    /// Returns the bytes between two indices, which are clamped to the range. Returns no bytes if `lower` is greater
    /// than `upper`, which a damaged log may cause.
    @inline(__always)
    func between(_ lower: Int, _ upper: Int) -> Bytes {
        let lower = min(max(lower, 0), count)
        let upper = min(max(upper, lower), count)
        return Bytes(start: start.map { $0 + lower }, count: upper - lower)
    }

    @inline(__always)
    func from(_ index: Int) -> Bytes { between(index, count) }

    @inline(__always)
    func upTo(_ index: Int) -> Bytes { between(0, index) }

    @inline(__always)
    func matches(_ text: StaticString, at index: Int) -> Bool {
        let length = text.utf8CodeUnitCount
        guard let start, index >= 0, index <= count - length else { return false }
        // Most texts differ in the first byte, and a comparison is faster than a call.
        guard length == 0 || start[index] == text.utf8Start.pointee else { return false }
        return memcmp(start + index, text.utf8Start, length) == 0
    }

    @inline(__always)
    func hasPrefix(_ text: StaticString) -> Bool { matches(text, at: 0) }

    @inline(__always)
    func hasSuffix(_ text: StaticString) -> Bool { matches(text, at: count - text.utf8CodeUnitCount) }

    @inline(__always)
    func equals(_ text: StaticString) -> Bool { count == text.utf8CodeUnitCount && matches(text, at: 0) }

    @inline(__always)
    func equals(_ other: [UInt8]) -> Bool {
        guard count == other.count, let start else { return count == other.count }
        return other.withUnsafeBytes { $0.baseAddress.map { memcmp(start, $0, count) == 0 } ?? true }
    }

    func hasPrefix(_ other: [UInt8]) -> Bool { count >= other.count && upTo(other.count).equals(other) }

    @inline(__always)
    func firstIndex(of byte: UInt8, from index: Int = 0) -> Int? {
        guard let start, index >= 0, index < count,
            let found = memchr(start + index, Int32(byte), count - index)
        else { return nil }
        return UnsafeRawPointer(start).distance(to: UnsafeRawPointer(found))
    }

    func lastIndex(of byte: UInt8, before end: Int? = nil) -> Int? {
        guard let start else { return nil }
        var index = min(end ?? count, count) - 1
        while index >= 0 {
            if start[index] == byte { return index }
            index -= 1
        }
        return nil
    }

    /// Returns the index of the first occurrence of a text. Fast if the first byte is rare.
    func firstIndex(of text: StaticString, from index: Int = 0) -> Int? {
        let first = text.utf8Start.pointee
        var from = index
        while let found = firstIndex(of: first, from: from) {
            if matches(text, at: found) { return found }
            from = found + 1
        }
        return nil
    }

    func lastIndex(of text: StaticString) -> Int? {
        let first = text.utf8Start.pointee
        var end = count
        while let found = lastIndex(of: first, before: end) {
            if matches(text, at: found) { return found }
            end = found
        }
        return nil
    }

    func firstIndex(of text: [UInt8], from index: Int = 0) -> Int? {
        guard let first = text.first else { return nil }
        var from = index
        while let found = firstIndex(of: first, from: from) {
            if between(found, count).hasPrefix(text) { return found }
            from = found + 1
        }
        return nil
    }

    func lastIndex(of text: [UInt8]) -> Int? {
        guard let first = text.first else { return nil }
        var end = count
        while let found = lastIndex(of: first, before: end) {
            if from(found).hasPrefix(text) { return found }
            end = found
        }
        return nil
    }
}

extension Bytes {
    /// Parses an integer of up to 15 digits. Returns its value and end.
    @inline(__always)
    func number(at index: Int) -> (value: Int, end: Int)? {
        var (value, end) = (0, index)
        while self[end].isDigit, end - index <= 15 {
            value = value * 10 + Int(self[end] &- UInt8(ascii: "0"))
            end += 1
        }
        return end > index && end - index <= 15 ? (value, end) : nil
    }

    /// Parses seconds such as `0.021`. Returns the value and end, or `nil` for implausible values.
    @inline(__always)
    func seconds(at index: Int) -> (value: Duration, end: Int)? {
        guard let (whole, end) = number(at: index), whole < 1_000_000_000 else { return nil }
        guard self[end] == UInt8(ascii: ".") else { return (.nanoseconds(whole * 1_000_000_000), end) }
        var nanoseconds = whole &* 1_000_000_000
        var (unit, after) = (100_000_000, end + 1)
        while self[after].isDigit {
            nanoseconds &+= Int(self[after] &- UInt8(ascii: "0")) &* unit
            unit /= 10
            after += 1
        }
        return (.nanoseconds(nanoseconds), after)
    }

    /// Returns the text after a marker, without quotes, or `nil` if the marker is missing.
    func unquoted(after mark: StaticString) -> String? {
        guard let start = firstIndex(of: mark) else { return nil }
        let text = from(start + mark.utf8CodeUnitCount)
        guard text.count > 1, text[0] == UInt8(ascii: "\""), text.hasSuffix("\"") else { return text.string }
        return text.between(1, text.count - 1).string
    }

    var trimmed: Bytes {
        var (lower, upper) = (0, count)
        while lower < upper, self[lower].isBlank { lower += 1 }
        while upper > lower, self[upper - 1].isBlank { upper -= 1 }
        return between(lower, upper)
    }
}
