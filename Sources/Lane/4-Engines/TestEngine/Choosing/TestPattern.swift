import Events
import Text

/// A pattern of tests: a name, a glob, a regular expression or the path of a source file.
///
/// - `MathTests`, `Demo.MathTests/testAdd`, `two words`: a name. It matches the tests with exactly this name, or if
///   there are none, all tests whose name contains it. A name in backquotes can contain any character, so this applies
///   to all forms except `/…/`.
/// - `*.MathTests/test*`, `MathTests/test?`: a glob for the whole name.
/// - `Tests/DemoTests/MathTests.swift`, `MathTests.swift`, `Tests/*/Math*.swift`: the path of a source file or the end
///   of one, or a glob for the whole path. It matches the tests in the file.
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
    /// A Boolean value that indicates whether the pattern has the form `/…/`.
    private let isDelimited: Bool

    init(_ text: String) {
        self.text = text
        isDelimited = text.count > 2 && text.hasPrefix("/") && text.hasSuffix("/")
        if isDelimited {
            form = .expression(String(text.dropFirst().dropLast()))
        } else if text.contains(".*") || text.utf8.contains(where: { #"^$|\"#.utf8.contains($0) }) {
            form = .expression(text)
        } else {
            form = text.utf8.contains { "*?".utf8.contains($0) } ? .glob : .name
        }
    }

    /// Returns the indices of the tests that match one of the patterns.
    static func matches(_ patterns: [String], in tests: [ListedTest]) throws(TestEngineFailure) -> Set<Int> {
        var result: Set<Int> = []
        for pattern in patterns { result.formUnion(try TestPattern(pattern).matches(in: tests)) }
        return result
    }

    /// Returns the indices of the matching tests.
    func matches(in tests: [ListedTest]) throws(TestEngineFailure) -> [Int] {
        func places(_ isMatch: (String) -> Bool) -> [Int] {
            tests.indices.filter { tests[$0].names.contains(where: isMatch) }
        }
        let whole = places { $0 == text }
        guard whole.isEmpty else { return whole }
        let inFile = testsInFile(tests)
        guard inFile.isEmpty else { return inFile }
        if !isDelimited {
            let parts = places { $0.contains(text) }
            guard parts.isEmpty else { return parts }
        }
        let found: [Int]
        switch form {
        case .name: found = []
        case .glob:
            let glob = Glob(text.utf8, hasClasses: false)
            found = places { glob.matches(Array($0.utf8)) }
        case .expression(let pattern): return places(try expression(pattern).matches)
        }
        return found.isEmpty && mayBeExpression ? places(try expression(text).matches) : found
    }

    /// Returns the indices of the tests in the files that the pattern names. The pattern may also be an absolute path,
    /// or be relative to a directory above the package.
    private func testsInFile(_ tests: [ListedTest]) -> [Int] {
        guard text.hasSuffix(".swift") else { return [] }
        let glob = if case .glob = form { Glob(text.utf8, hasClasses: false) } else { nil as Glob? }
        return tests.indices.filter { index in
            guard let path = tests[index].info.location?.path else { return false }
            return path == text || path.hasSuffix("/\(text)") || text.hasSuffix("/\(path)")
                || glob?.matches(Array(path.utf8)) == true
        }
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
