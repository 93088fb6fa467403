extension Sequence<UInt8> {
    /// The bytes as an address may hold them: letters, digits and what is `spared` as they are, all others as `%` and two
    /// digits (RFC 3986).
    package func percentEncoded(sparing spared: String, _ letters: HexLetters = .capital) -> [UInt8] {
        flatMap { byte in
            byte.isAlphanumeric || spared.utf8.contains(byte) ? [byte] : [UInt8(ascii: "%")] + byte.hexDigits(letters)
        }
    }
}
