import Text

extension Duration {
    /// The units of lane files, each with its full names in other notations.
    private static let units: [(unit: String, names: [String])] = [
        ("s", ["seconds", "secs"]), ("m", ["minutes", "mins"]), ("h", ["hours", "hrs"]), ("d", ["days"]),
        ("ms", ["ms", "milliseconds"]),
    ]

    /// Returns the notation of lane files for a duration such as `5 min`, `1.5h`, `10m30` or `2 days`, or `nil` for any
    /// other text.
    static func notation(for text: String) -> String? {
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
        // A tenth of an hour or minute is six of the next smaller unit.
        guard unit == "h" || unit == "m", parts.count == 2, parts[1].count == 1, let whole = Int(parts[0]),
            let tenths = Int(parts[1]), let smaller = smaller(unit)
        else { return nil }
        return (whole == 0 ? "" : "\(whole)\(unit)") + "\(tenths * 6)\(smaller)"
    }
}
