import OperatingSystem
import TestSupport
import Testing
import Text

@testable import Archives
@testable import TestEngine

/// Archives of products that look like a build's, so that nothing is compiled.
@Suite struct TestArchiveTests {
    private let directory: TemporaryDirectory
    private let environment = ["PATH": "/usr/bin:/bin"]
    private var root: String { "\(directory.path)/package" }
    private var archive: String { "\(directory.path)/tests.tar.gz" }

    init() throws {
        directory = try TemporaryDirectory()
        for (file, type) in [("DemoTests.xctest", UInt8(3)), ("tool", 2), ("macro-tool", 2), ("Demo.o", 1)] {
            let head = [0x7F, UInt8(ascii: "E"), UInt8(ascii: "L"), UInt8(ascii: "F")]
            let bytes = head + Array(repeating: 0, count: 12) + [type, 0, 9, 9]
            try makeDirectories("\(root)/.build/debug")
            try writeFile(bytes, to: "\(root)/.build/debug/\(file)", mode: 0o777)
        }
        _ = try directory.write("data", to: "package/.build/debug/demo_DemoTests.resources/data.txt")
        _ = try directory.write("// manifest", to: "package/Package.swift")
        _ = try directory.write("{}", to: "package/Tests/DemoTests/Fixtures/a.json")
    }

    private static let list =
        "lane test list 2\u{1F}\u{1F}version63\u{1F}1\u{1F}\u{1E}"
        + "xctest\u{1F}DemoTests\u{1F}Demo\u{1F}testA\u{1F}DemoTests.Demo/testA\u{1F}x\u{1F}Tests/A.swift\u{1F}3\u{1F}\u{1F}\u{1E}"

    private func pack(withSources: Bool = false) throws {
        let tests = try #require(
            BuiltTests(
                binaries: [(path: "\(root)/.build/debug/DemoTests.xctest", list: Array(Self.list.utf8))],
                sourceRoot: root, durations: TestHistory(path: "\(directory.path)/history")))
        let writer = TestArchiveWriter(
            tests, options: TestOptions(), environment: environment, processes: ChildRunner())
        _ = try writer.write(to: archive, sourcesWithout: withSources ? [] : nil, threads: 2)
    }

    private func unpack(_ environment: [String: String] = [:], into name: String = "unpacked") throws
        -> TestArchive
    {
        let target = "\(directory.path)/\(name)"
        try removeTree(target)
        try makeDirectories(target)
        return try TestArchive(unpacking: archive, into: target, environment: environment)
    }

    /// Changes the unpacked files and packs them again.
    private func repack(_ change: (String) throws -> Void) throws {
        let contents = "\(directory.path)/changed"
        try removeTree(contents)
        try makeDirectories(contents)
        try TarGzip.unpack(archive, into: contents)
        try change(contents)
        _ = try ArchiveContents.tree(at: contents).writeTarGzip(to: archive, modified: 0)
    }

    private func changeManifest(_ text: String, to other: String) throws {
        try repack { directory in
            let manifest = try readText("\(directory)/manifest.json")
            try #require(manifest.contains(text))
            try writeFile(manifest.replacing(text, with: other), to: "\(directory)/manifest.json")
        }
    }

    @Test func whatARunNeedsIsInTheArchive() throws {
        try pack()
        #expect(
            try TarReader.members(of: GzipReader.decompress(contents(of: archive), limit: 1 << 20)).map(\.path) == [
                "durations", "lists", "lists/0", "manifest.json", "products", "products/DemoTests.xctest",
                "products/demo_DemoTests.resources", "products/demo_DemoTests.resources/data.txt", "products/tool",
            ])
        let unpacked = try unpack()
        #expect(unpacked.sources == nil)
        #expect(unpacked.tests.testCount == 1)
        #expect(unpacked.tests.sourceRoot == root)
        #expect(unpacked.tests.binaryPaths == ["\(directory.path)/unpacked/products/DemoTests.xctest"])
        #expect(unpacked.tests.lists == [Array(Self.list.utf8)])
        #expect(unpacked.environment(["A": "1"]) == ["A": "1"])
    }

    @Test func theSameTestsMakeTheSameArchive() throws {
        try pack()
        let first = try SHA256.digest(ofFile: archive)
        try pack()
        #expect(try SHA256.digest(ofFile: archive) == first)
    }

    @Test func damageIsFoundBeforeATestRuns() throws {
        try pack()
        let whole = try readFile(archive)
        try writeFile(Array(whole.prefix(whole.count / 2)), to: archive)
        #expect(throws: TestArchiveError.self) { try unpack() }
        var flipped = whole
        flipped[whole.count / 2] ^= 1
        try writeFile(flipped, to: archive)
        #expect(throws: TestArchiveError.self) { try unpack() }
        for (file, reason) in [
            ("products/tool", "'products/tool' does not have the digest in its manifest"),
            ("lists/1", "'lists/1' is not in its manifest"),
        ] {
            try writeFile(whole, to: archive)
            try repack { try writeFile("other", to: "\($0)/\(file)") }
            #expect(throws: TestArchiveError.damaged(archive, reason: reason)) { try unpack() }
        }
        try writeFile(whole, to: archive)
        try repack { try removeTree("\($0)/products/tool") }
        #expect(throws: TestArchiveError.damaged(archive, reason: "'products/tool' is missing")) { try unpack() }
        try writeFile(whole, to: archive)
        try repack { try removeTree("\($0)/manifest.json") }
        #expect(throws: TestArchiveError.notTests(archive)) { try unpack() }
        try writeFile(whole, to: archive)
        try changeManifest("\"version\": 1", to: "\"version\": 2")
        #expect(throws: TestArchiveError.newerVersion(archive, 2)) { try unpack() }
    }

    @Test func anotherPlatformIsRefused() throws {
        try pack()
        try changeManifest(Platform.name, to: "linux-riscv64")
        #expect(throws: TestArchiveError.otherPlatform(expected: "linux-riscv64", found: Platform.name)) {
            try unpack()
        }
    }

    @Test func theRuntimeOfTheTestsIsNeeded() throws {
        try pack()
        let core = try directory.write("core", to: "runtime/libswiftCore.so")
        let runtime = parentDirectory(core)
        let digest = try SHA256.digest(ofFile: core).description
        try changeManifest(
            "\"configuration\"",
            to:
                "\"runtime\": {\"directory\": \"/nowhere\", \"libraries\": [\"libXCTest.so\"], \"sha256\": \"\(digest)\"},"
                + "\"configuration\"")
        let path = ["LD_LIBRARY_PATH": runtime]
        #expect {
            try unpack(path)
        } throws: { error in
            guard case TestArchiveError.noRuntime(_, ["libXCTest.so"], [runtime])? = error as? TestArchiveError else {
                return false
            }
            return "\(error)".contains("lacks the Swift runtime")
        }
        _ = try directory.write("", to: "runtime/libXCTest.so")
        // The directory that the tests were linked with does not exist here.
        #expect(try unpack(path).environment([:]) == ["LD_LIBRARY_PATH": runtime])
        _ = try directory.write("another", to: "runtime/libswiftCore.so")
        #expect {
            try unpack(path)
        } throws: { error in
            if case TestArchiveError.otherRuntime(_, core)? = error as? TestArchiveError { true } else { false }
        }
    }

    @Test func onlyMissingLibrariesAreLoadedFromTheArchive() throws {
        try pack()
        let own = try directory.write("own", to: "own/libz.so.1")
        let digest = SHA256.digest(of: Array("packed".utf8))
        try repack { directory in
            try makeDirectories("\(directory)/libraries")
            for name in ["libz.so.1", "libq.so.2"] { try writeFile("packed", to: "\(directory)/libraries/\(name)") }
            let manifest = try readText("\(directory)/manifest.json")
            try writeFile(
                manifest.replacing(
                    "\"libraries\": []",
                    with: """
                        "libraries": [{"name": "libz.so.1", "path": "\(own)"}, {"name": "libq.so.2", "path": "/no/q"}]
                        """
                ).replacing(
                    "\"sha256\": {",
                    with: """
                        "sha256": {"libraries/libz.so.1": "\(digest)", "libraries/libq.so.2": "\(digest)",
                        """), to: "\(directory)/manifest.json")
        }
        let libraries = "\(directory.path)/unpacked/libraries"
        #expect(try unpack().environment(["LD_LIBRARY_PATH": "/mine"]) == ["LD_LIBRARY_PATH": "/mine:\(libraries)"])
        #expect(try listDirectory(libraries) == ["libq.so.2"])
    }

    @Test func sourcesArePutInPlaceWithoutChangingOthers() throws {
        try pack(withSources: true)
        let unpacked = try unpack()
        let sources = try #require(unpacked.sources)
        #expect(try readText("\(sources)/Tests/DemoTests/Fixtures/a.json") == "{}")
        #expect(!fileExists("\(sources)/.build"))
        let target = try directory.write("mine", to: "target/Package.swift")
        try unpacked.placeSources(in: parentDirectory(target))
        #expect(try readText(target) == "mine")
        #expect(try readText("\(directory.path)/target/Tests/DemoTests/Fixtures/a.json") == "{}")
    }
}
