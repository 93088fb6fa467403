import Text

/// A check that the lines of an event log are all events of one or several runs, in order.
struct EventSequence {
    private var last = 0
    private(set) var hasEnded = false

    private static let ending = Array(#"{"event":"runEnded""#.utf8)
    private static let start = Array(#"{"event":"runStarted""#.utf8)

    /// Returns the error in the next line, or `nil`.
    ///
    /// - Parameter isEnded: A Boolean value that indicates whether the line has an end. The last line of a killed program
    ///   may have none.
    mutating func error(in line: ArraySlice<UInt8>, isEnded: Bool) -> String? {
        let isStart = line.starts(with: Self.start)
        if hasEnded, !isStart { return "expected nothing after the end of the run" }
        guard isEnded else { return nil }
        guard let number = Self.number(of: line) else { return "expected an event with its number" }
        let expected = isStart && hasEnded ? 1 : last + 1
        guard number == expected else {
            return "expected event \(expected), found event \(number): the events between them are missing"
        }
        last = number
        hasEnded = line.starts(with: Self.ending)
        return nil
    }

    /// Returns the number in a line such as `{"event":"runEnded","number":12,`.
    private static func number(of line: ArraySlice<UInt8>) -> Int? {
        let mark = Array(#","number":"#.utf8)
        let head = Array(line.prefix(80))
        guard let place = head.firstOffset(of: #","number":"#) else { return nil }
        return Int(String(decoding: head[(place + mark.count)...].prefix { $0.isDigit }, as: UTF8.self))
    }
}
