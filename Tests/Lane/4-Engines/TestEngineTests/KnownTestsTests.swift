import Events
import OperatingSystem
import Synchronization
import TestSupport
import Testing

@testable import TestEngine

@Suite struct KnownTestsTests {
    private let place: TemporaryDirectory
    private let known: KnownTests
    private var binary: TestBinary { TestBinary(path: "\(place.path)/P.xctest", eventStream: .version63) }

    init() throws {
        place = try TemporaryDirectory()
        try place.write("binary", to: "P.xctest")
        try place.write("", to: "\(FixturePackage.scratch)/debug/x")
        known = Self.known(of: place, at: 1)
    }

    private static func known(of place: TemporaryDirectory, at index: Int) -> KnownTests {
        let package = SwiftPackage(
            directory: place.path, environment: FixturePackage.environment, options: TestOptions())
        return KnownTests(of: "\(place.path)/P.xctest", at: index, in: package)
    }

    private static func test(
        _ library: TestLibrary, _ name: String, displayName: String? = nil, location: Events.SourceLocation? = nil,
        isParameterized: Bool = false, hasDuplicateName: Bool = false, suiteDisplayNames: [String] = []
    ) -> ListedTest {
        let info = TestInfo(
            id: TestID(library: library, module: "M", suite: "", name: name), displayName: displayName,
            location: location, isParameterized: isParameterized)
        return ListedTest(
            info: info, binary: 1, selector: "M.\(name)", hasDuplicateName: hasDuplicateName,
            suiteDisplayNames: suiteDisplayNames)
    }

    private let tests: [ListedTest] = [
        Self.test(.xctest, "testA"),
        Self.test(
            .swiftTesting, "größe(of:)", displayName: "two\nlines\tand 🐢",
            location: Events.SourceLocation(path: "Tests/M/A b.swift", line: 7, column: 2), isParameterized: true),
        Self.test(.swiftTesting, "b() B.swift:1:2", displayName: "", hasDuplicateName: true),
        Self.test(.swiftTesting, "d()", suiteDisplayNames: ["Dis play", "", "d"]),
        Self.test(.swiftTesting, "e()", displayName: "d", suiteDisplayNames: ["Dis play"]),
        Self.test(.swiftTesting, "c()", location: Events.SourceLocation(path: "C.swift", line: 3)),
    ]

    @Test func listedTestsAreCached() throws {
        known.write(binary, tests)
        let (again, listed) = try #require(known.read())
        #expect(again == binary)
        #expect(listed == tests)
    }

    @Test func noTestsAtAllAreKnownToo() throws {
        known.write(binary, [])
        #expect(try #require(known.read()).1.isEmpty)
    }

    @Test func anotherBinaryIsAsked() throws {
        known.write(binary, tests)
        try place.write("linked again", to: "P.xctest")
        #expect(known.read() == nil)
        #expect(Self.known(of: place, at: 2).read() == nil)
    }

    @Test func aBinaryIsAskedOnceUntilItIsLinkedAgain() throws {
        let processes = ListingBinary()
        let lister = TestLister(
            package: SwiftPackage(
                directory: place.path, environment: FixturePackage.environment, options: TestOptions()),
            processes: processes, limits: RunLimits(), scratch: place.path)
        let first = try lister.list(binary.path, at: 0)
        let second = try lister.list(binary.path, at: 0)
        #expect(first.tests.map { "\($0.id)" } == ["M.C/testA"])
        #expect(second.binary == first.binary)
        #expect(second.tests == first.tests)
        // One process for each library, and one for the locations.
        #expect(processes.count == 3)
        try place.write("linked again", to: "P.xctest")
        _ = try lister.list(binary.path, at: 0)
        #expect(processes.count == 6)
    }

    @Test func displayNamesOfSuitesComeWithTheTests() throws {
        let binary = HalfBinary(broken: [])
        let lister = TestLister(
            package: SwiftPackage(
                directory: place.path, environment: FixturePackage.environment, options: TestOptions()),
            processes: binary, limits: RunLimits(), scratch: place.path)
        for _ in ["asked", "known"] {
            let tests = try lister.list("\(place.path)/P.xctest", at: 0).tests
            #expect(tests.map { "\($0.id)" } == ["M.C/testA", "M.`a/b`/Inner/b()"])
            #expect(tests.map(\.suiteDisplayNames) == [[], ["a/b", "Dis play"]])
        }
        #expect(binary.listings == 2)
    }

    @Test func oneThatGaveNoEventStreamIsAskedAgain() throws {
        known.write(TestBinary(path: binary.path), tests)
        #expect(known.read() == nil)
    }

    @Test(arguments: ["M\u{1E}", "M\u{1F}"])
    func aNameThatWouldBeMisreadKeepsTheListFromBeingWritten(_ name: String) throws {
        known.write(binary, [Self.test(.swiftTesting, name)])
        #expect(known.read() == nil)
    }

    @Test func aFileThatIsNotWholeIsPassedOver() throws {
        known.write(binary, tests)
        let path = "\(FixturePackage.scratch)/lane-tests-debug-1.list"
        let text = try place.read(path)
        for length in 0..<text.utf8.count {
            try place.write(String(decoding: text.utf8.prefix(length), as: UTF8.self), to: path)
            #expect(known.read() == nil, "cut to \(length) bytes")
        }
    }
}

/// Simulates a test binary with one XCTest case and no function.
private final class ListingBinary: ProcessRunner {
    private let runs = Atomic(0)

    var count: Int { runs.load(ordering: .relaxed) }

    func run(
        _ command: Command, limits: RunLimits, output: (OutputSource, UnsafeRawBufferPointer) -> Void
    ) throws(SpawnError) -> ExitReport {
        runs.wrappingAdd(1, ordering: .relaxed)
        let isXCTest = !command.arguments.contains("swift-testing")
        if isXCTest {
            "Listing 1 tests in P.xctest:\n\nM.C/testA\n".utf8.withContiguousStorageIfAvailable { bytes in
                output(.standardOutput, UnsafeRawBufferPointer(bytes))
            }
        }
        return ExitReport(termination: .exited(isXCTest ? 0 : 69), duration: .zero)
    }
}
