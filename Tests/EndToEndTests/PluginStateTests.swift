import OperatingSystem
import TestSupport
import Testing

extension EndToEnd {
    @Suite("Alternating builds by lane and by swift")
    struct PluginStateTests {
        /// A package whose plugin generates a source file of the target.
        private static let files = [
            "Package.swift": """
            // swift-tools-version: 6.0
            import PackageDescription

            let package = Package(
                name: "mini",
                targets: [
                    .target(name: "Mini", plugins: ["Generate"]),
                    .testTarget(name: "MiniTests", dependencies: ["Mini"]),
                    .plugin(name: "Generate", capability: .buildTool()),
                ]
            )

            """,
            "Plugins/Generate/Generate.swift": """
            import PackagePlugin

            @main struct Generate: BuildToolPlugin {
                func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
                    let output = context.pluginWorkDirectoryURL.appending(path: "Generated.swift")
                    return [
                        .buildCommand(
                            displayName: "generate", executable: .init(filePath: "/bin/sh"),
                            arguments: ["-c", "echo 'let generated = true' > '\\(output.path)'"], outputFiles: [output])
                    ]
                }
            }

            """,
        ]
        private static let lane = "steps:\n  - build: { arguments: [--build-tests] }\n  - test: {}\n"

        @Test("Plugins are compiled once for both", .enabled(if: hasTool("bash")))
        func compiledOnce() async throws {
            let package = try MiniPackage(
                lanes: ["both": Self.lane, "test": "steps:\n  - test: {}\n"], keepingBuildsAs: "plugin")
            for (name, text) in Self.files { try package.directory.write(text, to: name) }
            // The test process marks the processes that it starts. A user's shell sets no mark.
            let script = """
                unset LANE_CHILD
                plugin() { stat -L -c %i,%y "${SWIFTPM_BUILD_DIR:-.build}/plugins/cache/Generate"; }
                swift build --build-tests && plugin || exit 1
                "$0" test && plugin || exit 1
                "$0" both && plugin || exit 1
                swift build --build-tests && plugin
                """
            // Commands of lane files find 'lane' in PATH, by a longer PATH if need be.
            var environment = plainEnvironment()
            let directories = (environment["PATH"] ?? "").split(separator: ":")
            environment["PATH"] = directories.filter { !fileExists("\($0)/lane") }.joined(separator: ":")
            let run = try await capture(
                Command(
                    "bash", ["-c", "{ \(script)\n} | tee log | grep ' +0000$'", BuiltTool.lane.path],
                    environment: environment, directory: package.path),
                limits: RunLimits(timeout: .seconds(900)))
            let seen = run.text.split(separator: "\n")
            let log = try package.directory.read("log")
            #expect(seen.count == 4 && Set(seen).count == 1, "\(run.text)\(log)\(run.errorText)")
        }
    }
}
