import LaneEvents

/// A pattern of `--filter` or `--skip`: a name, a glob or a regular expression.
///
/// - `MathTests`, `Demo.MathTests/testAdd`, `two words`: a name. It matches the tests with exactly this name, or if
///   there are none, all tests whose name contains it.
/// - `*.MathTests/test*`, `MathTests/test?`: a glob for the whole name.
/// - `/…/`, or any pattern that contains `^`, `$`, `|`, `\` or `.*`: a regular expression that is searched in the name.
///   A pattern with brackets, braces or `+` is also a regular expression, as in `swift test`, unless it is a name.
///
/// The names of a test are `Module.Suite/name`, the same without the module, its display name, those of its suites, and
/// for Swift Testing also `name/File.swift:line:column`.
struct TestPattern {
    private enum Form {
        case name
        case glob
        case expression(String)
    }

    let text: String
    private let form: Form

    init(_ text: String) {
        self.text = text
        let isDelimited = text.count > 2 && text.hasPrefix("/") && text.hasSuffix("/")
        if isDelimited {
            form = .expression(String(text.dropFirst().dropLast()))
        } else if text.contains(".*") || text.utf8.contains(where: { #"^$|\"#.utf8.contains($0) }) {
            form = .expression(text)
        } else {
            form = text.utf8.contains { "*?".utf8.contains($0) } ? .glob : .name
        }
    }

    /// Returns the indices of the matching tests.
    func matches(in tests: [ListedTest]) throws(TestEngineFailure) -> [Int] {
        func places(_ isMatch: (String) -> Bool) -> [Int] {
            tests.indices.filter { tests[$0].names.contains(where: isMatch) }
        }
        let whole = places { $0 == text }
        guard whole.isEmpty else { return whole }
        let found: [Int]
        switch form {
        case .name: found = places { $0.contains(text) }
        case .glob:
            let glob = Array(text.utf8)
            found = places { Self.glob(glob, matches: Array($0.utf8)) }
        case .expression(let pattern): return places(try expression(pattern).matches)
        }
        return found.isEmpty && mayBeExpression ? places(try expression(text).matches) : found
    }

    private var mayBeExpression: Bool { text.utf8.contains { "()[]{}+".utf8.contains($0) } }

    private func expression(_ pattern: String) throws(TestEngineFailure) -> RegularExpression {
        do throws(RegularExpression.Malformed) {
            return try RegularExpression(pattern)
        } catch {
            throw .badPattern(text, reason: error.reason)
        }
    }

    /// Matches a glob, in which `*` is any sequence of bytes and `?` is one byte. The time is linear except for the
    /// last star.
    static func glob(_ pattern: [UInt8], matches text: [UInt8]) -> Bool {
        var (inPattern, inText) = (0, 0)
        var star: (pattern: Int, text: Int)?
        while inText < text.count {
            if inPattern < pattern.count, pattern[inPattern] == UInt8(ascii: "*") {
                star = (inPattern, inText)
                inPattern += 1
            } else if inPattern < pattern.count,
                pattern[inPattern] == UInt8(ascii: "?") || pattern[inPattern] == text[inText]
            {
                inPattern += 1
                inText += 1
            } else if let last = star {
                star = (last.pattern, last.text + 1)
                (inPattern, inText) = (last.pattern + 1, last.text + 1)
            } else {
                return false
            }
        }
        return pattern[inPattern...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}
