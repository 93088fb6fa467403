import OperatingSystem
import TestSupport
import Testing
import Text

@testable import TestEngine

/// Tests of runs without a build whose tests are not built.
@Suite(.startsPrograms) struct NotBuiltTests {
    private func failure(
        targets: String, configuration: String, isSkipped: Bool = true, file: String = "T.swift"
    ) throws -> TestEngineFailure? {
        let place = try TemporaryDirectory()
        try place.write(
            """
            // swift-tools-version: 6.0
            import PackageDescription
            let package = Package(name: "P", targets: [\(targets)])

            """, to: "Package.swift")
        try place.write("", to: "Sources/P/P.swift")
        try place.write("", to: "Tests/PTests/\(file)")
        var options = TestOptions()
        options.build.isSkipped = isSkipped
        options.build.configuration = configuration
        let package = SwiftPackage(
            directory: place.path, environment: FixturePackage.environment, options: options)
        do throws(TestEngineFailure) {
            _ = try package.testBinaries(ChildRunner())
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: ["debug", "release"]) func missingTestsFail(configuration: String) throws {
        let failure = try failure(
            targets: #".target(name: "P"), .testTarget(name: "PTests", dependencies: ["P"])"#,
            configuration: configuration)
        #expect(failure == .notBuilt)
        #expect(failure?.status == .failed)
    }

    /// SwiftPM ignores tests in C.
    @Test func testsMayHaveNoSwift() throws {
        let failure = try failure(
            targets: #".target(name: "P"), .testTarget(name: "PTests", dependencies: ["P"])"#, configuration: "debug",
            isSkipped: false, file: "T.c")
        #expect(failure == .noSwiftTests)
        #expect(failure?.status == .nothingRan)
    }

    @Test func packagesMayHaveNoTests() throws {
        #expect(try failure(targets: #".target(name: "P")"#, configuration: "debug") == .noTestProduct)
    }
}
