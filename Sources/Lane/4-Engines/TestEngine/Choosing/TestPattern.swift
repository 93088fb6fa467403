import Text

/// A pattern of `--filter` or `--skip`: a name, a glob or a regular expression.
///
/// - `MathTests`, `Demo.MathTests/testAdd`, `two words`: a name. It matches the tests with exactly this name, or if
///   there are none, all tests whose name contains it.
/// - `*.MathTests/test*`, `MathTests/test?`: a glob for the whole name.
/// - `/…/`, or any pattern that contains `^`, `$`, `|`, `\` or `.*`: a regular expression that is searched in the name.
///   A pattern with brackets, braces or `+` is also a regular expression, as in `swift test`, unless it is a name.
///
/// The names of a test are `Module.Suite/name`, `Suite/name`, its display name, the display names of its suites, and
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
            let glob = Glob(text.utf8, hasClasses: false)
            found = places { glob.matches(Array($0.utf8)) }
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
}
