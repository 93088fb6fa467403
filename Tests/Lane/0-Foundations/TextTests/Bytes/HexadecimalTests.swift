import Testing
import Text

@Suite struct HexadecimalTests {
    @Test func everyByteIsTwoDigits() {
        for byte in UInt8.min...UInt8.max {
            let digits = String(byte, radix: 16)
            let text = digits.utf8.count == 1 ? "0" + digits : digits
            #expect([byte].hexString == text)
            #expect(byte.hexDigits(.uppercase) == Array(text.uppercased().utf8))
        }
    }

    @Test func percentEncodingKeepsAllowedCharacters() {
        #expect(Array("a/b c_ü%\u{0}".utf8).percentEncoded(allowing: "/_") == Array("a/b%20c_%C3%BC%25%00".utf8))
        #expect(Array("ü".utf8).percentEncoded(allowing: "", .lowercase) == Array("%c3%bc".utf8))
    }
}
