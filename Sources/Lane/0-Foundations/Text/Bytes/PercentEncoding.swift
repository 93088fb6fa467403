extension Sequence<UInt8> {
    /// Returns the bytes percent-encoded as in RFC 3986: letters, digits and `allowed` characters stay, and each other
    /// byte becomes `%` and two hexadecimal digits.
    package func percentEncoded(allowing allowed: String, _ letters: HexCase = .uppercase) -> [UInt8] {
        flatMap { byte in
            byte.isAlphanumeric || allowed.utf8.contains(byte) ? [byte] : [UInt8(ascii: "%")] + byte.hexDigits(letters)
        }
    }
}
