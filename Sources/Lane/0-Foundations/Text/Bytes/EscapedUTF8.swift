/// Text of bytes that need not be UTF-8, such as those of a file name or of a file in Latin-1: a scalar stands for each
/// invalid byte, as with `surrogateescape` in Python.
///
/// Decoding and encoding again results in the same bytes, for all bytes.
package enum EscapedUTF8 {
    /// The scalars of the bytes 0x80 to 0xFF, a private range that MirBSD uses for the same purpose. Bytes that are one of
    /// these scalars in UTF-8 are escaped, too.
    private static let scalars: ClosedRange<UInt32> = 0xEF80...0xEFFF

    package static func decode(_ bytes: some Collection<UInt8>) -> String {
        var text = String.UnicodeScalarView()
        var parser = Unicode.UTF8.ForwardParser()
        var iterator = bytes.makeIterator()
        var rest = bytes[...]
        while true {
            switch parser.parseScalar(from: &iterator) {
            case .valid(let encoded):
                let scalar = Unicode.UTF8.decode(encoded)
                if byte(of: scalar) == nil {
                    text.append(scalar)
                } else {
                    for byte in rest.prefix(encoded.count) { escape(byte, into: &text) }
                }
                rest = rest.dropFirst(encoded.count)
            case .error(let count):
                for byte in rest.prefix(count) { escape(byte, into: &text) }
                rest = rest.dropFirst(count)
            case .emptyInput: return String(text)
            }
        }
    }

    private static func escape(_ byte: UInt8, into text: inout String.UnicodeScalarView) {
        if let scalar = Unicode.Scalar(0xEF00 + UInt32(byte)) { text.append(scalar) }
    }

    package static func encode(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            if let byte = byte(of: scalar) { bytes.append(byte) } else { bytes += UTF8.encode(scalar) ?? .init() }
        }
        return bytes
    }

    /// Returns the invalid byte that a scalar stands for, or `nil` for other scalars.
    package static func byte(of scalar: Unicode.Scalar) -> UInt8? {
        scalars.contains(scalar.value) ? UInt8(truncatingIfNeeded: scalar.value) : nil
    }

    /// Returns the first invalid byte and its offset in the encoded text, or `nil` if all bytes are UTF-8. The bytes of a
    /// character of the private range, such as one of an icon font, are escaped, but valid.
    package static func firstInvalidByte(in text: String) -> (byte: UInt8, offset: Int)? {
        let bytes = encode(text)
        var parser = Unicode.UTF8.ForwardParser()
        var iterator = bytes.makeIterator()
        var offset = 0
        while true {
            switch parser.parseScalar(from: &iterator) {
            case .valid(let encoded): offset += encoded.count
            case .error: return (bytes[offset], offset)
            case .emptyInput: return nil
            }
        }
    }
}
