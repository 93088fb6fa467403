import ASCII

/// Addresses of the form `file:///a%20path`.
enum FileURL {
    /// The path; `nil` for an address of another kind.
    static func path(_ address: String) -> String? {
        address.hasPrefix("file://") ? percentDecoded(address.dropFirst("file://".count)) : nil
    }

    private static func percentDecoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            // Of a text that ends too early, nothing is decoded.
            if byte == UInt8(ascii: "%"), rest.prefix(2).count == 2, rest.prefix(2).allSatisfy(\.isHexDigit),
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
