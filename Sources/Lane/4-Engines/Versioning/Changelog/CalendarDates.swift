import Text

/// The dates in a text, such as `2026-11-21` and `2026/11/21`.
package enum CalendarDates {
    /// Returns the text with another date in place of each date.
    package static func replaced(in text: Substring, with date: String) -> (text: String, found: Bool) {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var index = 0
        var found = false
        while index < bytes.count {
            let rest = bytes[index...].prefix(10)
            let sign = rest.dropFirst(4).first ?? 0
            let isDate =
                rest.count == 10 && "-/.".utf8.contains(sign)
                && zip("0000-00-00".utf8, rest).allSatisfy { $0 == UInt8(ascii: "-") ? $1 == sign : $1.isDigit }
            if isDate, index == 0 || !bytes[index - 1].isAlphanumeric {
                result += date.utf8.map { $0 == UInt8(ascii: "-") ? sign : $0 }
                (index, found) = (index + 10, true)
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return (String(decoding: result, as: UTF8.self), found)
    }
}
