/// A moment to the second, as calendars and clocks in UTC show it.
package struct Instant: Sendable, Equatable, CustomStringConvertible {
    /// The day in UTC.
    package let date: CivilDate
    /// From 0 to 23.
    package let hour: Int
    /// From 0 to 59.
    package let minute: Int
    /// From 0 to 59: leap seconds are not counted.
    package let second: Int

    /// - Parameter seconds: Before 1970 they are negative.
    package init(secondsSince1970 seconds: Int64) {
        let secondOfDay = Int((seconds % 86_400 + 86_400) % 86_400)
        date = CivilDate(daysSince1970: Int((seconds - Int64(secondOfDay)) / 86_400))
        (hour, minute, second) = (secondOfDay / 3600, secondOfDay / 60 % 60, secondOfDay % 60)
    }

    /// The second that has begun, held between 1970 and 9999.
    package init(secondsSince1970 seconds: Double) {
        self.init(secondsSince1970: Int64(max(0, min(seconds, 253_402_300_799))))
    }

    /// The time of the day: `09:41:07`.
    package var clock: String { "\(twoDigits(hour)):\(twoDigits(minute)):\(twoDigits(second))" }

    /// ISO 8601: `2026-11-21T09:41:07Z`.
    package var description: String { "\(date)T\(clock)Z" }
}
