/// A reader of Hershey font files (`.jhf`), such as those of Debian's `hershey-fonts-data`.
///
/// In the format of James Hurt of Cognition, Inc., a glyph consists of five characters with its number, three with the
/// number of pairs, and the pairs. The first pair contains the left and right borders. Each other pair is a point. Its
/// coordinates are the offsets of its characters from `R`. A space and an `R` lift the pen. Long glyphs continue on the
/// next lines. The stroke order is that of a plotter, not of handwriting.
public enum HersheyFont {
    /// A syntax error in a font file.
    public struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
        /// The number of the line, starting at one.
        public let line: Int
        /// The message, such as "expected 8 pairs, found 5".
        public let reason: String

        public var description: String { "line \(line): \(reason)" }
    }

    /// Returns the glyphs in the order of the file. In the coordinates of the file, an uppercase letter is about 21
    /// units high.
    ///
    /// - Parameters:
    ///   - text: The contents of the file.
    ///   - name: Returns the name of a glyph from its position in the file. The default is for text fonts, which start
    ///     at the space (32).
    public static func glyphs(_ text: String, name: ((Int) -> String)? = nil) throws(Failure) -> [Glyph] {
        let name = name ?? asciiName
        var glyphs: [Glyph] = []
        // All line endings are supported. A pair never contains one.
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
            let pairs = Array(bytes[8..<8 + 2 * count])
            glyphs.append(Glyph(name: name(glyphs.count), curves: curves(pairs), box: box(pairs)))
        }
        return glyphs
    }

    /// Returns the printable ASCII character at a position, starting at the space. For a position of 95 or more,
    /// returns the number.
    static func asciiName(_ position: Int) -> String {
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

    /// Returns the box between the borders. It has the height of a line, and a minimum width that gives narrow letters
    /// the threshold of wide letters.
    private static func box(_ bytes: [UInt8]) -> TraceRect {
        let (left, right) = (coordinate(bytes[0]), coordinate(bytes[1]))
        let width = max(right - left, 26)
        return TraceRect(x: (left + right - width) / 2, y: -16, width: width, height: 32)
    }

    private static func coordinate(_ byte: UInt8) -> Double { Double(Int(byte) - Int(UInt8(ascii: "R"))) }

    private static func curves(_ bytes: [UInt8]) -> [Curve] {
        var curves: [Curve] = []
        var current: Curve?
        for pair in stride(from: 2, to: bytes.count - 1, by: 2) {
            if bytes[pair] == 0x20, bytes[pair + 1] == UInt8(ascii: "R") {
                if let current { curves.append(current) }
                current = nil
                continue
            }
            let point = TracePoint(coordinate(bytes[pair]), coordinate(bytes[pair + 1]))
            if current == nil { current = Curve(at: point) } else { current?.append(.line(to: point)) }
        }
        if let current { curves.append(current) }
        return curves
    }
}
