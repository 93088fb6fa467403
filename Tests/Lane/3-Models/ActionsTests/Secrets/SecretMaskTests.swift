import Actions
import Events
import Expressions
import OperatingSystem
import TestSupport
import Testing

@Suite struct SecretMaskTests {
    static let secret = "s3cr3t/Tok en+\"é"

    /// All forms of the value, computed by other tools where possible.
    static let forms: [(String, String)] = [
        ("plain", secret),
        ("percent", "s3cr3t%2FTok%20en%2B%22%C3%A9"),
        ("percent, small digits", "s3cr3t%2fTok%20en%2b%22%c3%a9"),
        ("form", "s3cr3t%2FTok+en%2B%22%C3%A9"),
        ("percent, slashes kept", "s3cr3t/Tok%20en%2B%22%C3%A9"),
        ("json", #"s3cr3t/Tok en+\"é"#),
        ("json, slashes escaped", #"s3cr3t\/Tok en+\"é"#),
        ("json in ASCII", #"s3cr3t/Tok en+\"\u00e9"#),
    ]

    @Test(arguments: forms)
    func everyFormIsMasked(form: (String, String)) {
        let mask = SecretMask(["TOKEN": Self.secret])
        #expect(mask.masked("a \(form.1) b") == "a *** b")
    }

    @Test(arguments: [
        ("token-XYZ-secret", "***"), ("a token-XYZ-secret b", "a *** b"), ("token-XYZ-secre", "***-secre"),
        ("abcabcabcab", "***ab"), ("abcabcabcabc", "***"),
    ])
    func overlappingSecretsAreMaskedCompletely(text: String, expected: String) {
        let mask = SecretMask(["A": "token-XYZ", "B": "XYZ-secret", "C": "abcabc"])
        #expect(mask.masked(text) == expected)
        // Masking byte by byte has the same result.
        var stream = MaskedStream(mask)
        var result: [UInt8] = []
        for byte in text.utf8 {
            withUnsafeBytes(of: byte) { stream.pass($0) { result += $0 } }
        }
        stream.finish { result += $0 }
        #expect(String(decoding: result, as: UTF8.self) == expected)
    }

    @Test(arguments: ["a&lt;b&gt;&amp;&quot;c&quot;", "a&lt;b>&amp;\"c\"", "a&lt;b&gt;&amp;&#34;c&#34;"])
    func xmlEscapesOfASecretAreMasked(form: String) {
        #expect(SecretMask(["TOKEN": "a<b>&\"c\""]).masked("x \(form) y") == "x *** y")
    }

    /// Base64 of `user:secret`, `x:secret` and `secret`, in which the secret is at each of the three offsets.
    @Test(arguments: [
        ("", "***F0YWls"), ("u", "dW***dGFpbA=="), ("us", "dXN***XRhaWw="), ("user:", "dXNlcjp***XRhaWw="),
    ])
    func base64IsMasked(prefix: String, shown: String) throws {
        let input = Command.Input.bytes(Array("\(prefix)hunter2-password!tail".utf8))
        let encoder = Command("base64", ["-w0"], environment: ["PATH": "/usr/bin:/bin"], input: input)
        let encoded = try ChildRunner().capture(encoder).text
        let masked = SecretMask(["P": "hunter2-password!"]).masked(encoded)
        // Only the digits that also encode neighboring bytes remain.
        #expect(masked == shown)
    }

    @Test func encodeURIComponentAndShellQuotesAreMasked() {
        let mask = SecretMask(["TOKEN": "it's (a) *secret*!"])
        #expect(mask.masked("it's%20(a)%20*secret*!") == "***")
        #expect(mask.masked(#"+ echo 'it'\''s (a) *secret*!'"#) == "+ echo '***'")
    }

    /// Base64 with lines of 64 and of 76 characters.
    @Test(arguments: [64, 76]) func base64OfSeveralLinesIsMasked(width: Int) throws {
        let secret = String((0..<100).map { Character(Unicode.Scalar(UInt8(65 + $0 * 7 % 26))) })
        let encoder = Command(
            "base64", ["-w\(width)"], environment: ["PATH": "/usr/bin:/bin"], input: .bytes(Array(secret.utf8)))
        let encoded = try ChildRunner().capture(encoder).text
        let masked = SecretMask(["K": secret]).masked(encoded)
        #expect(encoded.split(separator: "\n").count > 1)
        // Only the last digit and the padding may remain.
        for line in masked.split(separator: "\n") { #expect(line.hasPrefix("***") && line.utf8.count <= 7) }
    }

    /// Thousands of patterns in output that is full of their prefixes.
    @Test func aLongKeyIsMaskedLineByLine() {
        var seed: UInt64 = 7
        func line() -> String {
            let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
            let bytes = (0..<64).map { _ in
                seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return digits[Int(seed >> 58)]
            }
            return String(decoding: bytes, as: UTF8.self)
        }
        let key = (0..<50).map { _ in line() }
        let mask = SecretMask(["KEY": key.joined(separator: "\n")])
        for (index, secret) in key.enumerated() {
            let other = line()
            #expect(mask.masked("\(other)\n\(secret) \(index)") == "\(other)\n*** \(index)")
        }
    }

    /// Output of `base64 -wN` for `user:secret`, with and without indentation.
    @Test(arguments: [1, 2, 3, 7, 20, 64, 76], ["", "  ", "\t\t"])
    func base64IsMaskedWithAnyWrapping(width: Int, indentation: String) throws {
        let secret = "correct-horse-battery-staple"
        for prefix in ["", "u", "us", "user:"] {
            let encoder = Command(
                "base64", ["-w\(width)"], environment: ["PATH": "/usr/bin:/bin"],
                input: .bytes(Array("\(prefix)\(secret)".utf8)))
            let encoded = try ChildRunner().capture(encoder).text
            let shown = SecretMask(["P": secret]).masked(encoded.replacing("\n", with: "\n\(indentation)"))
            let digits = shown.filter { $0.isLetter || $0.isNumber }
            #expect(shown.contains("***"), "\(prefix)")
            // Only the digits that also encode neighboring bytes remain.
            #expect(digits.utf8.count <= (prefix.utf8.count + 2) * 4 / 3 + 4, "\(shown)")
        }
    }

    static let sequences = ["\u{1b}[31m", "\u{1b}[0m\u{1b}[1;38;5;208m", "\u{1b}(B\u{1b}[m", "\u{1b}[K"]

    /// A control sequence between any two bytes, in chunks of any size.
    @Test(arguments: sequences, 1...4)
    func controlSequencesDoNotRevealASecret(sequence: String, size: Int) {
        let secret = "hunter2-password"
        let mask = SecretMask(["P": secret])
        for offset in 1..<secret.utf8.count {
            let text = "a \(secret.prefix(offset))\(sequence)\(secret.dropFirst(offset)) b"
            #expect(masked(text, by: mask, inPiecesOf: size) == "a *** b", "\(offset)")
        }
        let colorful = secret.map { "\(sequence)\($0)" }.joined()
        #expect(masked(colorful, by: mask, inPiecesOf: size) == "\(sequence)***")
    }

    /// Control sequences and line breaks beside other text are unchanged.
    @Test(arguments: ["\u{1b}[31mhunter\u{1b}[0m", "h\n\nu\n", "aHVu\r\n\r\n", "h\u{1b}", "h\u{1b}[3"], 1...3)
    func otherTextIsUnchanged(text: String, size: Int) {
        #expect(masked(text, by: SecretMask(["P": "hunter2-password"]), inPiecesOf: size) == text)
    }

    private func masked(_ text: String, by mask: SecretMask, inPiecesOf size: Int) -> String {
        var stream = MaskedStream(mask)
        var result: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            rest.prefix(size).withUnsafeBytes { stream.pass($0) { result += $0 } }
            rest = rest.dropFirst(size)
        }
        stream.finish { result += $0 }
        return String(decoding: result, as: UTF8.self)
    }

    @Test func linesOfALongSecretAreMaskedOneByOne() {
        let mask = SecretMask(["KEY": "-----BEGIN-----\nabcdefgh\nxyz\nijklmnop\n"])
        #expect(mask.masked("got abcdefgh and ijklmnop, xyz") == "got *** and ***, xyz")
    }

    @Test func theLongerOfTwoSecretsWins() {
        let mask = SecretMask(["A": "token", "B": "token-extended"])
        #expect(mask.masked("token token-extended token-ext") == "*** *** ***-ext")
    }

    @Test func shortValuesAreNamedInstead() {
        let mask = SecretMask(["PIN": "123", "EMPTY": "", "LONG": "1234"])
        #expect(mask.unmasked == ["PIN"])
        #expect(mask.masked("123 1234") == "123 ***")
    }

    /// The result does not depend on the boundaries of chunks.
    @Test(arguments: 1...7)
    func chunkBoundariesDoNotMatter(size: Int) {
        let mask = SecretMask(["A": "aab", "B": "aabaac", "C": "password"])
        let text = "aabaab aabaac passpassword aabaapassword passwor"
        var stream = MaskedStream(mask)
        var result: [UInt8] = []
        let bytes = Array(text.utf8)
        var start = 0
        while start < bytes.count {
            let end = min(start + size, bytes.count)
            bytes[start..<end].withUnsafeBytes { piece in stream.pass(piece) { result += $0 } }
            start = end
        }
        stream.finish { result += $0 }
        #expect(String(decoding: result, as: UTF8.self) == mask.masked(text))
        #expect(mask.masked(text) == "aabaab *** pass*** aabaa*** passwor")
    }
}
