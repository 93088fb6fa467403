import Testing

@testable import ChangeImpact

@Suite struct ChangedNamesTests {
    private static let old = """
        struct Point: Hashable {
            var x = 0
            func moved() -> Point { Point(x: x + 1) }
            private func helper() {}
        }
        extension Point { var double: Int { x * 2 } }
        struct Line { var start = Point() }
        func length(_ line: Line) -> Int { line.start.x }
        func unrelated() -> Int { 1 }
        func caller() -> Int { unrelated() }
        func origin(_ value: Int = unrelated()) -> Int { value }
        func usesOrigin() -> Int { origin() }
        final class PointTests: XCTestCase { func testMoved() { check(Point().moved()) } }
        final class LineTests: XCTestCase { func testLength() { check(length(Line())) } }
        final class OtherTests: XCTestCase { func testOther() { check(caller()) } }
        """

    private func outline(_ text: String) throws -> SwiftOutline { try #require(SwiftOutline(Array(text.utf8))) }

    /// Returns the declarations with bodies that use a changed name, or `nil` if a change may concern others.
    private func users(_ old: String, _ new: String, imports: String = "") throws -> Set<String>? {
        let (before, after) = (try outline(old), try outline(new))
        var names = ChangedNames(
            unchanged: [try outline(imports)], old: [before], new: [after], modules: [])
        let change = SourceChange(from: before, to: after)
        for (declaration, isNew) in change.declarations where names.add(declaration, isNew: isNew) != nil { return nil }
        names.close()
        let lines = names.uses(in: before).map(\.lines)
        return before.declarations.reduce(into: []) { result, declaration in
            guard declaration.bodies.contains(where: { lines.contains($0.lines) }) else { return }
            result.formUnion(declaration.names)
        }
    }

    private func users(replacing old: String, with new: String) throws -> Set<String>? {
        try #require(Self.old.contains(old))
        return try users(
            Self.old, Self.old.split(separator: old, omittingEmptySubsequences: false).joined(separator: new))
    }

    @Test func usesOfAFunctionAreConcerned() throws {
        #expect(
            try users(replacing: "unrelated() -> Int {", with: "unrelated() -> Int8 {") == [
                "unrelated", "caller", "origin", "usesOrigin",
            ])
        #expect(try users(replacing: "func moved() -> Point", with: "func moved() -> Self") == ["moved", "testMoved"])
    }

    @Test func allCodeWithValuesOfATypeIsConcerned() throws {
        let all: Set<String> = ["moved", "helper", "double", "length", "testMoved", "testLength"]
        #expect(try users(replacing: "x = 0", with: "x = 1") == all)
        #expect(try users(replacing: "Point: Hashable", with: "Point: Equatable") == all)
        #expect(try users(replacing: "func moved", with: "func hash(into: inout Hasher) {}\nfunc moved") == all)
        #expect(try users(replacing: "func moved", with: "subscript(a: Int) -> Int { a }\nfunc moved") == all)
    }

    @Test(arguments: ["Point", "Self", "A.Point", "inout Point"])
    func anOperatorWithItsTypeConcernsCodeWithItsValues(_ operand: String) throws {
        let operators = "static func < (a: \(operand), b: Int) -> Bool { true }"
        #expect(
            try users(Self.old, "\(Self.old)\nextension Point { \(operators) }") == [
                "moved", "helper", "double", "length", "testMoved", "testLength",
            ])
        #expect(try users(Self.old, "\(Self.old)\nstruct Fresh { static func == (a: Self, b: Self) {} }") == [])
    }

    @Test func newNamesThatNothingUsesConcernNoTest() throws {
        for text in [
            "private func fresh() {}", "func fresh(_ value: Int) -> Int { value }", "let fresh = 1",
            "@Test(arguments: [1, 2]) func fresh(_ value: Int) { check(value) }", "enum Fresh: String { case a }",
            "@Suite struct Fresh: Equatable { func a() {}\nvar x = 1\ninit() {} }", "typealias Fresh = Int",
            "final class Fresh: XCTestCase { override func setUp() {} }", "extension Line { func fresh() {} }",
            "extension Sequence { func fresh() {} }",
        ] {
            #expect(try users(Self.old, "\(Self.old)\n\(text)\n") == [], "\(text)")
            #expect(
                try users("\(Self.old)\n\(text)\n", Self.old)?.subtracting(["fresh", "a", "setUp"]) == [], "\(text)")
        }
        #expect(try users(replacing: "func testLength", with: "func testFresh() { a() }\nfunc testLength") == [])
        #expect(try users(replacing: "private func", with: "private func next() {}\nprivate func") == [])
    }

    @Test(arguments: [
        "import Fresh", "macro fresh() = #externalMacro(a)", "precedencegroup Fresh { higherThan: A }",
        "@Observable class Fresh {}", "@objc func fresh() {}", "extension Array: Fresh {}",
        "func == (a: Point, b: Point) -> Bool { true }",
        "extension Point { static func == (a: Int, b: Int) -> Bool { true } }",
        "extension Int { static func == (a: Int, b: Self) -> Bool { true } }",
        "protocol Own {}\nextension Own { static func == (a: Self, b: Self) -> Bool { true } }",
        "typealias Own = Int\nextension Own { static func == (a: Own, b: Own) -> Bool { true } }",
        "typealias IntegerLiteralType = Int8",
        "extension Sequence { func makeIterator() {} }", "extension Array { subscript(safe: Int) -> Int { 0 } }",
        "extension Sequence { func _custom() {} }",
    ])
    func otherDeclarationsMayConcernAllTests(_ text: String) throws {
        #expect(try users(Self.old, "\(Self.old)\n\(text)\n") == nil)
    }

    @Test func requirementsOfOtherPackagesAreUnknown() throws {
        let new = "\(Self.old)\nextension Sequence { func fresh() {} }"
        #expect(try users(Self.old, new, imports: "import Other\nstruct A: B {}") == nil)
        #expect(try users(Self.old, new, imports: "import Other\nstruct A {}") == [])
    }
}
