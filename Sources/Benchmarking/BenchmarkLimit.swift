/// The maximum of a measurement: a quantity, or a multiple of the measurement of a peer.
struct BenchmarkLimit: Sendable, Equatable {
    enum Reference: Sendable, Equatable {
        /// The name of a peer.
        case peer(String)
        case quantity(Measure.Unit)
    }

    let reference: Reference
    /// The maximum ratio, or the maximum in seconds, instructions or bytes.
    let maximum: Double
    /// The limit as it is written.
    let text: String

    private static let units: [(name: String, unit: Measure.Unit, size: Double)] = [
        ("s", .seconds, 1), ("ms", .seconds, 1e-3), ("instructions", .instructions, 1),
        ("M instructions", .instructions, 1e6), ("MiB", .bytes, 1_048_576),
    ]

    /// Parses `1.5 x gzip` or `10 MiB`. Returns `nil` if the text is not a positive number with one of these forms.
    init?(_ text: String) {
        let words = text.split(separator: " ", maxSplits: 1)
        guard words.count == 2, let number = Double(words[0]), number > 0, number.isFinite else { return nil }
        self.text = text
        if let unit = Self.units.first(where: { $0.name == words[1] }) {
            reference = .quantity(unit.unit)
            maximum = number * unit.size
        } else if words[1].hasPrefix("x "), words[1].count > 2 {
            reference = .peer(String(words[1].dropFirst(2)))
            maximum = number
        } else {
            return nil
        }
    }

    /// Returns the contradiction between the limit and the other settings, or `nil` if there is none.
    func problem(_ measure: Measure, peers: [String]) -> String? {
        switch reference {
        case .peer(let name):
            peers.contains(name) ? nil : "'at-most' names '\(name)', which is not among the 'peers'"
        case .quantity(let unit):
            measure.unit == unit
                ? nil : "the limit '\(text)' in 'at-most' is not in the unit of 'measure: \(measure.rawValue)'"
        }
    }
}
