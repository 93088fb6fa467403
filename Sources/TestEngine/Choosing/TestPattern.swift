import LaneEvents

/// One `--filter` or `--skip`: a name, a glob or a regular expression.
///
/// - `MathTests`, `Demo.MathTests/testAdd`, `two words`: a name. If it is the whole name of tests it means just those,
///   else every test that has it somewhere in its name.
/// - `*.MathTests/test*`, `MathTests/test?`: a glob over the whole name.
/// - `/…/`, or anything with `^`, `$`, `|`, `\` or `.*` in it: a regular expression, found anywhere. So is what has
///   brackets, braces or `+` in it, as `swift test` takes it, where it is no name.
///
/// A test's names are `Module.Suite/name`, the same without the module, its display name and those of the suites around
/// it, and for Swift Testing `name/File.swift:line:column` too.
struct TestPattern {
    private enum Form {
        case name(String)
        case glob([UInt8])
        case expression(RegularExpression)
    }

    let text: String
    private let form: Form

    init(_ text: String) throws(TestEngineFailure) {
        self.text = text
        let isDelimited = text.count > 2 && text.hasPrefix("/") && text.hasSuffix("/")
        let looksLikeExpression = text.contains(".*") || text.utf8.contains { #"^$|\"#.utf8.contains($0) }
        if isDelimited || looksLikeExpression {
            do throws(RegularExpression.Malformed) {
                form = .expression(try RegularExpression(isDelimited ? String(text.dropFirst().dropLast()) : text))
            } catch {
                throw .badPattern(text, reason: error.reason)
            }
        } else if text.utf8.contains(where: { "*?".utf8.contains($0) }) {
            form = .glob(Array(text.utf8))
        } else {
            form = .name(text)
        }
    }

    /// The tests that it matches, as their places in `tests`.
    func matches(in tests: [ListedTest]) throws(TestEngineFailure) -> [Int] {
        let found = literalMatches(in: tests)
        guard found.isEmpty, mayBeExpression else { return found }
        let expression: RegularExpression
        do throws(RegularExpression.Malformed) {
            expression = try RegularExpression(text)
        } catch {
            throw .badPattern(text, reason: error.reason)
        }
        return tests.indices.filter { tests[$0].names.contains(where: expression.matches) }
    }

    private var mayBeExpression: Bool {
        if case .expression = form { return false }
        return text.utf8.contains { "()[]{}+".utf8.contains($0) }
    }

    private func literalMatches(in tests: [ListedTest]) -> [Int] {
        switch form {
        case .name(let name):
            let whole = tests.indices.filter { tests[$0].names.contains(name) }
            return whole.isEmpty ? tests.indices.filter { tests[$0].names.contains { $0.contains(name) } } : whole
        case .glob(let glob):
            return tests.indices.filter { tests[$0].names.contains { Self.glob(glob, matches: Array($0.utf8)) } }
        case .expression(let expression):
            return tests.indices.filter { tests[$0].names.contains(where: expression.matches) }
        }
    }

    /// `*` is any run of bytes, `?` is one byte; linear but for the last star, to which it goes back.
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
