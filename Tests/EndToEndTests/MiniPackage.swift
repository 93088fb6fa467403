import OperatingSystem
import TestSupport

/// A package with one library and one test in a temporary directory, small enough to build in seconds.
struct MiniPackage {
    let directory: TemporaryDirectory
    var path: String { directory.path }

    /// The value of `greeting` that the test expects; the actual value is `hello`.
    ///
    /// - Parameter name: The name under which its build is kept for the next run of the tests.
    init(expecting greeting: String = "hello", lanes: [String: String] = [:], keepingBuildsAs name: String? = nil)
        throws
    {
        directory = try name.map(TemporaryDirectory.init(keepingBuildsAs:)) ?? TemporaryDirectory()
        try directory.write(
            """
            // swift-tools-version: 6.0
            import PackageDescription

            let package = Package(
                name: "mini",
                products: [.library(name: "Mini", targets: ["Mini"])],
                targets: [.target(name: "Mini"), .testTarget(name: "MiniTests", dependencies: ["Mini"])]
            )

            """, to: "Package.swift")
        try directory.write(
            """
            public let greeting = "hello"

            """, to: "Sources/Mini/Mini.swift")
        try directory.write(
            """
            public enum MiniVersion {
                public static let current = "0.1.0"
            }

            """, to: "Sources/Mini/MiniVersion.swift")
        try directory.write(
            """
            import Mini
            import Testing

            @Test func greets() {
                #expect(greeting == "\(greeting)")
            }

            @Test func hasAVersion() {
                #expect(MiniVersion.current.contains("."))
            }

            """, to: "Tests/MiniTests/MiniTests.swift")
        try directory.write(".build/\n.lane/\ndist/\n", to: ".gitignore")
        for (name, text) in lanes { try directory.write(text, to: "Lanes/\(name).yml") }
    }

    /// Creates a repository with one commit on `main` in the package.
    func commit() async throws {
        try await git("init", "-q", "-b", "main")
        try await git("add", "-A")
        try await git("commit", "-q", "-m", "Mini: a greeting")
    }

    @discardableResult
    func git(_ arguments: String...) async throws -> String {
        let run = try await capture(Command("git", arguments, environment: plainEnvironment(), directory: path))
        guard run.report.succeeded else { throw GitFailure(description: run.errorText) }
        return run.text
    }

    /// HEAD, all references, the state of the checkout and all worktrees, which a release may change.
    func state() async throws -> RepositoryState {
        RepositoryState(
            head: try await git("rev-parse", "HEAD") + git("symbolic-ref", "HEAD"), refs: try await git("for-each-ref"),
            status: try await git("status", "--porcelain", "--untracked-files=all"),
            version: try directory.read("Sources/Mini/MiniVersion.swift"))
    }

    struct GitFailure: Error, CustomStringConvertible {
        let description: String
    }
}

struct RepositoryState: Equatable {
    let head: String
    let refs: String
    let status: String
    let version: String
}
