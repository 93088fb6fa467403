import Text

/// A required version of a tool: `6.3` means 6.3 and its patch versions, `>= 6.2` means 6.2 or later.
package struct ToolRequirement: Equatable {
    private let numbers: [Int]
    private let orLater: Bool

    package init?(_ text: String) {
        orLater = text.hasPrefix(">=")
        let parts = text.utf8.dropFirst(orLater ? 2 : 0).drop { $0 == UInt8(ascii: " ") }
            .split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        numbers = parts.compactMap { Int(Substring($0)) }
        guard !parts.isEmpty, numbers.count == parts.count else { return nil }
    }

    /// Returns a Boolean value that indicates whether the output of a tool's `--version` meets the requirement. The
    /// first number with a period is the version.
    package func isMet(by line: String) -> Bool {
        let stop = UInt8(ascii: ".")
        let words = line.utf8.split { !$0.isDigit && $0 != stop }
        guard let word = words.first(where: { $0.contains(stop) && $0.first != stop }) else { return false }
        let found = word.split(separator: stop).compactMap { Int(Substring($0)) }
        let known = Array(found.prefix(numbers.count))
        return orLater ? !found.lexicographicallyPrecedes(numbers) : known == numbers
    }
}
