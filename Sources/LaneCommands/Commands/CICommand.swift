import Arguments
import CIConfig
import Diagnostics
import Files
import LaneModel

/// `lane ci generate`
enum CICommand: Subcommand {
    static let name = "ci"

    private static let task = Key<String?>.positional(
        "task", help: "What to do.", allowed: ["generate", "check", "stamp"])
    private static let force = Key<Bool>.flag(
        "force", help: "With generate: also replace files that were written by hand.")

    private static let allowPlaceholder = Key<Bool>.flag(
        "allow-placeholder", help: "Accept the placeholder for the address that jobs fetch lane from.")

    static let spec = CommandSpec(
        name, abstract: "Generate CI files from the lanes, or check that they are up to date.",
        discussion: """
              generate   writes GitHub's workflows, and what else Lanes/ci/jobs.yml asks for;
                         for a package below a repository's root to where the services read
                         it, under the package's own names
              check      shows what generate would change; status 1 when that is anything
              stamp      dates files by their content, so that a restored .build fits a fresh checkout
            """,
        parameters: [task.spec, force.spec, allowPlaceholder.spec])

    static func run(_ arguments: ParsedArguments, in world: World) throws(CommandFailure) -> ExitStatus {
        switch arguments[task] {
        case "stamp":
            let surroundings = RepositorySurroundings(of: try Project.root(around: world.directory))
            return try SourceStamps(roots: surroundings.packages).write(in: world)
        case "generate", "check":
            let catalog = try LaneCatalog.load(in: world)
            try catalog.requireSound()
            let plan = try soundPlan(of: catalog, in: world)
            if !arguments[allowPlaceholder] { try requireAddress(in: plan) }
            let files = try CIFiles(plan, in: RepositorySurroundings(of: catalog.project.root))
            guard arguments[task] == "generate" else { return try files.check(in: world) }
            let status = try files.write(replacing: arguments[force], in: world)
            for warning in files.namesakes.map(warning)
                + warnings(of: plan, around: catalog.project.root, in: world)
            {
                world.errors.write(DiagnosticText(style: world.style(for: world.errors)).text(for: warning))
            }
            return status
        default: throw CommandFailure(.usage, "what to do is not known", hint: "say 'generate', 'check' or 'stamp'")
        }
    }

    private static func warning(of namesake: (path: String, ours: String)) -> Diagnostic {
        Diagnostic(
            .warning, "GitHub runs '\(namesake.path)' beside '\(namesake.ours)'",
            hint: "remove what both of them do from the one that was written by hand")
    }

    /// Refuses jobs that would all fail, as there is nothing at the address of `lane`.
    private static func requireAddress(in plan: CIPlan) throws(CommandFailure) {
        guard let address = plan.toolRepository, address.hasPrefix("https://\(LaneVersion.placeholder)/") else {
            return
        }
        throw CommandFailure(
            .refused, "jobs would fetch lane from '\(address)', which is a placeholder",
            hint: "set 'lane: { repository: …, version: … }' in \(CIPlanReader.path), or add '--allow-placeholder'")
    }

    /// Warnings about jobs that would never start.
    private static func warnings(of plan: CIPlan, around root: String, in world: World) -> [Diagnostic] {
        var warnings: [Diagnostic] = []
        // Known where the repository was cloned from somewhere.
        let remote = "origin/"
        if let head = world.git(["symbolic-ref", "--quiet", "--short", "refs/remotes/\(remote)HEAD"], in: root),
            head.hasPrefix(remote), !plan.isStarted(by: String(head.dropFirst(remote.count)))
        {
            let branch = head.dropFirst(remote.count)
            warnings.append(
                Diagnostic(
                    .warning, "pushes to '\(branch)', the repository's own branch, would start no job",
                    hint: "say 'branches: [\(branch)]' in \(CIPlanReader.path)"))
        }
        return warnings
    }

    private static func soundPlan(of catalog: LaneCatalog, in world: World) throws(CommandFailure) -> CIPlan {
        do {
            return try plan(of: catalog, in: world)
        } catch {
            throw CommandFailure(error)
        }
    }

    /// What CI is to do, with everything that is wrong with the configuration.
    static func plan(of catalog: LaneCatalog, in world: World) throws(Diagnostics) -> CIPlan {
        let root = catalog.project.root
        let path = "\(root)/\(CIPlanReader.path)"
        var source: SourceFile?
        if fileExists(path) {
            let shown = relativePath(path, to: world.directory)
            do {
                source = SourceFile(path: shown, bytes: try readRegularFile(path))
            } catch {
                let span = Span(file: SourceFile(path: shown, bytes: []), range: 0..<0)
                throw Diagnostics([Diagnostic(.error, obstacle(toReading: path) ?? error.description, at: span)])
            }
        }
        return try CIPlanReader.plan(source, files: catalog.files, defaults: defaults(catalog.project))
    }

    /// A package that does not bring `lane` itself gets it from where it is kept.
    private static func defaults(_ project: Project) -> CIPlan {
        let hasTests = project.hasLaneFiles || mayHaveTests(project.root)
        let location = RepositorySurroundings(of: project.root).location
        let tool = CITool(version: LaneVersion.current, repository: LaneVersion.repository)
        let bringsLane = fileExists("\(project.root)/ci/lane")
        return CIPlan(tool: bringsLane ? nil : tool, hasTests: hasTests, location: location)
    }

    private static func mayHaveTests(_ root: String) -> Bool {
        isDirectory("\(root)/Tests") || ((try? readText("\(root)/Package.swift")) ?? "").contains(".testTarget(")
    }
}
