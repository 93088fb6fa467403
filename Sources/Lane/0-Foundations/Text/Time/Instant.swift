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
    package var clock: String { "\(twoDigits(hour)):\(twoDigits(minute)):\(twoDigits(second))" }

    /// The instant in ISO 8601 format, such as `2026-11-21T09:41:07Z`.
    package var description: String { "\(date)T\(clock)Z" }
}
