/// Returns a number with separated thousands: `5,000`.
func grouped(_ number: Int) -> String {
    let digits = Array(String(abs(number)))
    var text = number < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
        if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
        text.append(digit)
    }
    return text
}

/// Returns a number and a noun: `1 test`, `5,000 tests`.
func grouped(_ number: Int, _ noun: String) -> String {
    "\(grouped(number)) \(number == 1 ? noun : noun + "s")"
}

/// Returns a size in decimal units: `812 bytes`, `1.2 MB`.
func sizeText(_ bytes: Int) -> String {
    guard bytes >= 1000 else { return "\(bytes) bytes" }
    var tenths = bytes / 100
    for unit in ["kB", "MB", "GB"] {
        if tenths < 10_000 || unit == "GB" { return "\(tenths / 10).\(tenths % 10) \(unit)" }
        tenths /= 1000
    }
    return "\(bytes) bytes"
}
