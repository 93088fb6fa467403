/// Reads the glyphs of a Hershey font file (`.jhf`), as Debian's `hershey-fonts-data` has them.
///
/// The format, by James Hurt of Cognition, Inc.: five characters with the glyph's number, three with the number of pairs,
/// then the pairs. The first pair holds the left and right borders; every other one is a place, each character the
/// distance from `R`; a blank and an `R` lift the pen. Long glyphs go on in further lines. Strokes are in a plotter's
/// order, not in a school's.
public enum HersheyFont {
    /// Where the file can't be understood: the line, counted from one, and why.
    public struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
        /// Counted from one.
        public let line: Int
        /// What was expected there.
        public let reason: String

        public var description: String { "line \(line): \(reason)" }
    }

    /// The glyphs in the order of the file: a text font has those from the blank (32) on. Glyph coordinates are those of
    /// the file, about 21 units for a capital.
    ///
    /// - Parameters:
    ///   - text: The whole file.
    ///   - name: The name for a glyph by its position; by default the ASCII character from the blank on.
    public static func glyphs(
        _ text: String, name: (Int) -> String = HersheyFont.asciiName
    ) throws(Failure) -> [Glyph] {
        var glyphs: [Glyph] = []
        // Line feeds of any system; the characters of a pair never include one.
        let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }.map { Array($0.utf8) }
        var index = 0
        while index < lines.count {
            guard lines[index].contains(where: { $0 != 0x20 }) else {
                index += 1
                continue
            }
            let first = index + 1
            var bytes = lines[index]
            guard let count = pairCount(bytes) else {
                throw Failure(line: first, reason: "expected a glyph number and a count in eight characters")
            }
            index += 1
            while bytes.count < 8 + 2 * count {
                guard index < lines.count else {
                    throw Failure(line: first, reason: "expected \(count) pairs, found \((bytes.count - 8) / 2)")
                }
                bytes += lines[index]
                index += 1
            }
            glyphs.append(Glyph(name: name(glyphs.count), curves: curves(Array(bytes[8..<8 + 2 * count]))))
        }
        return glyphs
    }

    /// The printable ASCII character of a position, the number of the position beyond them.
    public static func asciiName(_ position: Int) -> String {
        (0..<95).contains(position) ? String(Character(Unicode.Scalar(UInt8(32 + position)))) : String(position)
    }

    private static func pairCount(_ bytes: [UInt8]) -> Int? {
        guard bytes.count >= 8 else { return nil }
        func number(_ range: Range<Int>) -> Int? {
            Int(String(decoding: bytes[range].filter { $0 != 0x20 }, as: UTF8.self))
        }
        guard number(0..<5) != nil, let count = number(5..<8), count >= 1 else { return nil }
        return count
    }

    private static func curves(_ bytes: [UInt8]) -> [Curve] {
        var curves: [Curve] = []
        var current: Curve?
        let zero = Int(UInt8(ascii: "R"))
        for pair in stride(from: 2, to: bytes.count - 1, by: 2) {
            if bytes[pair] == 0x20, bytes[pair + 1] == UInt8(ascii: "R") {
                if let current { curves.append(current) }
                current = nil
                continue
            }
            let place = Point(Double(Int(bytes[pair]) - zero), Double(Int(bytes[pair + 1]) - zero))
            current = current?.line(to: place) ?? Curve(at: place)
        }
        if let current { curves.append(current) }
        return curves
    }
}
