import OperatingSystem
import TestSupport
import Testing

/// Compiles the Swift examples of the documentation and the guide, with the module as it was built for the tests.
@Suite struct DocumentationTests {
    private static let root = repositoryRoot

    private func examples(_ path: String) throws -> [String] {
        try readText(path).split(separator: "```swift\n").dropFirst().compactMap { rest in
            let lines = rest.split(separator: "\n", omittingEmptySubsequences: false).prefix { $0 != "```" }
            guard lines.first == "import Tracer" else { return nil }
            return lines.dropFirst().joined(separator: "\n")
        }
    }

    @Test func theExamplesCompile() throws {
        let catalog = "\(Self.root)/Sources/Tracer/Tracer/Tracer.docc"
        let articles = try listDirectory(catalog).filter { $0.hasSuffix(".md") }.map { "\(catalog)/\($0)" }
        let examples = try (articles + ["\(Self.root)/docs/tracer.md"]).flatMap(examples)
        try #require(examples.count >= 4)
        let functions = examples.enumerated().map { "func example\($0.offset)() throws {\n\($0.element)\n}\n" }
        let directory = try TemporaryDirectory()
        try directory.write("import Tracer\n\n" + functions.joined(), to: "examples.swift")
        let run = try ChildRunner().capture(
            Command(
                "swiftc",
                [
                    "-typecheck", "-swift-version", "6", "-parse-as-library", "-enable-upcoming-feature",
                    "MemberImportVisibility", "-I", productsDirectory, "-I", "\(productsDirectory)/Modules",
                    "examples.swift",
                ],
                environment: processEnvironment(), directory: directory.path),
            limits: RunLimits(timeout: .seconds(300)))
        #expect(run.report.succeeded && !run.errorText.contains("error:"), "\(run.errorText)")
    }
}
