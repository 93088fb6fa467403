import Testing

@testable import ChangeImpact

@Suite struct SourceChangeTests {
    private static let source = """
        import Files

        /// A scanner.
        struct Scanner: Sendable {
            var place = 0
            let text: [UInt8]

            init(_ text: [UInt8]) { self.text = text }

            // The next byte.
            var next: UInt8? { place < text.count ? text[place] : nil }

            var line: Int {
                get { place + 1 }
                set {
                    place = newValue - 1
                }
            }

            var initial = { 1 }()

            @available(*, deprecated)
            mutating func skip(_ count: Int = { 2 }()) -> Bool {
                for _ in 0..<count {
                    if "\\(next ?? 0) }" == "\\n" { place += 1 }
                }
                return true
            }
        }

        #if os(Linux)
            private func helper() -> Int { 3 }
        #endif

        protocol Shape { func area() -> Int }

        extension Shape {
            func twice() -> some Equatable { area() * 2 }
        }
        """

    private func change(
        from old: String? = Self.source, to new: String?, before: Set<String> = [], after: Set<String> = [],
        imports: Set<String> = []
    ) -> SourceChange {
        SourceChange(
            from: old.map { Array($0.utf8) }, to: new.map { Array($0.utf8) },
            in: .init(usedBefore: before.contains, usedAfter: after.contains, imports: imports))
    }

    private func replacing(_ old: String, with new: String) throws -> String {
        try #require(Self.source.contains(old))
        return Self.source.split(separator: old, omittingEmptySubsequences: false).joined(separator: new)
    }

    @Test(arguments: [
        ("/// A scanner.", "/* A better scanner. */\n"), ("    // The next byte.\n", ""),
        ("count {", "count {  // all"),
        ("    return true", "return   true"),
    ])
    func commentsAndSpacesAreNoChange(_ old: String, _ new: String) throws {
        #expect(try change(to: replacing(old, with: new)) == .bodies([]))
    }

    @Test(arguments: [
        ("self.text = text", "self.text = text + []", 8), ("text[place]", "text[place + 1]", 11),
        ("place + 1 }", "place }", 14),
        ("newValue - 1", "newValue", 15), ("return true", "return false", 23), (#"\n"#, #"\t"#, 23),
        ("(next ?? 0)", "(next ?? 1)", 23), ("place += 1", "place += -1", 23), ("{ 3 }", "{ 4 }", 32),
    ])
    func bodiesAreNamedByTheirOldLines(_ old: String, _ new: String, line: Int) throws {
        guard case .bodies(let lines) = try change(to: replacing(old, with: new)) else {
            Issue.record("more than a body differs")
            return
        }
        #expect(lines.map(\.lowerBound) == [line])
    }

    @Test(arguments: [
        ("import Files", "import Text"), ("place = 0", "place = 1"), (": Sendable", ": Sendable, Equatable"),
        ("{ 1 }()", "{ 2 }()"), ("{ 2 }()", "{ 1 }()"), ("*, deprecated", "*, unavailable"), ("-> Bool", "-> Bool?"),
        ("area() * 2", "area() * 3"), ("os(Linux)", "os(macOS)"), ("set {", "didSet {"), ("twice", "double"),
        ("func area() -> Int", "func area() -> Int8"), ("= { 1 }", "={ 1 }"), ("    }\n}\n\n#if", "    \n}\n\n#if"),
        ("var place", "let line = #line; var place"), ("init(", "init?("), ("{ 3 }", "{ 3 }; let c = 1"),
    ])
    func otherChangesAreDeclarations(_ old: String, _ new: String) throws {
        let change = try change(to: replacing(old, with: new))
        guard case .declarations = change else {
            Issue.record("\(change)")
            return
        }
    }

    @Test func newNamesThatNothingUsesAreNoChange() throws {
        let additions = [
            "private func fresh() {}", "func fresh(_ value: Int) -> Int { value }",
            "@Test(arguments: [1, 2]) func fresh(_ value: Int) { check(value) }", "enum Fresh: String { case a }",
            "@Suite struct Fresh: Equatable { func a() {} }",
            "final class Fresh: XCTestCase { override func setUp() {} }",
        ]
        for text in additions {
            #expect(change(to: "\(Self.source)\n\(text)\n") == .bodies([]), "\(text)")
            #expect(change(from: "\(Self.source)\n\(text)\n", to: Self.source) == .bodies([]), "\(text)")
        }
        let inside = try replacing(
            "var initial", with: "func testFresh() { a() }\n    private func fresh() {}\n    var initial")
        #expect(change(to: inside) == .bodies([]))
    }

    @Test(arguments: [
        "func fresh() {}", "private func helper(_ a: Int) {}", "struct fresh {}", "@Observable class Fresh {}",
        "extension Scanner { func fresh() {} }", "struct Fresh { static func == (a: Self, b: Self) -> Bool { true } }",
        "let fresh = 1", "typealias Fresh = Int", "public func skip() {}", "macro fresh() = #externalMacro(a)",
        "precedencegroup Fresh { higherThan: A }", "@objc func fresh() {}",
    ])
    func newDeclarationsMayConcernOthers(_ text: String) {
        let change = change(to: "\(Self.source)\n\(text)\n", before: ["fresh"])
        guard case .declarations = change else {
            Issue.record("\(change)")
            return
        }
    }

    @Test func membersMaySatisfyRequirements() throws {
        let inside = try replacing("var initial", with: "func fresh() {}\n    var initial")
        guard case .declarations = change(to: inside) else {
            Issue.record("a member is no change")
            return
        }
    }

    @Test func newFilesAreComparedWithNothing() {
        let file = "// A file.\nimport Files\n\nstruct Fresh { func a() {} }\n\nfunc fresh() {}\n"
        #expect(change(from: nil, to: file, imports: ["Files", "Text"]) == .bodies([]))
        #expect(change(from: file, to: nil, imports: ["Files", "Text"]) == .bodies([]))
        guard case .declarations = change(from: nil, to: file) else {
            Issue.record("the import may add members to types in other files")
            return
        }
        guard case .declarations = change(from: nil, to: file, before: ["Fresh"], imports: ["Files"]) else {
            Issue.record("'Fresh' has another meaning now")
            return
        }
    }
}
