import ASCII
import Testing

/// Each kind against the characters that Swift itself gives it, for all bytes.
@Suite struct ByteKindsTests {
    private static func bytes(_ isMeant: (Character) -> Bool) -> [UInt8] {
        (UInt8.min..<0x80).filter { isMeant(Character(UnicodeScalar($0))) }
    }

    private static func all(_ fit: (UInt8) -> Bool) -> [UInt8] { (UInt8.min...UInt8.max).filter(fit) }

    @Test func lettersAndDigitsAreThoseOfASCII() {
        #expect(Self.all(\.isDigit) == Self.bytes { $0.isNumber })
        #expect(Self.all(\.isLetter) == Self.bytes { $0.isLetter })
        #expect(Self.all(\.isAlphanumeric) == Self.bytes { $0.isNumber || $0.isLetter })
    }

    @Test func hexadecimalDigitsAreSmallOrCapital() {
        #expect(Self.all(\.isHexDigit) == Self.bytes { $0.isHexDigit })
    }

    @Test func namesBeginWithALetterOrAnUnderscore() {
        #expect(Self.all(\.beginsName) == Self.bytes { $0.isLetter || $0 == "_" })
        #expect(Self.all(\.isOfName) == Self.bytes { $0.isLetter || $0.isNumber || $0 == "_" })
    }

    @Test func blanksPartWordsAndSpacesAlsoLines() {
        #expect(Self.all(\.isBlank) == Array("\t ".utf8))
        #expect(Self.all(\.isSpace) == Self.bytes { $0.isWhitespace })
    }
}
