#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

// A file name is a sequence of bytes that need not be valid UTF-8. In its text, each invalid byte is the code point
// U+EF00 plus the byte, a private range that MirBSD uses for the same purpose. These code points are escaped in the
// same way, which makes the conversion lossless in both directions.

extension String {
    /// Creates the text of a path or name that the system returned.
    package init(pathBytes bytes: some Collection<UInt8>) {
        if let text = String(validating: bytes, as: UTF8.self), !text.hasEscapedBytes {
            self = text
            return
        }
        var scalars = String.UnicodeScalarView()
        var rest = Array(bytes)[...]
        while let first = rest.first {
            let length = (1...4).first { String(validating: rest.prefix($0), as: UTF8.self)?.unicodeScalars.count == 1 }
            if let length, let scalar = String(decoding: rest.prefix(length), as: UTF8.self).unicodeScalars.first,
                !Self.escapes.contains(scalar.value)
            {
                scalars.append(scalar)
                rest = rest.dropFirst(length)
            } else {
                scalars.append(Unicode.Scalar(Self.escapeBase + UInt32(first)) ?? "\u{FFFD}")
                rest = rest.dropFirst()
            }
        }
        self = String(scalars)
    }

    /// The bytes of the path, as system calls take them.
    package var pathBytes: [UInt8] {
        guard hasEscapedBytes else { return Array(utf8) }
        return unicodeScalars.flatMap { scalar in
            Self.escapes.contains(scalar.value)
                ? [UInt8(truncatingIfNeeded: scalar.value)] : Array(String(Character(scalar)).utf8)
        }
    }

    /// The path for messages, with U+FFFD in place of each invalid byte.
    package var readablePath: String { hasEscapedBytes ? String(decoding: pathBytes, as: UTF8.self) : self }

    private static let escapeBase: UInt32 = 0xEF00
    private static let escapes: ClosedRange<UInt32> = 0xEF80...0xEFFF
}

extension String {
    /// A Boolean value that indicates whether one of U+EF80 to U+EFFF is among the characters.
    var hasEscapedBytes: Bool {
        var text = self
        return text.withUTF8 { bytes in
            guard let start = bytes.baseAddress, memchr(start, 0xEE, bytes.count) != nil else { return false }
            return zip(bytes, bytes.dropFirst()).contains { $0 == 0xEE && ($1 == 0xBE || $1 == 0xBF) }
        }
    }
}

/// Calls `body` with the bytes of a path as a C string.
package func withSystemPath<Result>(_ path: String, _ body: (UnsafePointer<CChar>) -> Result) -> Result {
    guard path.hasEscapedBytes else { return path.withCString(body) }
    return (path.pathBytes.map(CChar.init(bitPattern:)) + [0]).withUnsafeBufferPointer { bytes in
        bytes.baseAddress.map(body) ?? path.withCString(body)
    }
}
