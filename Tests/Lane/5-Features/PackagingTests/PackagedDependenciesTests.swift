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
@testable import SwiftPackages

/// Tests of dependencies in packages, with real builds that take some seconds.
@Suite(.startsPrograms) struct PackagedDependenciesTests {
    /// Programs that import the library also import its Swift and C modules.
    @Test func aLibraryIsPackedWithTheModulesOfOtherPackages() throws {
        let base = try GitFixture("base", keepingBuildsAs: "base")
        try base.write(
            """
            // swift-tools-version: 6.0
            import PackageDescription
            let package = Package(
                name: "base", products: [.library(name: "Base", targets: ["Base"])],
                targets: [
                    .target(name: "CBase", linkerSettings: [.linkedLibrary("m")]),
                    .target(name: "Base", dependencies: ["CBase"]),
                ])

            """, to: "Package.swift")
        try base.write("int base_seven(void);\n", to: "Sources/CBase/include/CBase.h")
        // Linking requires the library of the target.
        try base.write(
            "#include <math.h>\n#include \"CBase.h\"\nvolatile double cube = 343;\nint base_seven(void) { return cbrt(cube); }\n",
            to: "Sources/CBase/base.c")
        try base.write(
            "import CBase\npublic struct Seven { public init() {}; public var value: Int32 { base_seven() } }\n",
            to: "Sources/Base/Base.swift")
        try base.write("Free.\n", to: "LICENSE.md")
        try base.commit("Base")
        try base.git("tag 1.0.0")
        let fixture = try GitFixture("upper", keepingBuildsAs: "upper")
        try fixture.write(
            """
            // swift-tools-version: 6.0
            import PackageDescription
            let package = Package(
                name: "upper", products: [.library(name: "Upper", targets: ["Upper"])],
                dependencies: [.package(url: "\(base.path)", from: "1.0.0")],
                targets: [.target(name: "Upper", dependencies: [.product(name: "Base", package: "base")])])

            """, to: "Package.swift")
        try fixture.write(
            "import Base\npublic func eight(_ seven: Seven) -> Int32 { seven.value + 1 }\n",
            to: "Sources/Upper/Upper.swift")
        try fixture.write("/.build\n/dist\n/Package.resolved\n", to: ".gitignore")
        try fixture.commit("Upper")
        let archive = try #require(fixture.run(PackageAction()).outputs["archive"]?.text)
        let names = try fixture.shell("tar -tzf \(archive)")
        #expect(names.contains("/lib/Base.swiftmodule/") && names.contains("/lib/CBase/CBase.h\n"), "\(names)")
        #expect(names.contains("/share/doc/upper/licenses/base/LICENSE.md\n"), "\(names)")
    }

    /// The dependency is in the package's directory and has a C module with a system library, or it is outside the
    /// directory.
    @Test(arguments: ["Base", "../Base"]) func dependenciesMustBeInThePackage(path: String) throws {
        let fixture = try GitFixture("upper", keepingBuildsAs: path == "Base" ? "inner" : nil)
        try fixture.write(
            """
            // swift-tools-version: 6.0
            import PackageDescription
            let package = Package(
                name: "upper", products: [.library(name: "Upper", targets: ["Upper"])],
                dependencies: [.package(path: "\(path)")],
                targets: [.target(name: "Upper", dependencies: [.product(name: "Base", package: "Base")])])

            """, to: "Package.swift")
        try fixture.write(
            "import CBase\npublic func root() -> Int32 { base_root() }\n", to: "Sources/Upper/Upper.swift")
        try fixture.write(
            """
            // swift-tools-version: 6.0
            import PackageDescription
            let package = Package(
                name: "Base", products: [.library(name: "Base", targets: ["CBase"])],
                targets: [.target(name: "CBase", linkerSettings: [.linkedLibrary("m")])])

            """, to: "\(path)/Package.swift")
        try fixture.write("int base_root(void);\n", to: "\(path)/Sources/CBase/include/CBase.h")
        try fixture.write(
            "#include <math.h>\n#include \"CBase.h\"\nvolatile double cube = 343;\nint base_root(void) { return cbrt(cube); }\n",
            to: "\(path)/Sources/CBase/base.c")
        try fixture.write(".build/\n", to: ".gitignore")
        try fixture.commit("Begin")
        let settings: [String: Value] = ["version": .string("1.0.0")]
        guard path == "Base" else {
            #expect(
                fixture.refusal(of: PackageAction(), settings)?.message == """
                    'Base' is outside the package's directory, which the package is built from
                    hint: use URLs and versions for these dependencies in Package.swift
                    """)
            return
        }
        let events = RecordedEvents()
        let archive = try #require(fixture.run(PackageAction(), settings, events: events).outputs["archive"]?.text)
        #expect(try fixture.shell("tar -tzf \(archive)").contains("/lib/CBase/CBase.h\n"))
        #expect(events.messages.contains("the package contains code of 'Base', but no license of it was found"))
    }

    /// The error is not caused by the linkage. SwiftPM may hang because of it.
    @Test(arguments: [true, false]) func failedFetchesAreReportedOnce(isLibrary: Bool) throws {
        let description = """
            {"name": "Lonely", "products": [{"name": "Lonely", "targets": ["Lonely"], "type": {"library": null}}],
             "targets": [{"name": "Lonely", "c99name": "Lonely", "path": "Lonely", "product_dependencies": ["Base"]}]}
            """
        let package = try #require(
            PackageDescription(try JSONParser.parse(description), PackageManifest(try JSONParser.parse("{}"))))
        let events = RecordedEvents()
        let processes = CountingProcesses(instead: "echo 'error: Failed to clone repository'; exit 1")
        let tools = ToolRunner(context: try GitFixture("lonely").context(events: events, processes: processes))
        let recipe = BuildRecipe(directory: "/", isLinux: true)
        #expect(throws: OperationFailure.self) {
            guard isLibrary else {
                _ = try ExecutableBuild(tools: tools, recipe: recipe).run("Lonely")
                return
            }
            _ = try Dependencies.fetch(of: package, for: package.products, recipe, tools)
        }
        #expect(processes.calls.map { Array($0.prefix(2)) } == [["swift", isLibrary ? "package" : "build"]])
        #expect(events.messages.isEmpty, "\(events.messages)")
        let faults = events.all.compactMap { kind in
            if case .buildDiagnostic(let fault) = kind { fault.message } else { nil }
        }
        let advice = "a dependency could not be fetched\nhint: check its address in Package.swift, and the network"
        #expect(faults == ["Failed to clone repository", advice])
    }
}
