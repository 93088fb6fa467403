import OperatingSystem
import TestSupport
import Testing

extension EndToEnd {
    @Suite("The first examples work in a package that 'swift package init' made")
    struct NewPackageTests {
        /// The commands of the README and of the first page of the guide that need nothing else: no address of `lane`, and
        /// no shell that completes words.
        private static func commands() throws -> [String] {
            let needsMore = ["completions", "--ci", "ci generate"]
            return try ["README.md", "docs/getting-started.md"].flatMap { page in
                CodeBlock.all(in: try readText("\(repositoryRoot)/\(page)")).filter { $0.language == "console" }
                    .flatMap(\.lines)
            }.compactMap { line in
                guard line.hasPrefix("$ lane") || line.hasPrefix("$ swift"),
                    !needsMore.contains(where: { line.contains($0) })
                else { return nil }
                let words = line.dropFirst(2).split(separator: "#", maxSplits: 1)[0]
                return String(words).replacing("PATTERN", with: "example")
            }
        }

        /// Creates a package with the lane files of the two pages, in one commit.
        private func package(_ kind: String) async throws -> TemporaryDirectory {
            let directory = try TemporaryDirectory(keepingBuildsAs: "new-\(kind)")
            try await shell("swift package init --quiet --name Fresh --type \(kind)", in: directory)
            for page in ["README.md", "docs/getting-started.md"] {
                for block in CodeBlock.all(in: try readText("\(repositoryRoot)/\(page)")) where block.language == "yaml"
                {
                    let name = try #require(block.lines.first?.dropFirst(2))
                    try directory.write(block.text, to: String(name))
                }
            }
            try await shell("git init -q -b main; git add -A; git commit -q -m 'Begin'", in: directory)
            return directory
        }

        private func shell(_ script: String, in directory: TemporaryDirectory) async throws {
            let run = try await capture(
                Command("sh", ["-euc", script], environment: Recipe.environment, directory: directory.path),
                limits: RunLimits(timeout: .seconds(600)))
            #expect(run.report.succeeded, "\(script): \(run.text)\(run.errorText)")
        }

        @Test("All commands of the pages succeed in a library")
        func library() async throws {
            let package = try await package("library")
            let commands = try Self.commands()
            #expect(commands.count > 15)
            for command in commands + ["lane validate"] {
                // The guide tells to commit the lanes before a release. Nothing else may be in the way of it.
                if command.hasPrefix("lane release") {
                    try await shell(
                        """
                        git add Lanes
                        git commit -q --allow-empty -m 'Add a feature'
                        changed=$(git status --porcelain)
                        [ -z "$changed" ] || { echo "$changed"; exit 1; }
                        """, in: package)
                }
                try await shell(command, in: package)
            }
        }

        @Test("The lanes of the pages succeed in a program")
        func executable() async throws {
            let package = try await package("executable")
            try await shell("lane nightly; lane validate", in: package)
        }
    }
}
