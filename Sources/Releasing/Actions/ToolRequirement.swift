/// A version that a tool must have: `6.3` for 6.3 and all its patches, `>= 6.2` for that or later.
struct ToolRequirement: Equatable {
    private let numbers: [Int]
    private let orLater: Bool

    init?(_ text: String) {
        orLater = text.hasPrefix(">=")
        let parts = text.drop { ">= ".contains($0) }.split(separator: ".", omittingEmptySubsequences: false)
        numbers = parts.compactMap { Int($0) }
        guard !parts.isEmpty, numbers.count == parts.count else { return nil }
    }

    /// `line` is what the tool prints about itself; the first number with a full stop in it counts.
    func isMet(by line: String) -> Bool {
        let words = line.split { !$0.isNumber && $0 != "." }
        guard let word = words.first(where: { $0.contains(".") && $0.first != "." }) else { return false }
        let found = word.split(separator: ".").compactMap { Int($0) }
        let known = Array(found.prefix(numbers.count))
        return orLater ? !found.lexicographicallyPrecedes(numbers) : known == numbers
    }
}
