import Files
import Processes
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

extension EndToEnd {
    @Suite("The image of the Dockerfile runs lane for any user", .enabled(Engine.need) { try await Engine.isReady() })
    struct ContainerTests {
        @Test("Tests pass, and fail with the status of lane; what they build belongs to the caller")
        func tests() async throws {
            try await Engine.buildImage()
            for (greeting, status) in [("hello", Int32(0)), ("good day", 1)] {
                let package = try MiniPackage(expecting: greeting)
                let run = try await Engine.run(["test"], in: package)
                #expect(run.report.status == status, "\(run.text)\(run.errorText)")
                let owner = try Engine.owner(of: "\(package.path)/.build")
                #expect(owner == Engine.user)
            }
        }
    }
}

/// The container engine of this machine, if it has one that can build our image without fetching anything.
enum Engine {
    static let need: Comment = "takes minutes: needs LANE_TEST_CONTAINER=1, Docker, and its image swift:6.3-bookworm"

    static func isReady() async throws -> Bool {
        guard processEnvironment()["LANE_TEST_CONTAINER"] == "1" else { return false }
        return (try? await docker(["image", "inspect", "swift:6.3-bookworm"]).report.succeeded) ?? false
    }

    private static let image = "lane:test"

    /// Never root, so that a file that root has made is noticed.
    static let user = getuid() == 0 ? 1234 : getuid()

    static func buildImage() async throws {
        let project = parentDirectory(parentDirectory(parentDirectory(#filePath)))
        let build = try await docker(["build", "-q", "-t", image, project])
        try #require(build.report.succeeded, "\(build.errorText)")
    }

    static func run(_ arguments: [String], in package: MiniPackage) async throws -> CapturedRun {
        _ = try await capture(
            Command("chmod", ["-R", "a+rwX", package.path], environment: plainEnvironment()))
        return try await docker(
            [
                "run", "--rm", "--init", "-u", "\(user):\(user)", "--mount",
                "type=bind,src=\(package.path),dst=/workspace",
            ]
                + ["-w", "/workspace", image] + arguments)
    }

    static func owner(of path: String) throws -> uid_t {
        var status = stat()
        guard stat(path, &status) == 0 else { throw POSIXFailure("stat \(path)", errno) }
        return status.st_uid
    }

    private static func docker(_ arguments: [String]) async throws -> CapturedRun {
        try await capture(
            Command("docker", arguments, environment: plainEnvironment()), limits: RunLimits(timeout: .seconds(900)))
    }
}
