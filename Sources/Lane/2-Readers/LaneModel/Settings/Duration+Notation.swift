import Text

extension Duration {
    /// Parses `250ms`, `90s`, `2m`, `1h` or a sum such as `1m30s`. Returns `nil` for any other text.
    init?(written text: String) {
        var total = Duration.zero
        var rest = Substring(text)
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            guard !digits.isEmpty, digits.count < 10, let number = Int(digits) else { return nil }
            rest = rest.dropFirst(digits.count)
            let unit = rest.prefix { $0.isLetter }
            rest = rest.dropFirst(unit.count)
            switch unit {
            case "ms": total += .milliseconds(number)
            case "s": total += .seconds(number)
            case "m": total += .seconds(number * 60)
            case "h": total += .seconds(number * 3600)
            default: return nil
            }
        }
        guard !text.isEmpty else { return nil }
        self = total
    }

    /// The units of lane files, each with its full names in other notations.
    private static let units: [(unit: String, names: [String])] = [
        ("s", ["seconds", "secs"]), ("m", ["minutes", "mins"]), ("h", ["hours", "hrs"]), ("d", ["days"]),
        ("ms", ["ms", "milliseconds"]),
    ]

    /// Returns a hint on a duration in another notation, such as `5 min` or `5:30`, or `nil` for any other text.
    static func hint(for text: String) -> String? {
        if !text.isEmpty, text.utf8.allSatisfy(\.isDigit) { return "write \(text)s for seconds" }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count > 1 else { return notation(for: text).map { "write \($0)" } }
        guard parts.count < 4, parts.allSatisfy({ 1...2 ~= $0.utf8.count && $0.utf8.allSatisfy(\.isDigit) }),
            parts.dropFirst().allSatisfy({ $0.utf8.count == 2 && $0 < "60" })
        else { return nil }
        let units = ["h", "m", "s"].suffix(parts.count)
        let notation = zip(parts, units).map { "\(Int($0) ?? 0)\($1)" }.joined()
        // Two numbers can also be hours and minutes.
        return parts.count == 3 ? "write \(notation)" : "write \(notation) for minutes and seconds"
    }

    /// Returns the notation of lane files for a duration such as `5 min`, `1.5h`, `10m30` or `2 days`.
    private static func notation(for text: String) -> String? {
        var notation = ""
        var rest = text.lowercased().filter { $0 != " " }[...]
        var last = ""
        while !rest.isEmpty {
            let number = rest.prefix { $0.isASCII && $0.isNumber || $0 == "." }
            rest = rest.dropFirst(number.count)
            let word = rest.prefix { $0.isLetter }
            rest = rest.dropFirst(word.count)
            // A number without a unit counts the next smaller one.
            let found = word.isEmpty ? nil : units.first { $0.names.contains { $0.hasPrefix(word) } }?.unit
            guard let unit = found ?? (word.isEmpty ? smaller(last) : nil), let part = part(number, unit) else {
                return nil
            }
            notation += part
            last = unit
        }
        return Duration(written: notation) == nil ? nil : notation
    }

    private static func smaller(_ unit: String) -> String? { ["d": "h", "h": "m", "m": "s"][unit] }

    private static func part(_ number: Substring, _ unit: String) -> String? {
        // `Duration(written:)` accepts no larger numbers.
        guard number.utf8.count < 10 else { return nil }
        if let whole = Int(number) { return unit == "d" ? "\(whole * 24)h" : "\(whole)\(unit)" }
        let parts = number.split(separator: ".", omittingEmptySubsequences: false)
        // A tenth of an hour or minute is six of the next smaller unit, and one of a second is a hundred.
        guard let (smaller, tenth) = ["h": ("m", 6), "m": ("s", 6), "s": ("ms", 100)][unit], parts.count == 2,
            parts[1].count == 1, let whole = Int(parts[0]), let tenths = Int(parts[1])
        else { return nil }
        return (whole == 0 ? "" : "\(whole)\(unit)") + "\(tenths * tenth)\(smaller)"
    }
}
