import OperatingSystem
import TestSupport
import Testing
import Text

@testable import APIComparison

/// Tests the types that conform to protocols of the standard library.
@Suite(.startsPrograms) struct StandardProtocolTests {
    /// Returns the index of a module with a protocol that inherits from others.
    private func index(_ declaration: String, inheriting bases: [String]) throws -> SymbolIndex {
        var graph = GraphFixture()
        graph.add("protocol", "P", declaration)
        for base in bases { graph.relate("conformsTo", "P", "s:\(base)", fallback: "Swift.\(base)") }
        return SymbolIndex(try graph.snapshot())
    }

    private func programs(_ declaration: String, inheriting bases: [String]) throws -> [String] {
        let index = try index(declaration, inheriting: bases)
        return WitnessWriter(old: index).conformances(to: try #require(index.type("P"))).map {
            String($0.text.dropFirst("import Shapes\n".count))
        }
    }

    /// The compiler accepts each program for each protocol.
    @Test func allTypesConform() throws {
        let others = ["RandomAccessCollection", "SignedNumeric", "Actor", "Error", "Sendable"]
        var source = ""
        for (number, name) in (StandardProtocol.own.keys.sorted() + others).enumerated() {
            source += "public protocol P\(number): \(name) {}\n"
            for (kind, program) in try programs("protocol P : \(name)", inheriting: [name]).enumerated() {
                // A class with a variable is not sendable.
                if name == "Sendable" || name == "Error", kind == 1 { continue }
                source +=
                    "enum E\(number)K\(kind) {\n\(program.replacing("Witness: P ", with: "Witness: P\(number) "))}\n"
            }
        }
        let directory = try TemporaryDirectory()
        try directory.write(source, to: "all.swift")
        let run = try ChildRunner().capture(
            Command(
                "swiftc", ["-swift-version", "6", "-typecheck", "all.swift"], environment: buildEnvironment(),
                directory: directory.path))
        #expect(run.report.succeeded, "\(run.text)\(run.errorText)")
    }

    /// `Any` breaks with a constraint of the element, and `Int` with a requirement.
    @Test func anElementOfAnyTypeIsTried() throws {
        #expect(
            try programs("protocol P : Sequence", inheriting: ["Sequence"]).last == """
                private struct Witness: P {
                    typealias Element = Any
                    func makeIterator() -> AnyIterator<Element> { fatalError() }
                }

                """)
    }

    @Test func theElementMayBeFixed() throws {
        let found = try programs(
            "protocol P : IteratorProtocol where Self.Element == [UInt8]", inheriting: ["IteratorProtocol"])
        #expect(found.count == 2 && found.allSatisfy { $0.contains("typealias Element = [UInt8]\n") }, "\(found)")
    }

    /// A requirement of the package replaces the one that it repeats.
    @Test func aRepeatedRequirementIsImplementedOnce() throws {
        var graph = GraphFixture()
        graph.add("protocol", "P", "protocol P : Identifiable")
        graph.relate("conformsTo", "P", "s:Identifiable", fallback: "Swift.Identifiable")
        graph.add("property", "P/id", "var id: String { get }")
        graph.relate("requirementOf", "P/id", "P")
        let index = SymbolIndex(try graph.snapshot())
        #expect(
            WitnessWriter(old: index).conformances(to: try #require(index.type("P"))).first?.text == """
                import Shapes
                private struct Witness: P {
                    var id: String { get { fatalError() } }
                }

                """)
    }
}
