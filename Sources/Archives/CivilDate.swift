/// A day of the Gregorian calendar, without time zone.
package struct CivilDate: Sendable, Equatable, CustomStringConvertible {
    let year: Int
    let month: Int
    let day: Int

    /// After the days-to-civil algorithm: eras of 400 years that begin on the first of March.
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

    /// The day in UTC of a time in seconds since 1970.
    package init(secondsSince1970 seconds: Int64) {
        self.init(daysSince1970: Int(seconds >= 0 ? seconds / 86400 : (seconds - 86399) / 86400))
    }

    /// ISO 8601: `2026-11-21`.
    package var description: String {
        let year = String(year)
        return String(repeating: "0", count: max(0, 4 - year.count)) + year + "-\(twoDigits(month))-\(twoDigits(day))"
    }

    private func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
