/// A number with at most three decimals and no trailing zeros. Halves are rounded away from zero. NaN and numbers that
/// are too large for a coordinate become 0.
struct Decimal3: Sendable {
    let text: String

    init(_ value: Double) {
        guard abs(value) <= TracePoint.largestCoordinate else {
            text = "0"
            return
        }
        let thousandths = (value * 1000).nearestInt
        let (whole, part) = thousandths.magnitude.quotientAndRemainder(dividingBy: 1000)
        var text = thousandths < 0 ? "-\(whole)" : "\(whole)"
        if part > 0 {
            let digits = String(1000 + part).dropFirst()
            text +=
                "."
                + digits.prefix(
                    digits.lastIndex { $0 != "0" }.map { digits.distance(from: digits.startIndex, to: $0) + 1 } ?? 0)
        }
        self.text = text
    }
}
