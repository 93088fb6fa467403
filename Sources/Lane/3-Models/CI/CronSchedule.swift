import Text

/// A check of schedules in the cron syntax (POSIX crontab) that GitHub and Azure support.
enum CronSchedule {
    private static let fields: [(name: String, range: ClosedRange<Int>, words: [String])] = [
        ("minute", 0...59, []), ("hour", 0...23, []), ("day", 1...31, []),
        ("month", 1...12, ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]),
        ("day of the week", 0...6, ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]),
    ]

    /// Returns the error in a schedule, or `nil` if it is valid.
    static func problem(in text: String) -> String? {
        let parts = text.split(separator: " ")
        guard parts.count == fields.count else {
            return "expected minute, hour, day, month and day of the week, found \(parts.count) of these"
        }
        for (part, field) in zip(parts, fields) {
            for element in part.split(separator: ",", omittingEmptySubsequences: false)
            where !isValid(element, field.range, field.words) {
                return "'\(element)' is not a valid \(field.name)"
            }
        }
        return nil
    }

    /// Returns a Boolean value that indicates whether an element is `*`, a value or a range, with an optional step such
    /// as `/15`.
    private static func isValid(_ element: Substring, _ range: ClosedRange<Int>, _ words: [String]) -> Bool {
        let halves = element.split(separator: "/", omittingEmptySubsequences: false)
        guard halves.count <= 2 else { return false }
        if halves.count == 2 {
            guard let step = Int(halves[1]), step > 0, step <= range.upperBound else { return false }
        }
        if halves[0] == "*" { return true }
        let ends = halves[0].split(separator: "-", omittingEmptySubsequences: false).map { end -> Int? in
            if let index = words.firstIndex(of: end.lowercased()) { return index + range.lowerBound }
            return end.utf8.allSatisfy(\.isDigit) ? Int(end).flatMap { range.contains($0) ? $0 : nil } : nil
        }
        switch ends.count {
        case 1: return ends[0] != nil
        case 2: if let low = ends[0], let high = ends[1] { return low <= high } else { return false }
        default: return false
        }
    }
}
