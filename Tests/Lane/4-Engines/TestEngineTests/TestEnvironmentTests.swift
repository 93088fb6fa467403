import OperatingSystem
import TestSupport
import Testing

@testable import TestEngine

@Suite struct TestEnvironmentTests {
    /// A preloaded library precedes that of the sanitizer, which then refuses to run.
    @Test(
        arguments: [
            { (build: inout TestBuild) in build.sanitizers = ["address"] },
            { (build: inout TestBuild) in build.sanitizers = ["thread", "address"] },
            { (build: inout TestBuild) in build.arguments = ["--sanitize=address"] },
            { (build: inout TestBuild) in build.arguments = ["--sanitize", "thread"] },
        ] as [@Sendable (inout TestBuild) -> Void])
    func nothingIsPreloadedBesideASanitizer(change: @Sendable (inout TestBuild) -> Void) throws {
        let scratch = try TemporaryDirectory()
        var options = TestOptions()
        change(&options.build)
        let package = SwiftPackage(
            directory: scratch.path, environment: FixturePackage.environment, options: options)
        #expect(LineBuffering(of: package, ChildRunner(), scratch: scratch.path) == nil)
    }
}
