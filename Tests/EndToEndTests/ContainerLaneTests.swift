import OperatingSystem
import TestSupport
import Testing

extension EndToEnd {
    /// Builds packages, which takes some minutes for each kind.
    @Suite("Every built-in lane runs in the image", .enabled(Engine.need) { try await Engine.isReady() })
    struct ContainerLaneTests {
        @Test("A fresh package is built, tested, packed and released", arguments: FreshPackage.allCases)
        func freshPackages(_ kind: FreshPackage) async throws {
            try await Engine.buildImage()
            let package = try await kind.make()
            let names = try await BuiltTool.lane.run(["list", "--json"], in: package.path).text
            for name in ["build", "test", "package", "release"] { #expect(names.contains("\"\(name)\""), "\(names)") }

            let script = """
                for words in build test package 'release 0.2.0'; do
                    lane $words || echo "lane $words failed with status $?"
                done
                """
            let inside = try await Engine.run(["-c", script], in: package, options: ["--entrypoint", "sh"])
            #expect(inside.report.succeeded && !inside.text.contains("failed with status"), "\(inside.text)")
            #expect(try await package.git("tag", "--list") == "0.2.0\n", "\(inside.text)\(inside.errorText)")

            for words in [["build"], ["test"], ["package"], ["release", "0.3.0"]] {
                let outside = try await BuiltTool.lane.run(
                    words + ["--in", "docker", "--image", Engine.image], in: package.path,
                    limits: RunLimits(timeout: .seconds(1800)))
                #expect(outside.report.status == 0, "lane \(words): \(outside.text)\(outside.errorText)")
            }
            #expect(try await package.git("tag", "--list") == "0.2.0\n0.3.0\n")
            #expect(try await package.git("status", "--porcelain") == "")
        }
    }
}

/// The kinds of packages, which are built and packed differently.
enum FreshPackage: String, CaseIterable {
    case library, executable, plugin

    /// Creates a package in a repository with a configured author.
    func make() async throws -> MiniPackage {
        let package = try MiniPackage()
        let products = ".library(name: \"Mini\", targets: [\"Mini\"])"
        let manifest = try package.directory.read("Package.swift")
        switch self {
        case .library: break
        case .executable:
            try package.directory.write(
                manifest.replacing(products, with: ".executable(name: \"mini\", targets: [\"mini-tool\"])").replacing(
                    "targets: [.target(name: \"Mini\")",
                    with:
                        "targets: [.target(name: \"Mini\"), .executableTarget(name: \"mini-tool\", dependencies: [\"Mini\"])"
                ),
                to: "Package.swift")
            try package.directory.write("import Mini\nprint(greeting)\n", to: "Sources/mini-tool/main.swift")
        case .plugin:
            try package.directory.write(
                manifest.replacing(
                    products, with: products + ", .plugin(name: \"Generate\", targets: [\"Generate\"])"
                ).replacing(
                    "targets: [.target(name: \"Mini\")",
                    with: """
                        targets: [
                                .target(name: "Mini", plugins: ["Generate"]), .executableTarget(name: "generator"),
                                .plugin(name: "Generate", capability: .buildTool(), dependencies: ["generator"])
                        """), to: "Package.swift")
            try removeTree("\(package.path)/Sources/Mini/Mini.swift")
            try package.directory.write(
                """
                import Glibc
                guard let file = fopen(CommandLine.arguments[1], "w") else { exit(1) }
                fputs("public let greeting = \\\"hello\\\"\\n", file)
                fclose(file)

                """, to: "Sources/generator/main.swift")
            try package.directory.write(
                """
                import PackagePlugin

                @main struct Generate: BuildToolPlugin {
                    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
                        let output = context.pluginWorkDirectoryURL.appending(path: "Generated.swift")
                        return [
                            .buildCommand(
                                displayName: "Generate", executable: try context.tool(named: "generator").url,
                                arguments: [output.path(percentEncoded: false)], outputFiles: [output])
                        ]
                    }
                }

                """, to: "Plugins/Generate/Generate.swift")
        }
        try await package.commit()
        try await package.git("config", "user.name", "A Tester")
        try await package.git("config", "user.email", "tester@example.com")
        return package
    }
}
