import ActionFixtures
import Events
import Expressions
import LaneModel
import OperatingSystem
import Packaging
import SwiftPackages
import TestSupport
import Testing

/// Tests of programs that link a packaged library, with the toolchain.
@Suite(.startsPrograms) struct PackagedLibraryTests {
    /// A module of two libraries occurs once, in the form of both.
    @Test func librariesWithACommonModuleAreOfOneForm() throws {
        let fixture = try GitFixture("pair", keepingBuildsAs: "pair")
        try fixture.write(
            """
            // swift-tools-version: 6.0
            import PackageDescription
            let package = Package(
                name: "Pair",
                products: [.library(name: "Base", targets: ["Base"]), .library(name: "Upper", targets: ["Upper"])],
                targets: [.target(name: "Base"), .target(name: "Upper", dependencies: ["Base"])])

            """, to: "Package.swift")
        try fixture.write("public final class Root { public static let all = 3 }\n", to: "Sources/Base/a.swift")
        // A type with the name of its module cannot be expressed in a textual interface.
        try fixture.write(
            "public struct Upper { public init() {} }\npublic func pair(_ one: Upper) -> Upper { one }\n",
            to: "Sources/Upper/a.swift")
        try fixture.packAndUnpack()
        #expect(try fixture.output(of: "import Base\nprint(Root.all)\n", linking: "-lBase") == "3")
    }

    /// A library is searched for resources like an executable, because programs that link it need them.
    @Test func librariesWithResourcesDocumentTheirRequirements() throws {
        let fixture = try GitFixture("words", keepingBuildsAs: "words")
        try fixture.write(
            """
            // swift-tools-version: 6.0
            import PackageDescription
            let package = Package(
                name: "Words", products: [.library(name: "Words", targets: ["Words"])],
                targets: [.target(name: "Words", resources: [.copy("data")])])

            """, to: "Package.swift")
        try fixture.write("one\n", to: "Sources/Words/data/a.txt")
        try fixture.write(
            "import Foundation\npublic func place() -> String { Bundle.module.bundlePath }\n",
            to: "Sources/Words/a.swift")
        try fixture.write(".build/\n", to: ".gitignore")
        try fixture.commit("Begin")
        let events = RecordedEvents()
        try fixture.run(PackageAction(), ["version": .string("1.0.0"), "verify": .bool(false)], events: events)
        #expect(
            events.messages.filter { !$0.contains("library evolution") } == [
                "'Words' contains the path of this directory because of #filePath or resources, so its bytes depend on it",
                "programs with 'Words' need 'Words_Words\(Self.bundleEnding)' of 'lib' in their directory",
            ])
    }

    #if os(Linux)
        private static let bundleEnding = ".resources"
    #else
        private static let bundleEnding = ".bundle"
    #endif

    /// The module is imported internally, so programs do not know its library.
    @Test(.enabled(if: hasTool("pkg-config"), "needs pkg-config"))
    func aProgramIsLinkedWithTheSystemsLibrariesThatAModuleHides() throws {
        let fixture = try GitFixture("hiding", keepingBuildsAs: "hiding")
        try fixture.write(
            """
            // swift-tools-version: 6.0
            import PackageDescription
            let package = Package(
                name: "Hiding",
                products: [.library(name: "Hiding", targets: ["Hiding"]), .library(name: "Asking", targets: ["Asking"])],
                targets: [
                    .systemLibrary(name: "CError"), .systemLibrary(name: "CGamma", pkgConfig: "gamma"),
                    .target(name: "Hiding", dependencies: ["CError"]), .target(name: "Asking", dependencies: ["CGamma"]),
                ])

            """, to: "Package.swift")
        try fixture.write(
            "// link \"nowhere\"\nmodule CError [system] { header \"e.h\" link \"m\" export * }\n",
            to: "Sources/CError/module.modulemap")
        try fixture.write("double erf(double);\n", to: "Sources/CError/e.h")
        try fixture.write("module CGamma { header \"g.h\" }\n", to: "Sources/CGamma/module.modulemap")
        try fixture.write("double tgamma(double);\n", to: "Sources/CGamma/g.h")
        try fixture.write(
            "internal import CError\npublic func error(_ x: Double) -> Double { erf(x) }\n",
            to: "Sources/Hiding/a.swift")
        try fixture.write(
            "internal import CGamma\npublic func gamma(_ x: Double) -> Double { tgamma(x) }\n",
            to: "Sources/Asking/a.swift")
        try fixture.write("Name: gamma\nDescription: g\nVersion: 1\nLibs: -lm\n", to: "gamma.pc")
        try fixture.packAndUnpack(environment: ["PKG_CONFIG_PATH": fixture.path])
        let program = "import Asking\nimport Hiding\nprint(error(0) + gamma(3))\n"
        #expect(try fixture.output(of: program, linking: "-lHiding -lAsking") == "2.0")
    }

    /// No program references the file with the conformance, and the module does not contain internal imports.
    @Test func conformancesAndHiddenImportsAreThere() throws {
        let fixture = try GitFixture("boxes", keepingBuildsAs: "boxes")
        try fixture.write(
            """
            // swift-tools-version: 6.0
            import PackageDescription
            let package = Package(
                name: "Boxes",
                products: [.library(name: "Boxes", targets: ["Boxes"]), .library(name: "Inner", targets: ["Inner"])],
                targets: [.target(name: "Boxes"), .target(name: "Inner")])

            """, to: "Package.swift")
        try fixture.write(
            """
            public protocol Two {}
            public struct Box<T: Two> { public var x: T; public init(_ x: T) { self.x = x } }

            """, to: "Sources/Boxes/Box.swift")
        try fixture.write("extension Double: Two {}\n", to: "Sources/Boxes/Double.swift")
        try fixture.write(
            "extension Box: CustomStringConvertible { public var description: String { \"<\\(x)>\" } }\n",
            to: "Sources/Boxes/Text.swift")
        try fixture.write(
            """
            internal import Foundation
            public func size(_ numbers: [Int]) -> Int { (try? JSONEncoder().encode(numbers).count) ?? 0 }

            """, to: "Sources/Inner/Inner.swift")
        let events = RecordedEvents()
        try fixture.packAndUnpack(events: events)
        #expect(try fixture.output(of: "import Boxes\nprint(Box(1.0))\n", linking: "-lBoxes") == "<1.0>")
        #expect(try fixture.output(of: "import Inner\nprint(size([1, 2]))\n", linking: "lib/libInner.a") == "5")
        #if os(Linux)
            let hint = "programs with 'Inner' must be linked with 'lib/libInner.a' instead of '-lInner'"
            #expect(events.messages.contains { $0.hasPrefix(hint) }, "\(events.messages)")
        #endif
    }

    @Test func errorsHaveLocationsInThePackage() throws {
        let fixture = try GitFixture("broken", keepingBuildsAs: "broken")
        try fixture.write(
            """
            // swift-tools-version: 6.0
            import PackageDescription
            let package = Package(
                name: "Broken", products: [.library(name: "Broken", targets: ["Broken"])],
                targets: [.target(name: "Broken")])

            """, to: "Package.swift")
        try fixture.write("public let number: Int = \"text\"\n", to: "Sources/Broken/a.swift")
        try fixture.write(".build/\n", to: ".gitignore")
        try fixture.commit("Begin")
        let events = RecordedEvents()
        let failure = #expect(throws: OperationFailure.self) {
            try fixture.run(PackageAction(), ["version": .string("1.0.0")], events: events)
        }
        #expect(failure?.message == "the library 'Broken' cannot be built")
        let places = events.all.compactMap { kind in
            if case .buildDiagnostic(let diagnostic) = kind { diagnostic.location?.path } else { nil }
        }
        #expect(places == ["Sources/Broken/a.swift"])
        #expect(!events.messages.contains { $0.contains("library evolution") })
        #expect(events.output.isEmpty)
    }
}
