extension Duration {
    /// In seconds with milliseconds, so that a column of them compares at a glance: `0.012 s`, `1 m 02.400 s`,
    /// `1 h 02 m 03 s`.
    package var text: String {
        let (whole, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        let fraction = padded(rest, to: 3)
        if whole < 60 { return "\(whole).\(fraction) s" }
        if whole < 3600 { return "\(whole / 60) m \(padded(whole % 60, to: 2)).\(fraction) s" }
        return "\(whole / 3600) h \(padded(whole / 60 % 60, to: 2)) m \(padded(whole % 60, to: 2)) s"
    }

    /// For what is still moving: `12 s`, `1 m 02 s`.
    var rough: String {
        let seconds = max(0, components.seconds)
        if seconds < 60 { return "\(seconds) s" }
        if seconds < 3600 { return "\(seconds / 60) m \(padded(seconds % 60, to: 2)) s" }
        return "\(seconds / 3600) h \(padded(seconds / 60 % 60, to: 2)) m"
    }

    /// Seconds with exactly three decimals, as XML attributes and services take them.
    var decimalSeconds: String {
        "\(milliseconds / 1000).\(padded(milliseconds % 1000, to: 3))"
    }

    /// Rounded; nothing takes less than no time.
    var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        return max(0, seconds * 1000 + (attoseconds + 500_000_000_000_000) / 1_000_000_000_000_000)
    }
}

/// Zeros in front, up to a number of digits.
func padded(_ number: Int64, to digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
}

/// Thousands apart: `5,000`.
func grouped(_ number: Int) -> String {
    let digits = Array(String(abs(number)))
    var text = number < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
        if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
        text.append(digit)
    }
    return text
}

/// `1 test`, `5,000 tests`
func grouped(_ number: Int, _ noun: String) -> String {
    "\(grouped(number)) \(number == 1 ? noun : noun + "s")"
}

/// A size in bytes as people read it, in powers of 1000: `812 bytes`, `1.2 MB`.
func sizeText(_ bytes: Int) -> String {
    guard bytes >= 1000 else { return "\(bytes) bytes" }
    var tenths = bytes / 100
    for unit in ["kB", "MB", "GB"] {
        if tenths < 10_000 || unit == "GB" { return "\(tenths / 10).\(tenths % 10) \(unit)" }
        tenths /= 1000
    }
    return "\(bytes) bytes"
}

/// An instant as ISO 8601 in UTC, to the second; the civil date from days by Howard Hinnant's algorithm.
package func iso8601(_ secondsSince1970: Double) -> String {
    let total = Int64(max(0, min(secondsSince1970, 253_402_300_799)))
    let (days, second) = total.quotientAndRemainder(dividingBy: 86_400)
    let shifted = days + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    let date = "\(padded(year, to: 4))-\(padded(month, to: 2))-\(padded(day, to: 2))"
    return "\(date)T\(padded(second / 3600, to: 2)):\(padded(second / 60 % 60, to: 2)):\(padded(second % 60, to: 2))Z"
}
