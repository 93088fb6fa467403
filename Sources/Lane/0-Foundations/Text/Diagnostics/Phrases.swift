/// Returns a number with its noun in the singular or plural, such as `1 test` or `2 tests`.
package func count(_ number: Int, _ singular: String, _ plural: String? = nil) -> String {
    number == 1 ? "1 \(singular)" : "\(number) \(plural ?? singular + "s")"
}

/// Returns the words as a list such as `a`, `a or b`, or `a, b or c`.
package func list(_ words: [String], joinedBy conjunction: String = "or") -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " \(conjunction) \(last)"
}

/// Returns a list of the first three names in quotes, such as `'a' or 'b'`. The list of more than three names ends in
/// `or others`.
package func list(firstOf names: [String], joinedBy conjunction: String) -> String {
    list(names.prefix(3).map { "'\($0)'" } + (names.count > 3 ? ["others"] : []), joinedBy: conjunction)
}
