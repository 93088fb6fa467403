import OperatingSystem
import TestSupport
import Testing

extension EndToEnd {
    @Suite("The Tracer product in another package")
    struct TracerProductTests {
        /// A program with the first example of the documentation, which depends only on the product `Tracer`.
        private let directory: TemporaryDirectory
        /// The comment with the output of the example. Its number ends with an ellipsis.
        private let shown: String

        init() throws {
            let blocks = CodeBlock.all(in: try readText("\(repositoryRoot)/docs/tracer.md"))
            let example = try #require(blocks.first { $0.language == "swift" && $0.text.contains("import Tracer") })
            let lines = example.text.split(separator: "\n")
            let line = try #require(lines.first { $0.hasPrefix("print") }?.split(separator: "// ").last)
            shown = String(line)
            directory = try TemporaryDirectory(keepingBuildsAs: "outside")
            try directory.write(example.text, to: "Sources/outside/main.swift")
            try directory.write(
                """
                // swift-tools-version: 6.2
                import PackageDescription

                let package = Package(
                    name: "outside",
                    platforms: [.macOS(.v15)],
                    dependencies: [.package(path: "\(repositoryRoot)")],
                    targets: [
                        .executableTarget(
                            name: "outside",
                            dependencies: [.product(name: "Tracer", package: "\(lastPathComponent(repositoryRoot))")])
                    ]
                )

                """, to: "Package.swift")
        }

        /// An optimized build takes most of a minute, so only CI runs it.
        @Test(
            "The first example builds, links and prints what its comment says",
            arguments: processEnvironment()["CI"] == nil ? ["debug"] : ["debug", "release"])
        func example(configuration: String) async throws {
            let words = ["run", "--configuration", configuration, "outside"]
            let run = try await capture(
                Command("swift", words, environment: plainEnvironment(), directory: directory.path),
                limits: RunLimits(timeout: .seconds(900)))
            #expect(run.report.status == 0, "\(run.errorText)")
            #expect(run.text.hasPrefix(shown.prefix { $0 != "…" }), "\(run.text)")
            #expect(run.text.hasSuffix("\(shown.drop { $0 != "[" })\n"), "\(run.text)")
        }
    }
}
