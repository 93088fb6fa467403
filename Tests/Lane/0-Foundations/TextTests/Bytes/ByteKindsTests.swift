import Testing
import Text

/// Compares each property with the corresponding property of `Character`, for all 256 bytes.
@Suite struct ByteKindsTests {
    private static func asciiBytes(where isIncluded: (Character) -> Bool) -> [UInt8] {
        (UInt8.min..<0x80).filter { isIncluded(Character(UnicodeScalar($0))) }
    }

    private static func bytes(where isIncluded: (UInt8) -> Bool) -> [UInt8] {
        (UInt8.min...UInt8.max).filter(isIncluded)
    }

    @Test func lettersAndDigitsAreASCIIOnly() {
        #expect(Self.bytes(where: \.isDigit) == Self.asciiBytes { $0.isNumber })
        #expect(Self.bytes(where: \.isLetter) == Self.asciiBytes { $0.isLetter })
        #expect(Self.bytes(where: \.isAlphanumeric) == Self.asciiBytes { $0.isNumber || $0.isLetter })
    }

    @Test func hexadecimalDigitsAreLowercaseOrUppercase() {
        #expect(Self.bytes(where: \.isHexDigit) == Self.asciiBytes { $0.isHexDigit })
    }

    @Test func identifiersStartWithALetterOrAnUnderscore() {
        #expect(Self.bytes(where: \.isIdentifierStart) == Self.asciiBytes { $0.isLetter || $0 == "_" })
        #expect(
            Self.bytes(where: \.isIdentifierContinuation) == Self.asciiBytes { $0.isLetter || $0.isNumber || $0 == "_" }
        )
    }

    @Test func blanksSeparateWordsAndSpacesAlsoLines() {
        #expect(Self.bytes(where: \.isBlank) == Array("\t ".utf8))
        #expect(Self.bytes(where: \.isSpace) == Self.asciiBytes { $0.isWhitespace })
    }
}
