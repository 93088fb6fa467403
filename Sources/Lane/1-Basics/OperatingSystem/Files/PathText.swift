import Text

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

// A file name is a sequence of bytes that need not be valid UTF-8.

extension String {
    /// Creates the text of a path or name that the system returned. Invalid bytes are escaped.
    package init(pathBytes bytes: some Collection<UInt8>) {
        if let text = String(validating: bytes, as: UTF8.self), !text.hasEscapedBytes {
            self = text
        } else {
            self = EscapedUTF8.decode(bytes)
        }
    }

    /// The bytes of the path, as system calls take them.
    package var pathBytes: [UInt8] { hasEscapedBytes ? EscapedUTF8.encode(self) : Array(utf8) }

    /// The path for messages, with U+FFFD in place of each invalid byte.
    package var readablePath: String { hasEscapedBytes ? String(decoding: pathBytes, as: UTF8.self) : self }

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
