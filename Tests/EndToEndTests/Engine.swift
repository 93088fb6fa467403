import CLibrary
import OperatingSystem
import TestSupport
import Testing

/// The container engine of this machine, if it can build the image without a download.
enum Engine {
    static let need: Comment = "takes minutes: needs LANE_TEST_CONTAINER=1, Docker, and its image swift:6.3-bookworm"

    static func isReady() async throws -> Bool {
        guard processEnvironment()["LANE_TEST_CONTAINER"] == "1" else { return false }
        return (try? await docker(["image", "inspect", "swift:6.3-bookworm"]).report.succeeded) ?? false
    }

    /// The image of the Dockerfile: the one that `LANE_TEST_IMAGE` names, or one with the program that was built with the tests.
    static var image: String { processEnvironment()["LANE_TEST_IMAGE"] ?? "lane:test" }

    /// A user other than root, so that files of root are detected.
    static let user = getuid() == 0 ? 1234 : getuid()

    static func buildImage() async throws { try await building.value }

    private static let building = Task {
        guard processEnvironment()["LANE_TEST_IMAGE"] == nil else { return }
        let context = try TemporaryDirectory()
        try context.write(quickDockerfile(try readText("\(repositoryRoot)/Dockerfile")), to: "Dockerfile")
        _ = try await capture(
            Command("cp", [BuiltTool.lane.path, "\(context.path)/lane"], environment: plainEnvironment()))
        let build = try await docker(["build", "-q", "-t", image, context.path])
        try #require(build.report.succeeded, "\(build.errorText)")
    }

    /// The Dockerfile with a built program instead of the stage that builds it, which takes minutes.
    private static func quickDockerfile(_ text: String) throws -> String {
        let stages = text.split(separator: "\nFROM ")
        let built = try #require(stages.firstIndex { $0.hasPrefix("toolchain AS build") })
        let copy = "COPY --from=build /usr/local/bin/lane /usr/local/bin/lane"
        let last = try #require(stages.last)
        #expect(built == stages.count - 2 && last.contains(copy))
        // The program finds the Swift libraries in its own directory.
        let libraries = "/usr/lib/swift/linux"
        let lines = "COPY lane \(libraries)/lane\nRUN ln -s \(libraries)/lane /usr/local/bin/lane"
        return (stages[..<built] + [Substring(last.replacing(copy, with: lines))]).joined(separator: "\nFROM ")
    }

    /// Runs `lane` in a container, or another program of the image.
    static func run(_ arguments: [String], in package: MiniPackage, options: [String] = []) async throws -> CapturedRun
    {
        _ = try await capture(
            Command("chmod", ["-R", "a+rwX", package.path], environment: plainEnvironment()))
        let mount = ["--mount", "type=bind,src=\(package.path),dst=/workspace", "-w", "/workspace"]
        return try await docker(
            ["run", "--rm", "--init", "-u", "\(user):\(user)"] + mount + options + [image] + arguments)
    }

    static func owner(of path: String) throws -> uid_t {
        var status = stat()
        guard stat(path, &status) == 0 else { throw POSIXFailure("stat \(path)", errno) }
        return status.st_uid
    }

    static func docker(_ arguments: [String]) async throws -> CapturedRun {
        try await capture(
            Command("docker", arguments, environment: plainEnvironment()), limits: RunLimits(timeout: .seconds(1800)))
    }
}
