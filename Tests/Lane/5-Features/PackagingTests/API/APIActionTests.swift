import ActionFixtures
import Actions
import Events
import Expressions
import LaneModel
import OperatingSystem
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
            targets: [
                .target(name: "CShapes"), .target(name: "Shape-Core"), .target(name: "Parts"),
                .target(name: "Shapes", dependencies: ["CShapes", "Shape-Core", .target(name: "Parts")]),
            ])

        """

    /// The declarations of the old version. The comments name those that the new version breaks.
    private static let old = """
        public import CShapes
        @_exported public import Shape_Core
        public import Parts
        public func part() -> Part { Part() }
        public protocol Role { func play() }                 // refines Sendable
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
        public struct Code { public init?(_ x: Int) {} }      // not optional
        public protocol Tagged {}
        extension Int: Tagged {}                             // not Int
        public protocol Plan { associatedtype Step; func begin() } // another constraint, another requirement
        extension Plan { public func begin() {} }            // no default
        public struct Grid { public init() {}; public subscript(i: Int) -> Int { get { i } set {} } } // no setter
        open class Lens { public init() {}; open var power: Int { 1 } } // not open
        public protocol Listing: Sequence {}                 // another constraint

        """

    private static let new = """
        public import CShapes
        @_exported public import Shape_Core
        public import Parts
        public func part() -> Part { Part() }
        public protocol Role: Sendable { func play() }
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
        public struct Code { public init(_ x: Int) {} }
        public protocol Tagged {}
        public protocol Plan { associatedtype Step: Equatable; func begin(); func end() }
        extension Plan where Self: Sequence { public func end() {} }
        public struct Grid { public init() {}; public subscript(i: Int) -> Int { i } }
        open class Lens { public init() {}; public var power: Int { 1 } }
        public protocol Listing: Sequence where Element: Equatable {}

        """

    /// The declarations of targets that no product contains: one is re-exported, the other has a type of a signature.
    private static let core = ["public func core() {}", "public func kern() {}"]
    private static let parts = [
        "public struct Part { public init() {}; public func label() {} }; public struct Unseen { public init() {} }",
        "public struct Part { public init() {} }; public struct Unseen {}",
    ]

    private static let breaks = [
        "Base.over()", "Box.init(_:)", "Box.side", "Box: Sendable", "Code.init(_:)", "Color.blue", "Drawable.hide()",
        "Grid.subscript(_:)", "Int: Tagged", "Lens.power", "Listing", "Number", "Part.label()", "Plan.Step",
        "Plan.begin()", "Plan.end()", "Role", "core()", "find()", "gone(_:)", "load(_:)", "show()", "side(_:)",
    ]

    /// Creates a package that was built before, with the old version as 1.0.0 and the new one in the checkout.
    private func fixture(_ name: String) throws -> GitFixture {
        let fixture = try GitFixture("shapes", keepingBuildsAs: name)
        try fixture.write(".build/\n.lane/\n", to: ".gitignore")
        try fixture.write(Self.manifest, to: "Package.swift")
        try fixture.write(
            "struct shape { int sides; };\ntypedef struct shape shape;\n", to: "Sources/CShapes/include/c.h")
        try fixture.write("", to: "Sources/CShapes/c.c")
        try write(Self.old, version: 0, in: fixture)
        try fixture.commit("Begin")
        return fixture
    }

    private func write(_ shapes: String, version: Int, in fixture: GitFixture) throws {
        try fixture.write(shapes, to: "Sources/Shapes/Shapes.swift")
        try fixture.write(Self.core[version], to: "Sources/Shape-Core/Core.swift")
        try fixture.write(Self.parts[version], to: "Sources/Parts/Parts.swift")
    }

    private func messages(_ events: RecordedEvents) -> [String] {
        events.all.compactMap { if case .buildDiagnostic(let diagnostic) = $0 { diagnostic.message } else { nil } }
    }

    @Test func everyBreakIsProvenAndNothingElse() throws {
        let fixture = try fixture("api")
        #expect(try fixture.run(APIAction()).skipReason == "there is no release to compare with")
        try fixture.git("tag v1.0.0")
        try write(Self.new, version: 1, in: fixture)
        try fixture.commit("Change all")
        let events = RecordedEvents()
        #expect(throws: OperationFailure.self) {
            try fixture.run(APIAction(), ["report": .string("build/api.json")], events: events)
        }
        let json = try JSONParser.parse(try fixture.read("build/api.json"))
        let found = (json["breaks"]?.array ?? []).compactMap { $0["declaration"]?.string }
        #expect(found.sorted() == Self.breaks)
        #expect((json["warnings"]?.array ?? []).compactMap { $0["declaration"]?.string } == ["area(_:)"])
        #expect(
            messages(events).first == """
                'core()' was removed; v1.0.0 has it at Sources/Shape-Core/Core.swift:1
                old: func core()
                compiles with v1.0.0 only:
                    import Shapes
                    private func witness() { core() }
                    // error: cannot find 'core' in scope
                """)
        try judgesVersions(fixture)
        // The checkout and the build of the old version are those of the first run.
        #expect(try fixture.shell("ls .lane/api | wc -l") == "2")
        #expect(try fixture.shell("git status --porcelain -- :!build") == "")
    }

    /// A version must permit the breaks, unless all of them are allowed.
    private func judgesVersions(_ fixture: GitFixture) throws {
        let releases = PlannedReleases()
        let events = RecordedEvents()
        let automatic = try fixture.run(APIAction(), ["version": .string("auto")], events: events, releases: releases)
        #expect(automatic.outputs["breaks"] == .integer(Self.breaks.count))
        #expect(releases.breakCount == Self.breaks.count)
        let refusal = fixture.refusal(of: APIAction(), ["version": .string("minor")])
        #expect(
            refusal?.message == """
                1.1.0 must not break the public API, and 23 breaks since 1.0.0 were proven
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

    @Test(arguments: [
        ("auto", "compare the public API with the last release; a break makes a higher version than this plan shows"),
        ("minor", "compare the public API with the last release"),
    ])
    func thePlanNamesTheEffectOnAComputedVersion(version: String, summary: String) throws {
        let fixture = try GitFixture()
        let settings = Settings(["version": .string(version)])
        #expect(APIAction().forecast(of: settings, in: fixture.context(), after: [:]).summary == summary)
    }

    @Test func exportedModulesAreThoseOfDeclarations() {
        let source = """
            // @_exported import None
            @_exported import Core
            @_exported public import struct Parts.Part
            import Other; let text = "@_exported import None"

            """
        #expect(BuiltVersion.exportedModules(in: source) == ["Core", "Parts"])
    }
}
