import Testing

@testable import APIComparison

@Suite struct DeclarationTests {
    @Test func functionsHaveParametersEffectsAndConstraints() {
        let parsed = Declaration(
            "@discardableResult static func mix<T>(_ in: T, of x: inout [String : (Int) -> Void], @Make m: () -> T = { a, b }) async throws(E) -> [T]? where T : Sendable"
        )
        #expect(parsed.attributes == ["@discardableResult"])
        #expect(parsed.modifiers == ["static"])
        #expect(parsed.keyword == "func" && parsed.name == "mix" && parsed.generics == "<T>")
        #expect(
            parsed.parameters == [
                .init(label: nil, name: "in", type: "T", hasDefault: false),
                .init(label: "of", name: "x", type: "inout [String : (Int) -> Void]", hasDefault: false),
                .init(label: "m", name: "m", type: "@Make () -> T", hasDefault: true),
            ])
        #expect(parsed.effects == "async throws(E)")
        #expect(parsed.type == "[T]?")
        #expect(parsed.constraints == "where T : Sendable")
    }

    @Test(arguments: [
        ("static func < (lhs: A, rhs: A) -> Bool", "<"), ("func +++ (a: Int, b: Int)", "+++"),
        ("case `default`", "default"),
        ("var x: Int { get async throws }", "x"), ("class func make()", "make"),
        ("class Box<T> : Base where T : P", "Box"),
    ]) func names(declaration: String, name: String) {
        #expect(Declaration(declaration).name == name)
    }

    @Test func propertiesCasesAndAliases() {
        let property = Declaration("nonisolated(unsafe) static var x: (Int) -> Int { get async throws }")
        #expect(property.modifiers == ["nonisolated(unsafe)", "static"])
        #expect(property.type == "(Int) -> Int" && property.accessors == "get async throws")
        let element = Declaration("indirect case a(code: Int, String = \"x\")")
        #expect(
            element.parameters == [
                .init(label: "code", name: "code", type: "Int", hasDefault: false),
                .init(label: nil, name: nil, type: "String", hasDefault: true),
            ])
        let alias = Declaration("typealias Fn<T> = (T) -> Void where T : Equatable")
        #expect(alias.generics == "<T>" && alias.type == "(T) -> Void" && alias.constraints == "where T : Equatable")
        let index = Declaration("subscript(i: Int, at j: Int) -> Int { get set }")
        #expect(index.parameters?.map(\.label) == [nil, "at"])
        #expect(Declaration("convenience init?(x: Int)").type == "?")
    }
}
