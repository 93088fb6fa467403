import Files
import Processes
import TestSupport
import Testing

@testable import TestEngine

@Suite struct BuildStampTests {
    private let place: TemporaryDirectory
    private let plain =
        "// swift-tools-version: 6.0\nlet package = Package(name: \"P\", targets: [.testTarget(name: \"T\")])\n"

    init() throws {
        place = try TemporaryDirectory()
        try place.write(plain, to: "Package.swift")
        try place.write("// a", to: "Tests/T/A.swift")
        try place.write("binary", to: ".build/debug/P.xctest")
        try place.write(
            #"{"builtTestProducts" : [ {"binaryPath" : "\#(place.path)/.build/debug/P.xctest"} ]}"#,
            to: ".build/debug/description.json")
    }

    private func stamp(_ change: (inout TestOptions) -> Void = { _ in }) -> BuildStamp {
        var options = TestOptions()
        change(&options)
        return BuildStamp(
            package: SwiftPackage(directory: place.path, environment: FixturePackage.environment, options: options))
    }

    @Test func whatWasBuiltAndHasNotChangedIsFresh() {
        let stamp = stamp()
        #expect(!stamp.isFresh(stamp.inputs()))
        stamp.save(stamp.inputs())
        #expect(stamp.isFresh(stamp.inputs()))
    }

    @Test(arguments: [
        "Tests/T/A.swift", "Tests/T/B.swift", "Package.swift", ".build/debug/P.xctest", "Sources/X/resource.bin",
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
        for other in [stamp { $0.coverage = true }, stamp { $0.swiftArguments = ["-Xswiftc", "-DX"] }] {
            #expect(!other.isFresh(other.inputs()))
        }
    }

    @Test func aChangeDuringTheBuildIsBuiltNextTime() throws {
        let stamp = stamp()
        let before = stamp.inputs()
        try place.write("// edited while it was built", to: "Tests/T/A.swift")
        stamp.save(before)
        #expect(!stamp.isFresh(stamp.inputs()))
    }

    @Test(arguments: [
        ".package(path: \"../Other\")", "Context.environment[\"X\"]", ".plugin(name: \"P\")",
        ".systemLibrary(name: \"C\")",
    ])
    func aManifestThatLooksAroundIsAlwaysBuilt(_ words: String) throws {
        try place.write(plain + words, to: "Package.swift")
        #expect(stamp().inputs() == nil)
    }
}
