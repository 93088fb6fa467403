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

        #if arch(x86_64)
            private func helper() -> Int { 3 }
        #endif

        protocol Shape { func area() -> Int }

        extension Shape {
            func twice() -> some Equatable { area() * 2 }
        }
        """

    private func change(from old: String? = Self.source, to new: String?) throws -> SourceChange {
        let outlines = [old, new].map { $0.map { SwiftOutline(Array($0.utf8), definitions: ["OPTION"]) } }
        try #require(!outlines.contains { $0.map { $0 == nil } ?? false }, "declarations cannot be distinguished")
        return SourceChange(from: outlines[0] ?? nil, to: outlines[1] ?? nil)
    }

    private func replacing(_ old: String, with new: String) throws -> String {
        try #require(Self.source.contains(old))
        return Self.source.split(separator: old, omittingEmptySubsequences: false).joined(separator: new)
    }

    /// The names and kinds of the changed declarations.
    private func declarations(_ change: SourceChange) -> Set<String> {
        Set(
            change.declarations.map {
                $0.declaration.names.isEmpty ? "\($0.declaration.kind)" : "\($0.declaration.names.sorted())"
            })
    }

    @Test(arguments: [
        ("/// A scanner.", "/* A better scanner. */\n"), ("    // The next byte.\n", ""),
        ("count {", "count {  // all"), ("    return true", "return   true"),
        ("#if arch(x86_64)", "#if os(Windows)\n    func other() {}\n#endif\n#if arch(x86_64)"),
    ])
    func commentsAndInactiveCodeAreNoChange(_ old: String, _ new: String) throws {
        let change = try change(to: replacing(old, with: new))
        #expect(change.bodies.isEmpty && change.declarations.isEmpty)
    }

    @Test(arguments: [
        ("self.text = text", "self.text = text + []", 8), ("text[place]", "text[place + 1]", 11),
        ("place + 1 }", "place }", 14),
        ("newValue - 1", "newValue", 15), ("return true", "return false", 23), (#"\n"#, #"\t"#, 23),
        ("(next ?? 0)", "(next ?? 1)", 23), ("place += 1", "place += -1", 23), ("{ 3 }", "{ 4 }", 32),
        ("return true", "#if OPTION\n  place = 0\n#endif\n return true", 23),
    ])
    func bodiesAreNamedByTheirOldLines(_ old: String, _ new: String, line: Int) throws {
        let change = try change(to: replacing(old, with: new))
        #expect(change.declarations.isEmpty)
        #expect(change.bodies.map(\.lowerBound) == [line])
    }

    private static let others: [(old: String, new: String, expected: Set<String>)] = [
        ("import Files", "import Text", ["import"]), ("place = 0", "place = 1", [#"["place"]"#, #"["text"]"#]),
        (": Sendable", ": Sendable, Equatable", [#"["Scanner"]"#]), ("{ 1 }()", "{ 2 }()", [#"["initial"]"#]),
        ("{ 2 }()", "{ 1 }()", [#"["skip"]"#]), ("*, deprecated", "*, unavailable", [#"["skip"]"#]),
        ("area() * 2", "area() * 3", [#"["twice"]"#]), ("arch(x86_64)", "arch(arm64)", [#"["helper"]"#]),
        ("set {", "didSet {", [#"["line"]"#, #"["initial"]"#]), ("twice", "double", [#"["double"]"#, #"["twice"]"#]),
        ("func area() -> Int", "func area() -> Int8", [#"["Shape"]"#]), ("init(", "init?(", ["part"]),
        ("{ 3 }", "{ 3 }; let c = 1", [#"["c"]"#, #"["helper"]"#]),
        ("struct Scanner", "final class Scanner", [#"["Scanner"]"#]),
        ("#if arch(x86_64)", "infix operator ***\n#if arch(x86_64)", ["other"]),
        ("#if arch(x86_64)", "#unknown(1)\n#if arch(x86_64)", ["other"]),
    ]

    @Test(arguments: others)
    func otherChangesAreDeclarations(_ old: String, _ new: String, expected: Set<String>) throws {
        #expect(try declarations(change(to: replacing(old, with: new))) == expected)
    }

    @Test func theOrderOfPropertiesAndCasesCounts() throws {
        for (old, new) in [
            ("struct A { var a = 0\nvar b = 1 }", "struct A { var b = 1\nvar a = 0 }"),
            ("enum A { case a\ncase b }", "enum A { case b\ncase a }"),
        ] {
            #expect(try !change(from: old, to: new).declarations.isEmpty)
        }
        let functions = try change(from: "func a() {}\nfunc b() {}", to: "func b() {}\nfunc a() {}")
        #expect(functions.declarations.isEmpty && functions.bodies.isEmpty)
    }

    @Test func listsDeclareAllTheirNames() throws {
        for (text, names) in [
            ("let a = 1, b = f(2, 3)", ["a", "b"]), ("var (a, b) = (c, d)", ["a", "b"]),
            ("enum E { case a(Int, Int), b }", ["E", "a", "b"]),
        ] {
            let outline = try #require(SwiftOutline(Array(text.utf8)))
            #expect(outline.declarations.reduce(into: Set<String>()) { $0.formUnion($1.names) } == Set(names))
        }
    }

    @Test func modifiersMayBeNames() throws {
        for text in [
            "enum E {\n    case open\n    case other\n}", "struct S {\n  var a: A = .optional\n  @B() var b = 1\n}",
        ] {
            let outline = try #require(SwiftOutline(Array(text.utf8)))
            #expect(outline.declarations.map(\.names.count) == [1, 1, 1])
        }
    }

    @Test(arguments: ["func a() { (]", "let a = prefix\nfunc b() {}", "#endif"])
    func unclearDeclarationsHaveNoOutline(_ text: String) {
        #expect(SwiftOutline(Array(text.utf8)) == nil)
    }

    @Test(arguments: [
        ("func a() { b(#line) }", false), ("let a = #line", true), (#"let a = "\(#line)""#, true),
        ("#sourceLocation(file: \"a\", line: 1)", true), ("func a(line: Int = #line) {}", false), ("let a = 1", false),
    ])
    func codeMayDependOnLines(_ text: String, _ expected: Bool) throws {
        #expect(try #require(SwiftOutline(Array(text.utf8))).dependsOnLines == expected)
    }

    @Test func anyTextHasAnOutlineOrNone() {
        let bytes = Array(Self.source.utf8)
        let original = SwiftOutline(bytes)
        for seed in 0..<200 {
            let (start, count) = (seed * 7919 % bytes.count, seed * 31 % 17)
            let changed = SwiftOutline(Array(bytes[..<start] + bytes[min(start + count, bytes.count)...]))
            let change = SourceChange(from: original, to: changed)
            if count == 0 { #expect(change.bodies.isEmpty && change.declarations.isEmpty) }
        }
    }
}
