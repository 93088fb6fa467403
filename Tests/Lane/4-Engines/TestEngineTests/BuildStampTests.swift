import CLibrary
import OperatingSystem
import TestSupport
import Testing

@testable import TestEngine

@Suite struct BuildStampTests {
    private let place: TemporaryDirectory
    private let tools: TemporaryDirectory
    private let plain =
        "// swift-tools-version: 6.0\nlet package = Package(name: \"P\", targets: [.testTarget(name: \"T\")])\n"

    init() throws {
        place = try TemporaryDirectory()
        tools = try TemporaryDirectory()
        try tools.write("compiler", to: "toolchain/swift-driver", mode: 0o755)
        try tools.write("#!/bin/sh\n", to: "manager/swiftly", mode: 0o755)
        for (directory, program) in [("toolchain", "swift-driver"), ("manager", "swiftly")] {
            try #require(symlink(program, "\(tools.path)/\(directory)/swift") == 0)
        }
        try place.write(plain, to: "Package.swift")
        try place.write("// a", to: "Tests/T/A.swift")
        try place.write("{}", to: "\(FixturePackage.scratch)/debug/P_T.resources/data/a.json")
        try place.write("library", to: "\(FixturePackage.scratch)/debug/libP.so")
        try place.write("binary", to: "\(FixturePackage.scratch)/debug/P.xctest")
        try place.write(
            #"{"builtTestProducts" : [ {"binaryPath" : "\#(place.path)/\#(FixturePackage.scratch)/debug/P.xctest"} ]}"#,
            to: "\(FixturePackage.scratch)/debug/description.json")
    }

    private func stamp(
        with directory: String = "toolchain", _ change: (inout TestOptions) -> Void = { _ in }
    ) -> BuildStamp {
        var options = TestOptions()
        change(&options)
        let environment = FixturePackage.environment.merging(["PATH": "\(tools.path)/\(directory)"]) { $1 }
        return BuildStamp(
            package: SwiftPackage(directory: place.path, environment: environment, options: options))
    }

    @Test func unchangedBuildsAreFresh() {
        let stamp = stamp()
        #expect(!stamp.isFresh(stamp.inputs()))
        stamp.save(stamp.inputs())
        #expect(stamp.isFresh(stamp.inputs()))
    }

    @Test(arguments: [
        "Tests/T/A.swift", "Tests/T/B.swift", "Package.swift", "\(FixturePackage.scratch)/debug/P.xctest",
        "Sources/X/resource.bin",
    ])
    func anyChangeIsSeen(_ file: String) throws {
        let stamp = stamp()
        stamp.save(stamp.inputs())
        try place.write(file == "Package.swift" ? plain + "// changed" : "// changed", to: file)
        #expect(!stamp.isFresh(stamp.inputs()))
    }

    @Test func anotherWayOfBuildingIsSeen() {
        let first = stamp()
        first.save(first.inputs())
        for other in [stamp { $0.coverage = true }, stamp { $0.build.arguments = ["-Xswiftc", "-DX"] }] {
            #expect(!other.isFresh(other.inputs()))
        }
    }

    /// A version manager chooses the toolchain when `swift` starts, so its program stays the same.
    @Test func aToolchainThatIsChosenAtEachStartIsAlwaysAsked() {
        #expect(stamp(with: "manager").inputs() == nil)
    }

    @Test func anotherToolchainIsSeen() throws {
        let stamp = stamp()
        stamp.save(stamp.inputs())
        try tools.write("another compiler", to: "toolchain/swift-driver", mode: 0o755)
        #expect(!stamp.isFresh(stamp.inputs()))
    }

    @Test func aChangeDuringTheBuildIsBuiltNextTime() throws {
        let stamp = stamp()
        let before = stamp.inputs()
        try place.write("// edited while it was built", to: "Tests/T/A.swift")
        stamp.save(before)
        #expect(!stamp.isFresh(stamp.inputs()))
    }

    @Test(arguments: ["P.xctest", "libP.so", "P_T.resources", "P_T.resources/data", "P_T.resources/data/a.json"])
    func missingProductsAreDetected(_ name: String) throws {
        let stamp = stamp()
        stamp.save(stamp.inputs())
        try removeTree("\(place.path)/\(FixturePackage.scratch)/debug/\(name)")
        #expect(!stamp.isFresh(stamp.inputs()))
    }

    @Test func aResourceThatWasChangedInPlaceIsSeen() throws {
        let stamp = stamp()
        stamp.save(stamp.inputs())
        try place.write("{ }", to: "\(FixturePackage.scratch)/debug/P_T.resources/data/a.json")
        #expect(!stamp.isFresh(stamp.inputs()))
    }

    @Test(arguments: [
        ".package(path: \"/Other\")", ".package(\n    path: \"/Other\")", ".package\t( path: \"/Other\")",
        ".package( // ours\n path: \"/Other\")", ".package(/* ours */path: \"/Other\")", "\"..\" + \"/../Other\"",
        "Context.environment[\"X\"]", "Context.gitInformation", ".plugin(name: \"P\")", ".systemLibrary(name: \"C\")",
        "import Glibc\n", "import\nFoundation\n", "import PackageDescription; import Darwin",
        "import func Glibc.getenv", "let a = \"//\"; .plugin()", "let a = \"\\(\"/*\") \"; .plugin() /* */",
        "let a = \"\"\"\n/*\n\"\"\"; .plugin() /* */", "let a = #\"\\(\"#; .plugin() // \")",
        "let a = /\"/; .plugin() // \"", "let a = \"\\(Context/* */.environment[\"X\"]!)\"", "@testable import Other",
        "import", "@_silgen_name(\"getenv\") func f()",
    ])
    func aManifestThatLooksAroundIsAlwaysBuilt(_ words: String) throws {
        try place.write(plain + words, to: "Package.swift")
        #expect(stamp().inputs() == nil)
    }

    @Test func anOrdinaryManifestIsKnown() throws {
        let words = """
            import PackageDescription  // important: nothing else
            let dependency = Package.Dependency.package(url: "https://example.com/a.git", from: "1.0.0")
            let target = Target.target(name: "Importer", path: "Sources/Importer")
            """
        try place.write(plain + words, to: "Package.swift")
        #expect(stamp().inputs() != nil)
    }

    @Test func aManifestForAVersionOfTheToolsIsReadLikeTheUsualOne() throws {
        try place.write(plain, to: "Package@swift-6.0.swift")
        let stamp = stamp()
        stamp.save(stamp.inputs())
        #expect(stamp.isFresh(stamp.inputs()))
        try place.write(plain + "// changed", to: "Package@swift-6.0.swift")
        #expect(!stamp.isFresh(stamp.inputs()))
        try place.write(plain + ".package(path: \"/Other\")", to: "Package@swift-6.0.swift")
        #expect(stamp.inputs() == nil)
    }

    @Test(arguments: [
        "// .plugin(name: \"P\"), as in ../Other", "/* import Foundation /* systemLibrary */ environment */",
        "let a = \"/*\" // unsafeFlags\nlet b = \"*/\"", "let a = #\"\\\"# /* pkgConfig */",
        "let a = \"\"\"\n  \\(1 /* plugin */)\n  \"\"\" // environment",
    ])
    func aCommentIsNotRead(_ words: String) throws {
        try place.write(plain + words, to: "Package.swift")
        #expect(stamp().inputs() != nil)
    }
}
