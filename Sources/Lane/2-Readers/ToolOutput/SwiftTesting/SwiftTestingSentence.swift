import Text

/// The line grammar of Swift Testing's console output. It matches words, because the symbols differ between platforms.
struct SwiftTestingSentence {
    enum Kind {
        case runStarted
        /// The summary, such as `Test run with 29 tests in 5 suites failed after …`.
        case runEnded(tests: Int, suites: Int, duration: Duration, hasFailed: Bool)
        case iteration(Int)
        case testStarted, testPassed, testFailed, testSkipped, testCancelled
        case issue(TestIssueWord)
        case caseStarted
        /// Suites and attachments, which are not reported.
        case other
    }

    enum TestIssueWord {
        case issue, known, warning
    }

    let kind: Kind
    /// The name of the test: the function's name, or the display name without quotes if the line contains no function.
    var name = Bytes(UnsafeRawBufferPointer(start: nil, count: 0))
    /// A Boolean value that indicates whether the name is that of a suite.
    var isOfSuite = false
    /// The text after the verb.
    var rest = Bytes(UnsafeRawBufferPointer(start: nil, count: 0))

    /// Parses a line without its symbol.
    @inline(__always)
    init?(_ text: Bytes) {
        if text.hasPrefix("Test ") {
            if let sentence = Self.test(text) { self = sentence } else { return nil }
        } else if text.hasPrefix("Passing "), let count = text.number(at: 8), text.matches(" argument", at: count.end) {
            self.init(kind: .caseStarted, rest: text)
        } else if text.hasPrefix("Suite "), let issue = Self.suiteIssue(text) {
            self = issue
        } else if let kind = Self.rare(text) {
            self.init(kind: kind)
        } else {
            return nil
        }
    }

    /// The text in place of the name for an issue outside any test.
    static var unknownTest: StaticString { "«unknown»" }

    private init(kind: Kind, name: Bytes? = nil, rest: Bytes? = nil) {
        self.kind = kind
        if let name { self.name = name }
        if let rest { self.rest = rest }
    }

    @inline(__always)
    private static func test(_ text: Bytes) -> SwiftTestingSentence? {
        guard text[5] != UInt8(ascii: "\"") else { return quotedTest(text) }
        guard let space = text.firstIndex(of: 0x20, from: 5) else { return nil }
        let name = text.between(5, space)
        if text.matches("case passing ", at: 5) {
            if text.hasSuffix(" started.") { return SwiftTestingSentence(kind: .caseStarted, rest: text) }
            let isEnd = text.lastIndex(of: " passed after ") != nil || text.lastIndex(of: " failed after ") != nil
            return isEnd ? SwiftTestingSentence(kind: .other) : nil
        }
        if text.matches("run ", at: 5) { return run(text) }
        guard name[name.count - 1] == UInt8(ascii: ")") || name.equals(unknownTest) else { return nil }
        return predicate(text, name, at: space + 1)
    }

    /// Parses a quoted display name, which may contain any characters. It ends before a verb, or before the name of the
    /// function in verbose runs.
    private static func quotedTest(_ text: Bytes) -> SwiftTestingSentence? {
        var from = 6
        while let quote = text.firstIndex(of: UInt8(ascii: "\""), from: from) {
            if text.matches(" (aka '", at: quote + 1), let end = text.firstIndex(of: "') ", from: quote + 8),
                let sentence = predicate(text, text.between(quote + 8, end), at: end + 3)
            {
                return sentence
            }
            if text[quote + 1] == 0x20, let sentence = predicate(text, text.between(6, quote), at: quote + 2) {
                return sentence
            }
            from = quote + 1
        }
        return nil
    }

    @inline(__always)
    private static func predicate(_ text: Bytes, _ name: Bytes, at index: Int) -> SwiftTestingSentence? {
        var verb = index
        if text.matches("with ", at: verb), let count = text.number(at: verb + 5),
            text.matches(" test case", at: count.end), let space = text.firstIndex(of: 0x20, from: count.end + 6)
        {
            verb = space + 1
        }
        if text.matches("started.", at: verb), verb + 8 == text.count {
            return SwiftTestingSentence(kind: .testStarted, name: name)
        }
        if text.matches("passed after ", at: verb) {
            return SwiftTestingSentence(kind: .testPassed, name: name, rest: text.from(verb + 13))
        }
        if text.matches("failed after ", at: verb) {
            return SwiftTestingSentence(kind: .testFailed, name: name, rest: text.from(verb + 13))
        }
        if text.matches("skipped", at: verb), text[verb + 7] == UInt8(ascii: ".") || text[verb + 7] == UInt8(ascii: ":")
        {
            return SwiftTestingSentence(kind: .testSkipped, name: name, rest: text.from(verb + 7))
        }
        if text.matches("was cancelled after ", at: verb) {
            return SwiftTestingSentence(kind: .testCancelled, name: name, rest: text.from(verb + 20))
        }
        guard text.matches("recorded a", at: verb) else { return nil }
        return issue(text, name, at: verb + 9)
    }

    private static func issue(_ text: Bytes, _ name: Bytes, at index: Int) -> SwiftTestingSentence? {
        let words: [(StaticString, TestIssueWord)] = [
            ("an issue", .issue), ("a known issue", .known), ("a warning", .warning), ("a known warning", .known),
        ]
        for (word, kind) in words where text.matches(word, at: index) {
            return SwiftTestingSentence(kind: .issue(kind), name: name, rest: text.from(index + word.utf8CodeUnitCount))
        }
        return nil
    }

    /// Parses `Suite X recorded an issue …`. A display name is in quotes, and a raw identifier may contain spaces.
    private static func suiteIssue(_ text: Bytes) -> SwiftTestingSentence? {
        guard let mark = text.firstIndex(of: " recorded a", from: 6),
            var sentence = issue(text, text.between(6, mark), at: mark + 10)
        else { return nil }
        if sentence.name[0] == UInt8(ascii: "\""), sentence.name.hasSuffix("\"") {
            sentence.name = sentence.name.between(1, sentence.name.count - 1)
        }
        sentence.isOfSuite = true
        return sentence
    }

    /// A Boolean value that indicates whether a quoted reason continues in the next line.
    var isOpen: Bool {
        switch kind {
        case .testSkipped, .testCancelled:
            guard let quote = rest.firstIndex(of: ": \"") else { return false }
            return !rest.hasSuffix("\"") || rest.count == quote + 3
        default: return false
        }
    }

    /// Returns a Boolean value that indicates whether a line without its symbol may be the first line of a sentence,
    /// because display names and arguments may contain line breaks.
    static func mayBegin(_ text: Bytes) -> Bool {
        text.hasPrefix("Test \"") || text.hasPrefix("Suite \"") || text.hasPrefix("Test case passing ")
    }

    private static func run(_ text: Bytes) -> SwiftTestingSentence? {
        if text.equals("Test run started.") { return SwiftTestingSentence(kind: .runStarted) }
        guard text.hasPrefix("Test run with "), let tests = text.number(at: 14),
            let after = text.firstIndex(of: "ed after ", from: tests.end)
        else { return nil }
        let hasFailed = text.upTo(after).hasSuffix(" fail")
        guard hasFailed || text.upTo(after).hasSuffix(" pass") else { return nil }
        // Swift 6.1 and earlier do not print the number of suites.
        let suites = text.firstIndex(of: " in ", from: tests.end).flatMap { $0 < after ? text.number(at: $0 + 4) : nil }
        return SwiftTestingSentence(
            kind: .runEnded(
                tests: tests.value, suites: suites?.value ?? 0,
                duration: text.seconds(at: after + 9)?.value ?? .zero, hasFailed: hasFailed))
    }

    private static func rare(_ text: Bytes) -> Kind? {
        if text.hasPrefix("Suite ") {
            let isEnd = text.firstIndex(of: " passed after ") != nil || text.firstIndex(of: " failed after ") != nil
            let isStart = text.hasSuffix(" started.")
            return isStart || isEnd || text.firstIndex(of: " skipped") != nil ? .other : nil
        }
        if text.hasPrefix("Attached '") { return .other }
        guard text.hasPrefix("Iteration "), let number = text.number(at: 10) else { return nil }
        if text.matches(" started.", at: number.end) { return .iteration(number.value) }
        return text.matches(" ended after ", at: number.end) ? .other : nil
    }
}

extension Bytes {
    /// Returns the length of a symbol of Windows in ASCII and the space after it, or 0 if there is none.
    var asciiSymbol: Int {
        let byte = self[0]
        return byte > 0x20 && byte < 0x7F && !byte.isAlphanumeric && self[1] == 0x20 ? 2 : 0
    }

    /// Returns the length of Swift Testing's symbol and the space after it, or 0 if there is none.
    ///
    /// A symbol is one character outside ASCII, with an optional variation selector. Apple's symbols are followed by
    /// two spaces.
    @inline(__always)
    func symbol(at index: Int) -> Int {
        let length = characterLength(at: index)
        guard length > 0 else { return 0 }
        let end = matches("\u{FE0E}", at: index + length) ? index + length + 3 : index + length
        guard self[end] == 0x20 else { return 0 }
        return (self[end + 1] == 0x20 ? end + 2 : end + 1) - index
    }

    @inline(__always)
    private func characterLength(at index: Int) -> Int {
        switch self[index] {
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: 0
        }
    }
}
