import OperatingSystem
import TestSupport
import Testing

extension EndToEnd {
    @Suite("The commands of each recipe print the output that the page shows")
    struct RecipeTests {
        @Test(arguments: try Recipe.all())
        func commandsDoWhatIsShown(_ recipe: Recipe) async throws {
            if let tool = recipe.missingTool { try Test.cancel("this machine has no \(tool)") }
            for image in recipe.images {
                let found = try await capture(
                    Command("docker", ["image", "inspect", image], environment: Recipe.environment))
                if !found.report.succeeded { try Test.cancel("Docker is not running, or has no image \(image)") }
            }
            let directory = try recipe.repository()
            for command in recipe.commands {
                let run = try await capture(
                    Command(
                        "sh", ["-c", "exec 2>&1; \(command.line)"], environment: Recipe.environment,
                        directory: directory.path))
                #expect((run.report.status != 0) == command.fails, "\(command.line): \(run.text)")
                var rest = run.text[...]
                for line in command.output {
                    let found = rest.firstRange(of: line)
                    #expect(found != nil, "\(command.line) prints no '\(line)' here: \(rest)")
                    if let found { rest = rest[found.upperBound...] }
                }
            }
        }
    }
}

/// A page of `docs/recipes`: the files of a repository, whose paths are in `title`, and commands with their output.
struct Recipe: Sendable, CustomTestStringConvertible {
    struct ShownCommand: Sendable {
        let line: String
        /// Parts of its output, in this order.
        var output: [String] = []

        var fails: Bool { line.hasSuffix("# fails") }
    }

    let name: String
    private(set) var files: [(path: String, text: String)] = []
    private(set) var commands: [ShownCommand] = []

    var testDescription: String { name }

    static func all() throws -> [Recipe] {
        let directory = "\(repositoryRoot)/docs/recipes"
        let pages = try listDirectory(directory).filter { $0.hasSuffix(".md") }
        let recipes = try pages.map { try Recipe(name: $0, page: try readText("\(directory)/\($0)")) }
        let library = try #require(recipes.first { $0.name == "library.md" })
        return recipes.filter { !$0.commands.isEmpty }.map { $0.withPackage(of: library) }
    }

    /// Returns the recipe, with the package of another recipe if it has none.
    private func withPackage(of library: Recipe) -> Recipe {
        var recipe = self
        if !files.contains(where: { $0.path.hasSuffix(".swift") }) {
            recipe.files += library.files.filter { $0.path.hasSuffix(".swift") }
        }
        return recipe
    }

    private init(name: String, page: String) throws {
        self.name = name
        for block in CodeBlock.all(in: page) {
            if block.language == "console" {
                for line in block.lines where !line.isEmpty {
                    if line.hasPrefix("$ ") {
                        commands.append(ShownCommand(line: String(line.dropFirst(2))))
                    } else {
                        commands[commands.count - 1].output.append(String(line.trimmingPrefix { $0 == " " }))
                    }
                }
            } else {
                let title = block.language.split(separator: "title=\"").dropFirst().first?.dropLast()
                files.append((String(try #require(title, "a block of \(name) has no title")), block.text))
            }
        }
    }

    /// A program that the recipe needs, and that this machine does not have.
    var missingTool: String? {
        ["python3", "curl", "docker", "hyperfine"].first { tool in
            (files.map(\.text) + commands.map(\.line)).contains { $0.contains(tool) } && !hasTool(tool)
        }
    }

    /// The container images of its services. Tests don't download images.
    var images: [String] {
        files.flatMap { $0.text.matches(of: /image: "([^"]+)"/).map { String($0.1) } }
    }

    /// Creates the repository with its files in one commit.
    func repository() throws -> TemporaryDirectory {
        let directory = try TemporaryDirectory(keepingBuildsAs: name)
        for file in files {
            try directory.write(file.text, to: file.path, mode: file.text.hasPrefix("#!") ? 0o755 : 0o644)
        }
        try directory.write(".build/\n", to: ".gitignore")
        let script = "git init -q -b main && git add -A && git commit -q -m 'Start'"
        let run = try ChildRunner().capture(
            Command("sh", ["-c", script], environment: Self.environment, directory: directory.path))
        #expect(run.report.succeeded, "\(run.errorText)")
        return directory
    }

    /// The environment of the tests, with the built `lane` in `PATH`.
    static var environment: [String: String] {
        var environment = plainEnvironment()
        environment["PATH"] = "\(parentDirectory(BuiltTool.lane.path)):\(environment["PATH"] ?? "")"
        return environment
    }
}
