import Testing
import Text

@testable import APIComparison

@Suite struct WitnessWriterTests {
    /// Returns the programs for the last symbol of a graph.
    private func witnesses(
        for name: String, new: String? = nil, _ body: (inout GraphFixture) -> Void
    ) throws -> [String] {
        var graph = GraphFixture()
        body(&graph)
        let snapshot = try graph.snapshot()
        let symbol = try #require(snapshot.symbols[name])
        var newer: APISymbol?
        if let new {
            var graph = GraphFixture()
            graph.add("method", name, new)
            newer = try graph.snapshot().symbols[name]
        }
        return WitnessWriter(old: SymbolIndex(snapshot)).witnesses(for: symbol, new: newer).map { witness in
            #expect(witness.text.hasPrefix("import Shapes\n"))
            return String(witness.text.dropFirst("import Shapes\n".count))
        }
    }

    @Test func aFunctionIsCalledWithAndWithoutItsDefaultsAndReferred() throws {
        let found = try witnesses(for: "f(_:in:)") {
            $0.add("func", "f(_:in:)", "func f(_ f: inout Int, in: Int = 3) throws -> Int?")
        }
        #expect(
            found == [
                "private func witness(_ p0: inout Int, _ `in`: Int) throws -> Int? { return try f(&p0, in: `in`) }\n",
                "private func witness(_ p0: inout Int) throws -> Int? { return try f(&p0) }\n",
                "private func witness(_ p0: inout Int, _ `in`: Int) throws { if let value = try f(&p0, in: `in`) { _ = value } }\n",
                "private func witness() { let _: (inout Int, Int) throws -> Int? = f(_:in:) }\n",
            ])
    }

    @Test func aResultOfVoidIsNotReturned() throws {
        let found = try witnesses(for: "f()") { $0.add("func", "f()", "func f() async") }
        #expect(found.first == "private func witness() async { await f() }\n")
    }

    @Test func membersAreUsedInAnExtension() throws {
        let found = try witnesses(for: "Box/f(_:)") {
            $0.add("struct", "Box", "struct Box<T>")
            $0.add(
                "method", "Box/f(_:)", "@discardableResult mutating func f<U>(_ x: U...) -> T where U : Hashable",
                more: """
                    , "swiftExtension": {"extendedModule": "Shapes", "constraints":
                    [{"kind": "sameType", "lhs": "T", "rhs": "Int"}, {"kind": "conformance", "lhs": "T", "rhs": "P"}]}
                    """)
        }
        #expect(
            found == [
                """
                extension Box where T == Int, T: P {
                    private mutating func witness<U>(_ x: U) -> T where U : Hashable { return self.f(x) }
                }

                """
            ])
    }

    @Test func aNewGlobalActorIsProvenFromNonisolatedCode() throws {
        let found = try witnesses(for: "Box/f()", new: "@MainActor func f()") {
            $0.add("class", "Box", "class Box")
            $0.add("method", "Box/f()", "func f()")
        }
        #expect(found.first == "extension Box {\n    nonisolated private func witness() { self.f() }\n}\n")
    }

    @Test func propertiesAreReadAndWritten() throws {
        let found = try witnesses(for: "Box/size") {
            $0.add("struct", "Box", "struct Box")
            $0.add("property", "Box/size", "var size: Int? { get set }")
        }
        let lines = found.map { $0.split(separator: "\n")[1].dropFirst(4) }
        #expect(
            lines == [
                "private func witness() -> Int? { return self.size }",
                "private func witness() { if let value = self.size { _ = value } }",
                "private mutating func witness(_ value: Int?) { self.size = value }",
            ])
        let constant = try witnesses(for: "limit") { $0.add("var", "limit", "let limit: Int") }
        #expect(constant == ["private func witness() -> Int { return limit }\n"])
    }

    @Test func initializersSubscriptsAndOperators() throws {
        let made = try witnesses(for: "Box/init(_:)") {
            $0.add("struct", "Box", "struct Box")
            $0.add("init", "Box/init(_:)", "init?(_ x: @autoclosure () -> Int)")
        }
        #expect(
            made == [
                "extension Box {\n    private static func witness(_ x: @autoclosure () -> Int) { let _: Box? = Box(x()) }\n}\n",
                "extension Box {\n    private static func witness(_ x: @autoclosure () -> Int) { if let value = Box(x()) { _ = value } }\n}\n",
            ])
        let index = try witnesses(for: "Box/subscript(_:)") {
            $0.add("struct", "Box", "struct Box")
            $0.add("subscript", "Box/subscript(_:)", "subscript(i: Int) -> Int { get throws }")
        }
        #expect(
            index.first
                == "extension Box {\n    private func witness(_ i: Int) throws -> Int { return try self[i] }\n}\n")
        let settable = try witnesses(for: "Box/subscript(_:at:)") {
            $0.add("struct", "Box", "struct Box")
            $0.add("subscript", "Box/subscript(_:at:)", "subscript(i: Int, at j: Int) -> Int { get set }")
        }
        #expect(
            settable.last
                == "extension Box {\n    private mutating func witness(_ i: Int, _ j: Int, _ p: Int) { self[i, at: j] = p }\n}\n"
        )
        let sum = try witnesses(for: "+++(_:_:)") { $0.add("func.op", "+++(_:_:)", "func +++ (a: Int, b: Int) -> Int") }
        #expect(sum == ["private func witness(_ a: Int, _ b: Int) -> Int { return a +++ b }\n"])
    }

    @Test func casesAreMadeAndMatched() throws {
        let found = try witnesses(for: "E/a(code:_:)") {
            $0.add("enum", "E", "enum E")
            $0.add("enum.case", "E/a(code:_:)", "case a(code: Int, String)")
        }
        #expect(
            found.map { $0.split(separator: "\n")[1].dropFirst(4) } == [
                "private static func witness(_ p0: Int, _ p1: String) -> Self { return Self.a(code: p0, p1) }",
                "private func witness() { if case .a(let p0, let p1) = self { _ = (p0, p1) } }",
            ])
    }

    @Test func openClassesAndMethodsAreOverridden() throws {
        let found = try witnesses(for: "Base/f(_:at:)") {
            $0.add("class", "Base", "class Base", access: "open")
            $0.add("method", "Base/f(_:at:)", "func f(_ x: Int, at: Int) throws -> Int", access: "open")
        }
        #expect(
            found.contains(
                """
                private class Witness: Base {
                    override func f(_ x: Int, at: Int) throws -> Int { fatalError() }
                }

                """))
        let property = try witnesses(for: "Base/size") {
            $0.add("class", "Base", "class Base", access: "open")
            $0.add("property", "Base/size", "var size: Int { get set }", access: "open")
        }
        #expect(
            property.last == """
                private class Witness: Base {
                    override var size: Int { get { fatalError() } set {} }
                }

                """)
        let index = try witnesses(for: "Base/subscript(_:at:)") {
            $0.add("class", "Base", "class Base", access: "open")
            $0.add(
                "subscript", "Base/subscript(_:at:)", "subscript(i: Int, at j: Int) -> Int { get }", access: "open")
        }
        #expect(
            index.last == """
                private class Witness: Base {
                    override subscript(_ i: Int, at j: Int) -> Int { get { fatalError() } }
                }

                """)
        let type = try witnesses(for: "Base") { $0.add("class", "Base", "class Base", access: "open") }
        #expect(type.last == "private class Witness: Base {}\n")
    }

    @Test func modulesOfTheSignatureAreImported() throws {
        var graph = GraphFixture()
        graph.add(
            "method", "Data/f()", "func f()", more: ", \"swiftExtension\": {\"extendedModule\": \"Foundation\"}")
        let snapshot = try graph.snapshot()
        let symbol = try #require(snapshot.symbols["Data/f()"])
        let text = WitnessWriter(old: SymbolIndex(snapshot)).witnesses(for: symbol).first?.text
        #expect(text?.hasPrefix("import Shapes\nimport Foundation\nextension Data {\n") == true)
    }

    @Test func requirementsOfAllKindsAreImplemented() throws {
        var graph = GraphFixture()
        graph.add("protocol", "P", "protocol P")
        for (kind, name, declaration) in [
            ("associatedtype", "A", "associatedtype A : Sequence"), ("associatedtype", "D", "associatedtype D = Int"),
            ("property", "x", "var x: Self.A { get set }"), ("init", "init(z:)", "init(z: Int)"),
            ("method", "m()", "mutating func m()"),
        ] {
            graph.add(kind, "P/\(name)", declaration)
            graph.relate("requirementOf", "P/\(name)", "P")
        }
        let snapshot = try graph.snapshot()
        let found = WitnessWriter(old: SymbolIndex(snapshot)).conformances(to: try #require(snapshot.symbols["P"]))
        #expect(
            found.first?.text == """
                import Shapes
                private struct Witness: P {
                    typealias A = [Int]
                    init(z: Int) { fatalError() }
                    mutating func m() { fatalError() }
                    var x: A { get { fatalError() } set {} }
                }

                """)
        #expect(found.last?.text.contains("final class Witness: P") == true)
        #expect(found.last?.text.contains("    func m() { fatalError() }") == true)
    }

    @Test func aChangedAssociatedTypeIsConstrainedAndImplemented() throws {
        var graph = GraphFixture()
        graph.add("protocol", "P", "protocol P")
        for (name, declaration) in [("A", "associatedtype A"), ("B", "associatedtype B : Equatable, Hashable = Int")] {
            graph.add("associatedtype", "P/\(name)", declaration)
            graph.relate("requirementOf", "P/\(name)", "P")
        }
        let index = SymbolIndex(try graph.snapshot())
        let texts = { (name: String) in
            WitnessWriter(old: index).witnesses(for: try #require(index.snapshot.symbols[name])).map(\.text)
        }
        #expect(try texts("P/A").last == "import Shapes\nprivate struct Witness: P {\n    typealias A = Any\n}\n")
        #expect(
            try texts("P/B").dropFirst().first == """
                import Shapes
                extension P {
                    private static func require<T: Equatable & Hashable>(_ type: T.Type) {}
                    private static func witness() { require(Self.B.self) }
                }

                """)
    }

    /// A program that only names the protocol compiles with both versions and proves nothing.
    @Test func aChangedProtocolNeedsATypeThatConforms() throws {
        let found = try GraphFixture.changes {
            $0.add("protocol", "P", "protocol P<A>")
        } _: {
            $0.add("protocol", "P", "protocol P")
        }
        #expect(
            found.first?.witnesses.map { $0.text.lines[1] } == [
                "private func witness<A, Witness: P<A>>(_ value: Witness) {}", "private struct Witness: P {",
                "private final class Witness: P {",
            ])
    }

    /// A generic function may rely on a constraint. The compiler writes it at the associated type if it can.
    @Test(arguments: [
        ("protocol", "P", "protocol P"), ("associatedtype", "P/Box", "associatedtype Box : S"),
    ]) func aLostConstraintOfAProtocolIsUsed(kind: String, name: String, declaration: String) throws {
        let found = try GraphFixture.changes {
            if kind != "protocol" { $0.add("protocol", "P", "protocol P") }
            $0.add(kind, name, "\(declaration) where Self == Self.Box.Value, Self.Box : Q, Self.Key : R")
        } _: {
            if kind != "protocol" { $0.add("protocol", "P", "protocol P") }
            $0.add(kind, name, "\(declaration) where Self.Key : R")
        }
        let texts = found.first?.witnesses.map(\.text) ?? []
        #expect(
            texts.contains(
                "import Shapes\nprivate func witness<T: P>(_ type: T.Type, _ value: T) -> T.Box.Value { return value }\n"
            ))
        #expect(
            texts.contains(
                """
                import Shapes
                private func require<U: Q>(_ type: U.Type) {}
                private func witness<T: P>(_ type: T.Type) { require(T.Box.self) }

                """))
        #expect(!texts.contains { $0.contains("T.Key") })
    }

    @Test func requirementsOfInheritedProtocolsAreImplemented() throws {
        var graph = GraphFixture()
        for (name, base) in [("P", "Q"), ("Q", "R"), ("R", "P")] {
            graph.add("protocol", name, "protocol \(name)")
            graph.relate("conformsTo", name, base)
            graph.add("method", "\(name)/m\(name)()", "func m\(name)()")
            graph.relate("requirementOf", "\(name)/m\(name)()", name)
        }
        let index = SymbolIndex(try graph.snapshot())
        let text = WitnessWriter(old: index).conformances(to: try #require(index.type("P"))).first?.text
        #expect(
            text == """
                import Shapes
                private struct Witness: P {
                    func mP() { fatalError() }
                    func mQ() { fatalError() }
                    func mR() { fatalError() }
                }

                """)
    }
}
