/// Text of bytes that need not be UTF-8: a private scalar stands for each invalid byte, as with `surrogateescape` in
/// Python.
///
/// Decoding and encoding again results in the same bytes, for all bytes.
enum EscapedUTF8 {
    /// The scalars of the bytes 0x80 to 0xFF. Bytes that are one of these scalars in UTF-8 are escaped, too.
    private static let scalars: ClosedRange<UInt32> = 0x10_FF80...0x10_FFFF

    static func decode(_ bytes: some Collection<UInt8>) -> String {
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
        if let scalar = Unicode.Scalar(0x10_FF00 + UInt32(byte)) { text.append(scalar) }
    }

    static func encode(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            if let byte = byte(of: scalar) { bytes.append(byte) } else { bytes += UTF8.encode(scalar) ?? .init() }
        }
        return bytes
    }

    /// Returns the invalid byte that a scalar stands for, or `nil` for other scalars.
    static func byte(of scalar: Unicode.Scalar) -> UInt8? {
        scalars.contains(scalar.value) ? UInt8(truncatingIfNeeded: scalar.value) : nil
    }

    /// Returns the first invalid byte and its offset in the encoded text, or `nil` if all bytes are UTF-8.
    static func firstInvalidByte(in text: String) -> (byte: UInt8, offset: Int)? {
        var offset = 0
        for scalar in text.unicodeScalars {
            if let byte = byte(of: scalar) { return (byte, offset) }
            offset += UTF8.width(scalar)
        }
        return nil
    }
}
