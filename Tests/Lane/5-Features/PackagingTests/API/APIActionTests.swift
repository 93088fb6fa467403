import Actions
import Events
import Expressions
import LaneModel
import OperatingSystem
import ReleaseFixtures
import TestSupport
import Testing
import Text

@testable import Packaging

@Suite(.startsPrograms) struct APIActionTests {
    private static let manifest = """
        // swift-tools-version: 6.0
        import PackageDescription
        let package = Package(
            name: "Shapes", products: [.library(name: "Shapes", targets: ["Shapes"])],
            targets: [.target(name: "CShapes"), .target(name: "Shapes", dependencies: ["CShapes"])])

        """

    /// The declarations of the old version. The comments name those that the new version breaks.
    private static let old = """
        public import CShapes
        public func area(_ x: Int) -> Int { x }
        public func gone(_ x: Int) -> Int { x }              // removed
        public func load(_ x: Int) {}                        // throws
        public func show() {}                                // @MainActor
        public func find() -> Int? { 1 }                     // not optional
        public func side(_ x: shape) -> Int { Int(x.sides) } // another label
        package func inside() {}
        @_spi(Tests) public func spied() {}
        public func _hidden() {}
        public struct Box: Sendable, Hashable {              // not Sendable
            public init(_ side: Int = 1) {}                  // no default
            public var side: Int { get { 1 } set {} }        // no setter
        }
        public enum Color { case red }                       // another case
        public protocol Drawable { func draw() }             // another requirement
        open class Base { public init() {}; open func over() {} } // not open
        public struct Inner<T: Equatable> { public func give(_ x: T) -> [T]? { nil } }
        public typealias Number = Int                        // Int64

        """

    private static let new = """
        public import CShapes
        public func area(_ x: Int, scale: Int = 1) -> Int { x }
        public func load(_ x: Int) throws {}
        @MainActor public func show() {}
        public func find() -> Int { 1 }
        public func side(of x: shape) -> Int { Int(x.sides) }
        public final class Tag {}
        public struct Box: Hashable {
            let tag: [Tag] = []
            public init(_ side: Int) {}
            public var side: Int { 1 }
            public static func == (a: Box, b: Box) -> Bool { true }
            public func hash(into hasher: inout Hasher) {}
        }
        public enum Color { case red, blue }
        public protocol Drawable { func draw(); func hide(); func fade() }
        extension Drawable { public func fade() {} }
        open class Base { public init() {}; public func over() {} }
        public struct Inner<T: Equatable> { public func give(_ y: T) -> Array<T>? { nil } }
        public typealias Number = Int64

        """

    private static let breaks = [
        "Base.over()", "Box.init(_:)", "Box.side", "Box: Sendable", "Color.blue", "Drawable.hide()", "Number", "find()",
        "gone(_:)", "load(_:)", "show()", "side(_:)",
    ]

    /// Creates a package that was built before, with the old version as 1.0.0 and the new one in the checkout.
    private func fixture(_ name: String) throws -> GitFixture {
        let fixture = try GitFixture("shapes", keepingBuildsAs: name)
        try fixture.write(".build/\n.lane/\n", to: ".gitignore")
        try fixture.write(Self.manifest, to: "Package.swift")
        try fixture.write(
            "struct shape { int sides; };\ntypedef struct shape shape;\n", to: "Sources/CShapes/include/c.h")
        try fixture.write("", to: "Sources/CShapes/c.c")
        try fixture.write(Self.old, to: "Sources/Shapes/Shapes.swift")
        try fixture.commit("Begin")
        return fixture
    }

    private func messages(_ told: Told) -> [String] {
        told.all.compactMap { if case .buildDiagnostic(let diagnostic) = $0 { diagnostic.message } else { nil } }
    }

    @Test func everyBreakIsProvenAndNothingElse() throws {
        let fixture = try fixture("api")
        #expect(try fixture.run(APIAction()).skipReason == "there is no release to compare with")
        try fixture.git("tag v1.0.0")
        try fixture.write(Self.new, to: "Sources/Shapes/Shapes.swift")
        try fixture.commit("Change all")
        let told = Told()
        #expect(throws: OperationFailure.self) {
            try fixture.run(APIAction(), ["report": .string("build/api.json")], told: told)
        }
        let json = try JSONParser.parse(try fixture.read("build/api.json"))
        let found = (json["breaks"]?.array ?? []).compactMap { $0["declaration"]?.string }
        #expect(found.sorted() == Self.breaks)
        #expect((json["warnings"]?.array ?? []).compactMap { $0["declaration"]?.string } == ["area(_:)"])
        #expect(
            messages(told).first == """
                'gone(_:)' was removed; v1.0.0 has it at Sources/Shapes/Shapes.swift:3
                old: func gone(_ x: Int) -> Int
                compiles with v1.0.0 only:
                    import Shapes
                    private func witness(_ x: Int) -> Int { return gone(x) }
                    // error: cannot find 'gone' in scope
                """)
        try judgesVersions(fixture)
        // The checkout and the build of the old version are those of the first run.
        #expect(try fixture.shell("ls .lane/api | wc -l") == "2")
        #expect(try fixture.shell("git status --porcelain -- :!build") == "")
    }

    /// A version must permit the breaks, unless all of them are allowed.
    private func judgesVersions(_ fixture: GitFixture) throws {
        let releases = PlannedReleases()
        let told = Told()
        let automatic = try fixture.run(APIAction(), ["version": .string("auto")], told: told, releases: releases)
        #expect(automatic.outputs["breaks"] == .integer(Self.breaks.count))
        #expect(releases.breakCount == Self.breaks.count)
        let refusal = fixture.refusal(of: APIAction(), ["version": .string("minor")])
        #expect(
            refusal?.message == """
                1.1.0 must not break the public API, and 12 breaks since 1.0.0 were proven
                hint: release 2.0.0, or name intended breaks in 'allow'
                """)
        let allow = { (names: [String]) -> [String: Value] in
            let entries = names.map { name in
                Value.map([(name: "declaration", value: .string(name)), (name: "reason", value: .string("intended"))])
            }
            return ["allow": .list(entries)]
        }
        let allowed = try fixture.run(APIAction(), allow(Self.breaks))
        #expect(allowed.outputs["breaks"] == .integer(0))
        let unused = fixture.refusal(of: APIAction(), allow(Self.breaks + ["area(_:)"]))
        #expect(
            unused?.message
                == "'allow' names 'area(_:)', which is no break since v1.0.0\nhint: remove the entry")
    }
}
