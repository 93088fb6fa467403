/// The paths in URLs.
package enum URLPath {
    /// Returns the path of a URL such as `file:///a%20path`, or `nil` for other URLs.
    package static func ofFile(_ address: String) -> String? {
        address.hasPrefix("file://") ? decoded(address.dropFirst("file://".count)) : nil
    }

    /// Returns a part of a path without escapes such as `%20`.
    package static func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            // A truncated escape is not decoded.
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

    /// Returns a text as a part of a URL, with escapes such as `%20`.
    ///
    /// - Parameter allowed: The characters that stay, besides letters and digits: by default, those that RFC 3986 never
    ///   reserves.
    package static func encoded(_ text: String, allowing allowed: String = "-._~") -> String {
        String(decoding: text.utf8.percentEncoded(allowing: allowed), as: UTF8.self)
    }
}

extension Sequence<UInt8> {
    /// Returns the bytes percent-encoded as in RFC 3986: letters, digits and `allowed` characters stay, and each other
    /// byte becomes `%` and two hexadecimal digits.
    package func percentEncoded(allowing allowed: String, _ letters: HexCase = .uppercase) -> [UInt8] {
        flatMap { byte in
            byte.isAlphanumeric || allowed.utf8.contains(byte) ? [byte] : [UInt8(ascii: "%")] + byte.hexDigits(letters)
        }
    }
}
