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

/// Returns the first words and the number of the others, such as `a, b and 3 more`.
package func list(_ words: [String], most: Int) -> String {
    let more = words.count > most ? " and \(words.count - most) more" : ""
    return words.prefix(most).joined(separator: ", ") + more
}

/// Returns a text up to its first line break, which may be CR LF.
package func firstLine(of text: String) -> String { String(text.prefix { !$0.isNewline }) }

/// Returns a command or an expression in quotes: in double ones if it contains single ones.
package func inQuotes(_ text: String) -> String {
    text.utf8.contains(UInt8(ascii: "'")) ? "\"\(text)\"" : "'\(text)'"
}

/// Returns the message for an unknown name.
package func unknown(_ kind: String, _ name: String, among known: [String]) -> String {
    let hint = suggestion(for: name, among: known).map { "\nhint: \($0)" } ?? ""
    return "there is no \(kind) '\(name)': expected \(list(known))\(hint)"
}

/// Returns the candidate with the least edit distance to `word`, ignoring case, or `nil` if none is close enough for a
/// hint.
package func nearest(to word: String, among candidates: some Sequence<String>) -> String? {
    // Most words of one or two letters are one edit apart.
    let limit = word.count < 3 ? 0 : word.count / 3
    var best: (word: String, distance: Int)?
    for candidate in candidates {
        let distance = editDistance(word.lowercased(), candidate.lowercased())
        if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.word
}

/// Returns the hint "did you mean 'x'?" with the candidate that is nearest to `word`, or `nil` if none is near.
package func suggestion(for word: String, among candidates: some Sequence<String>) -> String? {
    nearest(to: word, among: candidates).map { "did you mean '\($0)'?" }
}

/// Returns the optimal string alignment distance: the least number of insertions, deletions, substitutions and
/// transpositions of adjacent bytes.
func editDistance(_ one: String, _ other: String) -> Int {
    let (left, right) = (Array(one.utf8), Array(other.utf8))
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for row in 0..<left.count {
        var current = [row + 1] + Array(repeating: 0, count: right.count)
        for column in 0..<right.count {
            let substitution = last[column] + (left[row] == right[column] ? 0 : 1)
            current[column + 1] = min(substitution, last[column + 1] + 1, current[column] + 1)
            if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                current[column + 1] = min(current[column + 1], beforeLast[column - 1] + 1)
            }
        }
        (beforeLast, last) = (last, current)
    }
    return last[right.count]
}
