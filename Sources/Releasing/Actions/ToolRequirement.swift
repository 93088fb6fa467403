import Text

/// A required version of a tool: `6.3` for 6.3 and its patch versions, `>= 6.2` for that or later.
struct ToolRequirement: Equatable {
    private let numbers: [Int]
    private let orLater: Bool

    init?(_ text: String) {
        orLater = text.hasPrefix(">=")
        let parts = text.utf8.drop { ">= ".utf8.contains($0) }
            .split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        numbers = parts.compactMap { Int(Substring($0)) }
        guard !parts.isEmpty, numbers.count == parts.count else { return nil }
    }

    /// Returns a Boolean value that indicates whether a tool's version line meets the requirement. The first number
    /// with a period in the line is the version.
    func isMet(by line: String) -> Bool {
        let stop = UInt8(ascii: ".")
        let words = line.utf8.split { !$0.isDigit && $0 != stop }
        guard let word = words.first(where: { $0.contains(stop) && $0.first != stop }) else { return false }
        let found = word.split(separator: stop).compactMap { Int(Substring($0)) }
        let known = Array(found.prefix(numbers.count))
        return orLater ? !found.lexicographicallyPrecedes(numbers) : known == numbers
    }
}
