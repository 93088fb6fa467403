package import Events

/// A parser of Swift Testing's test IDs: `Module.Suite/Inner/function(labels:)/File.swift:34:10`.
package enum SwiftTestingNames {
    /// Returns the components between slashes. A raw identifier in backticks may contain slashes.
    static func parts(of path: Bytes) -> [Bytes] {
        var parts: [Bytes] = []
        var (start, isQuoted) = (0, false)
        for index in 0..<path.count {
            if path[index] == UInt8(ascii: "`") { isQuoted.toggle() }
            if path[index] == UInt8(ascii: "/"), !isQuoted {
                parts.append(path.between(start, index))
                start = index + 1
            }
        }
        return parts + [path.from(start)]
    }

    /// Parses `Module.Suite/function(labels:)/File.swift:1:2`. Names in backticks may contain slashes.
    package static func test(id: String) -> TestID {
        var id = id
        return id.withUTF8 { test(id: Bytes($0)) }
    }

    /// Parses an ID. The last component of a function's ID is its location, which is omitted.
    static func test(id: Bytes) -> TestID {
        let dot = id.firstIndex(of: UInt8(ascii: "."))
        let module = dot.map { id.upTo($0).string } ?? ""
        var path = parts(of: id.from(dot.map { $0 + 1 } ?? 0))
        if path.count > 1, isPlace(path[path.count - 1]) { path.removeLast() }
        let suite = path.dropLast().map(\.string).joined(separator: "/")
        return TestID(library: .swiftTesting, module: module, suite: suite, name: path[path.count - 1].string)
    }

    /// Returns the IDs of the suites that contain a test, outermost first.
    package static func suites(around test: TestID) -> [String] {
        guard !test.suite.isEmpty else { return [] }
        var suite = test.suite
        return suite.withUTF8 { text in
            var id = test.module
            return parts(of: Bytes(text)).enumerated().map { index, part in
                id += (index == 0 ? "." : "/") + part.string
                return id
            }
        }
    }

    private static func isPlace(_ text: Bytes) -> Bool {
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")), let line = text.number(at: colon + 1) else {
            return false
        }
        return text[line.end] == UInt8(ascii: ":") && text.number(at: line.end + 1)?.end == text.count
    }

    /// Returns `n → 2` and `params(_:)` from `Test case passing 1 argument n → 2 to params(_:) started.`, or from Swift
    /// 6.1's `Passing 1 argument n → 2 to params(_:)`.
    static func argument(ofCaseStart text: Bytes) -> (argument: Bytes, test: Bytes)? {
        let isLong = text.hasPrefix("Test case passing ") && text.hasSuffix(" started.")
        guard isLong || text.hasPrefix("Passing "), let count = text.number(at: isLong ? 18 : 8),
            text.matches(" argument", at: count.end)
        else { return nil }
        let start = count.end + (text.matches(" arguments ", at: count.end) ? 11 : 10)
        let body = text.between(start, isLong ? text.count - 9 : text.count)
        if body.hasSuffix("')"), let aka = body.lastIndex(of: " (aka '"),
            let to = body.upTo(aka).lastIndex(of: " to \"")
        {
            return (body.upTo(to), body.between(aka + 7, body.count - 2))
        }
        if body.hasSuffix("\""), let to = body.lastIndex(of: " to \"") {
            return (body.upTo(to), body.between(to + 5, body.count - 1))
        }
        return body.lastIndex(of: " to ").map { (body.upTo($0), body.from($0 + 4)) }
    }
}
