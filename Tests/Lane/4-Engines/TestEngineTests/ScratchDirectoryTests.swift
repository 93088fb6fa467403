import OperatingSystem
import TestSupport
import Testing

@testable import TestEngine

@Suite struct ScratchDirectoryTests {
    /// The engine and SwiftPM compute the same directory.
    @Test(arguments: [nil, ".build/variable", "/tmp/variable"], [nil, "--scratch-path", "--build-path"])
    func itIsTheDirectoryOfSwiftPM(_ variable: String?, _ option: String?) throws {
        let place = try TemporaryDirectory()
        try place.write(
            """
            // swift-tools-version: 6.0
            import PackageDescription
            let package = Package(name: "P")
            """, to: "Package.swift")
        var environment = FixturePackage.environment
        environment["SWIFTPM_BUILD_DIR"] = variable
        var options = TestOptions()
        if let option { options.build.arguments = [option, "option"] }
        let directory = try #require(resolvedPath(place.path))
        let package = SwiftPackage(directory: directory, environment: environment, options: options)
        let run = try ChildRunner().capture(package.swift("build", ["--show-bin-path"]))
        #expect(run.report.succeeded, "\(run.errorText)")
        #expect(run.text.hasPrefix(package.scratchDirectory + "/"), "\(run.text)")
    }
}
