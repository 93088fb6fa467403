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
package func padded(_ number: Int64, to digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
}
