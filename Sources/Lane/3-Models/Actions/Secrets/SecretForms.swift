import Text

/// The encodings in which a secret value may appear.
enum SecretForms {
    /// The characters besides letters and digits that variants of percent-encoding keep: RFC 3986, Python's `quote`,
    /// JavaScript's `encodeURIComponent`, and `application/x-www-form-urlencoded`.
    private static let unreserved = ["-._~", "-._~/", "-._~!*'()", "-._*"]
    /// The escapes of XML and HTML that libraries use in text and attributes.
    private static let xmlEscapes: [[UInt8: String]] = [
        (">", "\"", "'"), ("&gt;", "\"", "'"), ("&gt;", "&quot;", "'"), ("&gt;", "&quot;", "&apos;"),
        ("&gt;", "&quot;", "&#39;"), ("&gt;", "&quot;", "&#x27;"), ("&gt;", "&#34;", "&#39;"),
    ].map { greater, quote, apostrophe in
        [
            UInt8(ascii: "&"): "&amp;", UInt8(ascii: "<"): "&lt;", UInt8(ascii: ">"): greater,
            UInt8(ascii: "\""): quote, UInt8(ascii: "'"): apostrophe,
        ]
    }
    /// The number of bytes in a line of base64 with 64 (PEM) or 76 characters (MIME).
    private static let bytesOfLines = [48, 57]
    private static let space = UInt8(ascii: " ")
    /// The characters before which bash's `printf %q` puts a backslash.
    private static let shellSpecials = Set(" !\"#$&'()*,;<>?[\\]^`{|}".utf8)

    /// Returns the encoded forms of a value and of each of its lines.
    ///
    /// - Returns: The forms in base64, which may contain line breaks, and all other forms.
    static func all(of value: [UInt8]) -> (plain: Set<[UInt8]>, base64: Set<[UInt8]>) {
        var forms: Set<[UInt8]> = []
        var wrappable: Set<[UInt8]> = []
        let newline = UInt8(ascii: "\n")
        let lines = value.split { $0 == newline || $0 == UInt8(ascii: "\r") }.map(Array.init)
        for text in [value] + lines where text.count >= SecretMask.minimumLength {
            forms.insert(text)
            for kept in unreserved {
                for letters in [HexCase.uppercase, .lowercase] {
                    forms.insert(text.percentEncoded(allowing: kept, letters))
                    // In `application/x-www-form-urlencoded`, `+` represents a space, and a plus is encoded.
                    forms.insert(
                        text.percentEncoded(allowing: kept + " ", letters).map { $0 == space ? UInt8(ascii: "+") : $0 })
                }
            }
            for isASCII in [false, true] {
                for escapesSlash in [false, true] {
                    forms.insert(jsonEscaped(text, isASCII: isASCII, escapesSlash: escapesSlash))
                }
            }
            // For a shell: in single quotes, or as bash's `printf %q` writes it.
            forms.insert(text.flatMap { $0 == UInt8(ascii: "'") ? Array(#"'\''"#.utf8) : [$0] })
            forms.insert(text.flatMap { shellSpecials.contains($0) ? [UInt8(ascii: "\\"), $0] : [$0] })
            for escapes in xmlEscapes {
                forms.insert(text.flatMap { escapes[$0].map { Array($0.utf8) } ?? [$0] })
            }
            for shift in 0..<3 { wrappable.formUnion(base64(text, behind: shift)) }
            for length in bytesOfLines where text.count > length {
                for start in stride(from: 0, to: text.count, by: length) {
                    wrappable.formUnion(base64(Array(text[start..<min(start + length, text.count)]), behind: 0))
                }
            }
        }
        return (forms, wrappable)
    }

    /// Returns the base64 of the value inside a longer text, at an offset of `shift` modulo 3. Omits the characters at
    /// both ends that depend on neighboring bytes.
    private static func base64(_ text: [UInt8], behind shift: Int) -> Set<[UInt8]> {
        var forms: Set<[UInt8]> = []
        let padded = [UInt8](repeating: 0, count: shift) + text
        // A group of 6 bits that lies in the value is one character that depends only on the value.
        let first = (shift * 8 + 5) / 6
        let end = padded.count * 8 / 6
        guard end - first >= SecretMask.minimumLength else { return [] }
        for alphabet in ["+/", "-_"] {
            let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789\(alphabet)".utf8)
            forms.insert((first..<end).map { digits[sixBits(of: padded, at: $0 * 6)] })
        }
        return forms
    }

    private static func sixBits(of bytes: [UInt8], at bit: Int) -> Int {
        let byte = bit / 8
        let pair = Int(bytes[byte]) << 8 | (byte + 1 < bytes.count ? Int(bytes[byte + 1]) : 0)
        return (pair >> (10 - bit % 8)) & 63
    }

    /// - Parameter isASCII: A Boolean value that indicates whether characters outside ASCII are escaped as in `\u00e9`,
    ///   as Python does.
    private static func jsonEscaped(_ text: [UInt8], isASCII: Bool, escapesSlash: Bool) -> [UInt8] {
        guard isASCII else { return text.flatMap { jsonEscaped($0, escapesSlash: escapesSlash) } }
        return String(decoding: text, as: UTF8.self).utf16.flatMap { unit -> [UInt8] in
            if let byte = UInt8(exactly: unit), byte < 0x80 { return jsonEscaped(byte, escapesSlash: escapesSlash) }
            return Array("\\u".utf8) + UInt8(unit >> 8).hexDigits() + UInt8(unit & 0xFF).hexDigits()
        }
    }

    private static func jsonEscaped(_ byte: UInt8, escapesSlash: Bool) -> [UInt8] {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): [UInt8(ascii: "\\"), byte]
        case UInt8(ascii: "/") where escapesSlash: Array("\\/".utf8)
        case UInt8(ascii: "\n"): Array("\\n".utf8)
        case UInt8(ascii: "\r"): Array("\\r".utf8)
        case UInt8(ascii: "\t"): Array("\\t".utf8)
        default: [byte]
        }
    }
}
