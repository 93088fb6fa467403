/// A text with ranges marked as `«…»`, for tests that show the expected locations in the text.
package struct MarkedText: Sendable {
    /// The text without the marks.
    package let text: String
    /// The marked ranges as byte offsets, in the order of their starts.
    package let ranges: [Range<Int>]

    package init(_ marked: String) {
        var text: [UInt8] = []
        var open: [Int] = []
        var ranges: [Range<Int>] = []
        for character in marked {
            switch character {
            case "«": open.append(text.count)
            case "»":
                guard let start = open.popLast() else { preconditionFailure("'»' without '«' in a marked text") }
                ranges.append(start..<text.count)
            default: text += Array(String(character).utf8)
            }
        }
        precondition(open.isEmpty, "'«' without '»' in a marked text")
        self.text = String(decoding: text, as: UTF8.self)
        self.ranges = ranges.sorted { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
    }

    /// Returns the text with marks around other ranges, which a failing test shows.
    package func marked(_ ranges: [Range<Int>]) -> String {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        for offset in 0...bytes.count {
            for range in ranges where range.upperBound == offset && !range.isEmpty { result += "»".utf8 }
            for range in ranges where range.lowerBound == offset { result += (range.isEmpty ? "«»" : "«").utf8 }
            if offset < bytes.count { result.append(bytes[offset]) }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
