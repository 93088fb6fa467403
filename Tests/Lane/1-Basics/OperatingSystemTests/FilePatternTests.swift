import CLibrary
import OperatingSystem
import TestSupport
import Testing

/// Tests that compare patterns with a slow recursive implementation.
@Suite struct FilePatternTests {
    private static let files = ["", "a/", "a/b/", "a/b/ab/", "ab/", "ab/a/", ".h/", "a/.h/"].flatMap { directory in
        ["x", "xy", ".x"].map { directory + $0 }
    }
    private static let parts: [String] = [
        "*", "**", "?", "a", "b", "a*", "*b", "[ab]", "[!a]", "x", "x*", "*x*", "?y", "[w-y]", ".*", ".h", "h", ".",
    ]

    @Test func matchesAgreeWithARecursiveImplementation() throws {
        let directory = try TemporaryDirectory()
        for file in Self.files { try directory.write("", to: file) }
        let patterns = Generator<String>.element(of: Self.parts).array(count: 1...5).map { $0.joined(separator: "/") }
            .filter { $0.utf8.contains { "*?[".utf8.contains($0) } }
        checkProperty("patterns meet what they say", patterns, cases: 2_000) { pattern in
            let meant = pattern.split(separator: "/").filter { $0 != "." }
            let expected = Self.files.filter { Self.isMet($0.split(separator: "/")[...], by: meant[...]) }
            let found = FilePattern(pattern).files(below: directory.path)
            return try expectEqual(found, expected.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }, "files")
        }
    }

    @Test(arguments: ["in/*", "in/**", "in/*/*", "*/*"])
    func linksToAParentAreNotFollowed(_ pattern: String) throws {
        let directory = try TemporaryDirectory()
        try directory.write("", to: "in/a.txt")
        try directory.write("", to: "in/deep/b.txt")
        for (target, link) in [("..", "in/up"), (".", "in/here"), ("../..", "in/deep/up")] {
            #expect(symlink(target, "\(directory.path)/\(link)") == 0)
        }
        let found = FilePattern(pattern).files(below: directory.path).filter {
            fileKind("\(directory.path)/\($0)") == .file
        }
        let all = ["in/a.txt", "in/deep/b.txt"]
        #expect(found == (pattern == "in/*/*" ? ["in/deep/b.txt"] : all))
    }

    private static func isMet(_ path: ArraySlice<Substring>, by parts: ArraySlice<Substring>) -> Bool {
        guard let part = parts.first else { return path.allSatisfy { $0.first != "." } }
        guard let name = path.first else { return false }
        if part == "**" {
            let isLast = parts.count == 1
            if isLast { return path.allSatisfy { $0.first != "." } }
            return isMet(path, by: parts.dropFirst())
                || path.count > 1 && name.first != "." && isMet(path.dropFirst(), by: parts)
        }
        return fits(name[...], part[...]) && isMet(path.dropFirst(), by: parts.dropFirst())
    }

    private static func fits(_ name: Substring, _ part: Substring) -> Bool {
        (name.first != "." || part.first == ".") && takes(name, part)
    }

    private static func takes(_ name: Substring, _ part: Substring) -> Bool {
        guard let sign = part.first else { return name.isEmpty }
        if sign == "*" { return takes(name, part.dropFirst()) || !name.isEmpty && takes(name.dropFirst(), part) }
        guard let letter = name.first else { return false }
        if sign == "[", let end = part.firstIndex(of: "]") {
            let listed =
                switch part[..<end].dropFirst() {
                case "ab": "ab".contains(letter)
                case "!a": letter != "a"
                default: ("w"..."y").contains(letter)
                }
            return listed && takes(name.dropFirst(), part[end...].dropFirst())
        }
        return (sign == "?" || sign == letter) && takes(name.dropFirst(), part.dropFirst())
    }

    @Test func manyBracesAreAName() throws {
        let directory = try TemporaryDirectory()
        try directory.write("", to: "abab")
        let few = FilePattern(String(repeating: "{a,b}", count: 4))
        #expect(few.files(below: directory.path) == ["abab"])
        // Alternatives add up, although they contain braces.
        let nested = "{\((0..<16).map { "\($0){x,y}" }.joined(separator: ",")),abab}"
        #expect(FilePattern(nested).files(below: directory.path) == ["abab"])
        let many = String(repeating: "{a,b}", count: 40)
        #expect(FilePattern(many).files(below: directory.path) == [many])
        let empty = String(repeating: "{}", count: 100_000)
        #expect(FilePattern(empty).literal == empty)
    }

    @Test(arguments: [
        ("{a}{b,c}", ["{a}b", "{a}c"]), ("{{a,b}}", ["{{a,b}}"]), ("x{,y}z", ["xyz", "xz"]), ("}{b,c}{d}", ["}b{d}"]),
        ("{a{b,c},d}", ["ab", "ac", "d"]), ("{b,c}-{b,c}", ["b-c", "c-b"]),
    ])
    func bracesWithCommasAreAlternatives(_ pattern: String, _ expected: [String]) throws {
        let directory = try TemporaryDirectory()
        for name in expected { try directory.write("", to: name) }
        #expect(FilePattern(pattern).files(below: directory.path) == expected)
    }
}
