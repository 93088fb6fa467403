/// A point in time in UTC, with a precision of one second.
package struct Instant: Sendable, Equatable, CustomStringConvertible {
    /// The date in UTC.
    package let date: CivilDate
    /// The hour, from 0 to 23.
    package let hour: Int
    /// The minute, from 0 to 59.
    package let minute: Int
    /// The second, from 0 to 59. Leap seconds are not counted.
    package let second: Int

    /// Creates an instant from Unix time.
    ///
    /// - Parameter seconds: The seconds since 1970-01-01T00:00:00Z; negative for earlier instants.
    package init(secondsSince1970 seconds: Int64) {
        let secondOfDay = Int((seconds % 86_400 + 86_400) % 86_400)
        date = CivilDate(daysSince1970: Int((seconds - Int64(secondOfDay)) / 86_400))
        (hour, minute, second) = (secondOfDay / 3600, secondOfDay / 60 % 60, secondOfDay % 60)
    }

    /// Creates an instant from Unix time, rounded down to a second and clamped to the years 1970 to 9999.
    package init(secondsSince1970 seconds: Double) {
        self.init(secondsSince1970: Int64(max(0, min(seconds, 253_402_300_799))))
    }

    /// The time of day in UTC, such as `09:41:07`.
    package var clock: String { [hour, minute, second].map { padded($0, to: 2) }.joined(separator: ":") }

    /// The instant in ISO 8601 format, such as `2026-11-21T09:41:07Z`.
    package var description: String { "\(date)T\(clock)Z" }
}

/// A date in the proleptic Gregorian calendar, without a time zone.
package struct CivilDate: Sendable, Equatable, CustomStringConvertible {
    /// The year in astronomical numbering: the year 0 precedes the year 1.
    package let year: Int
    /// The month, from 1 to 12.
    package let month: Int
    /// The day of the month, from 1 to 31.
    package let day: Int

    /// Creates the date that is `days` days after 1970-01-01, or before it if `days` is negative.
    ///
    /// Uses Howard Hinnant's `civil_from_days` algorithm with eras of 400 years that start on March 1.
    init(daysSince1970 days: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// Parses a date in ISO 8601 format, such as `2026-11-21`. Returns `nil` if there is no such date.
    package init?(iso8601 text: some StringProtocol) {
        let bytes = Array(text.utf8)
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).compactMap { Int($0) }
        guard bytes.count == 10, parts.count == 3, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            (1...12).contains(parts[1]), parts[2] >= 1
        else { return nil }
        let days = Self.daysSince1970(year: parts[0], month: parts[1], day: parts[2])
        self.init(daysSince1970: days)
        guard day == parts[2] else { return nil }
    }

    /// The days since 1970-01-01, negative for an earlier date.
    package var daysSince1970: Int { Self.daysSince1970(year: year, month: month, day: day) }

    /// Returns the days since 1970-01-01 with Howard Hinnant's `days_from_civil` algorithm, the inverse of
    /// `civil_from_days`.
    private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The date in ISO 8601 format, such as `2026-11-21`.
    package var description: String {
        "\(padded(year, to: 4))-\(padded(month, to: 2))-\(padded(day, to: 2))"
    }
}

extension Duration {
    /// The duration with milliseconds, which aligns columns: `0.012 s`, `1 m 02.400 s`, `1 h 02 m 03 s`.
    package var text: String {
        let (whole, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        let fraction = padded(rest, to: 3)
        if whole < 60 { return "\(whole).\(fraction) s" }
        if whole < 3600 { return "\(whole / 60) m \(padded(whole % 60, to: 2)).\(fraction) s" }
        return "\(whole / 3600) h \(padded(whole / 60 % 60, to: 2)) m \(padded(whole % 60, to: 2)) s"
    }

    /// The duration in whole seconds for running tests: `12 s`, `1 m 02 s`.
    package var rough: String {
        let seconds = max(0, components.seconds)
        if seconds < 60 { return "\(seconds) s" }
        if seconds < 3600 { return "\(seconds / 60) m \(padded(seconds % 60, to: 2)) s" }
        return "\(seconds / 3600) h \(padded(seconds / 60 % 60, to: 2)) m"
    }

    /// The duration in seconds with three decimals, the format of XML attributes and CI services.
    package var decimalSeconds: String {
        "\(milliseconds / 1000).\(padded(milliseconds % 1000, to: 3))"
    }

    /// The duration in milliseconds, rounded and clamped to zero.
    package var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        return max(0, seconds * 1000 + (attoseconds + 500_000_000_000_000) / 1_000_000_000_000_000)
    }
}

/// Returns a number with leading zeros.
package func padded(_ number: some BinaryInteger, to digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
}
