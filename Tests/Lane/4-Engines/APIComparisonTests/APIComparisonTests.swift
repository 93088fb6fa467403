import Events
import Testing

@testable import APIComparison

@Suite struct APIComparisonTests {
    @Test func unchangedAndNewDeclarationsAreNoChanges() throws {
        let found = try GraphFixture.changes {
            $0.add("func", "area(_:)", "func area(_ x: Int) -> Int")
        } _: {
            $0.add("func", "area(_:)", "func area(_ x: Int) -> Int", line: 9)
            $0.add("func", "more()", "func more()")
        }
        #expect(found.isEmpty)
    }

    @Test func aRemovedTypeIncludesItsMembers() throws {
        let found = try GraphFixture.changes {
            $0.add("struct", "Box", "struct Box", line: 3)
            $0.add("method", "Box/grow()", "func grow()")
            $0.add("struct", "Box/Lid", "struct Lid")
        } _: { _ in
        }
        #expect(found.map(\.name) == ["Box"])
        #expect(found.first?.kind == .removed)
        #expect(found.first?.location == nil && found.first?.oldLocation?.text == "Sources/Shapes/Shapes.swift:3:5")
    }

    @Test func aDeclarationWithOtherLabelsReplacesARemovedOne() throws {
        let found = try GraphFixture.changes {
            $0.add("func", "move(by:)", "func move(by x: Int)")
            $0.add("func", "turn()", "func turn()")
        } _: {
            $0.add("func", "move(to:)", "func move(to x: Int)", line: 7)
        }
        #expect(found.map(\.kind) == [.removed, .changed])
        #expect(found.map(\.name) == ["turn()", "move(by:)"])
        #expect(found.last?.new == "func move(to x: Int)" && found.last?.location?.line == 7)
    }

    /// Clients use the new type by the old name.
    @Test func aRenamedTypeWithAnAliasIsComparedByItsMembers() throws {
        let found = try GraphFixture.changes {
            $0.add("enum", "Color", "enum Color", line: 1)
            $0.add("enum.case", "Color/red", "case red", line: 2)
            $0.add("property", "Color/value", "var value: Int { get }", line: 3)
            $0.add("method", "Color/mix()", "func mix()", line: 4)
            $0.relate("conformsTo", "Color", "s:s8SendableP", fallback: "Swift.Sendable")
        } _: {
            $0.add("typealias", "Color", "typealias Color = NamedColor", identifier: "alias")
            $0.add("enum", "NamedColor", "enum NamedColor")
            $0.add("enum.case", "NamedColor/red", "case red")
            $0.add("enum.case", "NamedColor/blue", "case blue")
            $0.add("property", "NamedColor/value", "var value: [Int] { get }")
        }
        #expect(
            found.map { "\($0.kind) \($0.name)" } == [
                "removed Color.mix()", "changed Color", "changed Color.red", "changed Color.value",
                "enumCase NamedColor.blue", "conformance Color: Sendable",
            ])
        let new = ["typealias Color = NamedColor", "case red", "var value: [Int] { get }"]
        #expect(found[1...3].map(\.new) == new)
    }

    @Test func synthesizedDeclarationsAndThoseOfARemovedModuleDoNotCount() throws {
        let found = try GraphFixture.changes {
            $0.add(
                "func.op", "Box/!=(_:_:)", "static func != (a: Self, b: Self) -> Bool",
                identifier: "s:x::SYNTHESIZED::y")
        } _: { _ in
        }
        #expect(found.isEmpty)
        var old = GraphFixture()
        old.add("func", "a()", "func a()")
        #expect(APIComparison(from: try old.snapshot(), to: APISnapshot()).changes().isEmpty)
    }

    /// Losing a limit is no change.
    @Test func onlyNewLimitsOfAvailabilityCount() throws {
        let limit = ", \"availability\": [{\"domain\": \"macOS\", \"introduced\": {\"major\": 13}}]"
        let raised = try GraphFixture.changes {
            $0.add("func", "a()", "func a()")
        } _: {
            $0.add("func", "a()", "func a()", more: limit)
        }
        #expect(raised.map(\.kind) == [.availability])
        let lost = try GraphFixture.changes {
            $0.add("func", "a()", "func a()", more: limit)
        } _: {
            $0.add("func", "a()", "func a()")
        }
        #expect(lost.isEmpty)
    }

    @Test func newRequirementsCountWithoutDefaultOnly() throws {
        let found = try GraphFixture.changes {
            $0.add("protocol", "Drawable", "protocol Drawable")
            $0.add("method", "Drawable/draw()", "func draw()")
            $0.relate("requirementOf", "Drawable/draw()", "Drawable")
        } _: {
            $0.add("protocol", "Drawable", "protocol Drawable")
            for name in ["draw()", "hide()", "show()", "sort()"] {
                $0.add("method", "Drawable/\(name)", "func \(name)")
                $0.relate("requirementOf", "Drawable/\(name)", "Drawable")
            }
            $0.add("method", "Drawable/show()", "func show()", identifier: "default")
            $0.relate("defaultImplementationOf", "default", "Drawable/show()")
            $0.add(
                "method", "Drawable/sort()", "func sort()", identifier: "constrained",
                more: """
                    , "swiftExtension": {"extendedModule": "Shapes", "constraints":
                    [{"kind": "conformance", "lhs": "Self", "rhs": "Sequence"}]}
                    """)
            $0.relate("defaultImplementationOf", "constrained", "Drawable/sort()")
        }
        #expect(found.map(\.name) == ["Drawable.hide()", "Drawable.sort()"])
        #expect(found.map(\.text) == Array(repeating: "is a new requirement without default", count: 2))
        #expect(
            found.first?.witnesses.first?.text == """
                import Shapes
                private struct Witness: Drawable {
                    func draw() { fatalError() }
                }

                """)
    }

    @Test func requirementsThatLoseTheirDefaultCount() throws {
        let found = try GraphFixture.changes {
            $0.add("protocol", "Drawable", "protocol Drawable")
            $0.add("method", "Drawable/draw()", "func draw()")
            $0.add("associatedtype", "Drawable/Ink", "associatedtype Ink = Int")
            for name in ["draw()", "Ink"] { $0.relate("requirementOf", "Drawable/\(name)", "Drawable") }
            $0.add("method", "Drawable/draw()", "func draw()", identifier: "default")
            $0.relate("defaultImplementationOf", "default", "Drawable/draw()")
        } _: {
            $0.add("protocol", "Drawable", "protocol Drawable")
            $0.add("method", "Drawable/draw()", "func draw()")
            $0.add("associatedtype", "Drawable/Ink", "associatedtype Ink")
            for name in ["draw()", "Ink"] { $0.relate("requirementOf", "Drawable/\(name)", "Drawable") }
        }
        let lost = found.filter { $0.kind == .requirement }
        #expect(lost.map(\.name) == ["Drawable.Ink", "Drawable.draw()"])
        #expect(lost.allSatisfy { $0.text == "lost its default implementation" })
        #expect(lost.first?.witnesses.first?.text == "import Shapes\nprivate struct Witness: Drawable {\n}\n")
    }

    /// The symbol graph names types of other modules only in extensions.
    @Test func conformancesOfTypesOfOtherModulesCount() throws {
        let found = try GraphFixture.changes {
            $0.add("protocol", "Tagged", "protocol Tagged")
            $0.add("extension", "Int", "extension Int", identifier: "s:e:s:Si")
            $0.relate("conformsTo", "s:e:s:Si", "Tagged")
        } _: {
            $0.add("protocol", "Tagged", "protocol Tagged")
        }
        #expect(found.map(\.name) == ["Int: Tagged"])
        #expect(found.first?.location == nil && found.first?.oldLocation != nil)
    }

    @Test func newCasesBreakASwitchOverTheOldOnes() throws {
        let old = { (graph: inout GraphFixture) in
            graph.add("enum", "Color", "enum Color")
            graph.add("enum.case", "Color/red", "case red", line: 2)
            graph.add("enum.case", "Color/mix(_:)", "case mix(Int)", line: 3)
        }
        let found = try GraphFixture.changes(old) {
            old(&$0)
            $0.add("enum.case", "Color/blue", "case blue", line: 4)
        }
        #expect(found.map(\.name) == ["Color.blue"])
        #expect(
            found.first?.witnesses.map(\.text) == [
                """
                import Shapes
                private func witness(_ value: Color) {
                    switch value {
                    case .red: break
                    case .mix: break
                    }
                }

                """
            ])
    }

    @Test func lostConformancesOfKeptTypesCount() throws {
        let found = try GraphFixture.changes {
            for name in ["Box", "Gone"] {
                $0.add("struct", name, "struct \(name)")
                $0.relate("conformsTo", name, "s:s8SendableP", fallback: "Swift.Sendable")
                $0.relate("conformsTo", name, "s:s16SendableMetatypeP", fallback: "Swift.SendableMetatype")
            }
        } _: {
            $0.add("struct", "Box", "struct Box")
        }
        #expect(found.map(\.name) == ["Gone", "Box: Sendable"])
        #expect(
            found.last?.witnesses.first?.text == """
                import Shapes
                private func require<T: Sendable>(_ type: T.Type) {}
                extension Box {
                    private static func witness() { require(Box.self) }
                }

                """)
    }
}
