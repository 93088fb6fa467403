import Archives
import Arguments
import CI
import Git
import LaneModel
import OperatingSystem
import Text

/// The command `lane ci`.
enum CICommand: Subcommand {
    static let name = "ci"

    private static let task = Key<String?>.positional(
        "task", help: "The task.", allowed: ["generate", "check", "stamp"])
    private static let force = Key<Bool>.flag(
        "force", help: "With generate: also replace files that are not generated.")

    static let spec = CommandSpec(
        name, abstract: "Generate CI files from the lanes, or check that they are up to date.",
        discussion: """
              generate   write GitHub's workflows, and the other files that Lanes/ci/jobs.yml requires;
                         the files of a package in a subdirectory are at the repository's root,
                         with names that contain the package
              check      print the changes that generate would make; exit status 1 if there are any
              stamp      set file times by content, so that a restored .build is up to date in a new checkout
            """,
        parameters: [task.spec, force.spec])

    static func run(_ arguments: ParsedArguments, in world: World) throws(CommandFailure) -> ExitStatus {
        switch arguments[task] {
        case "stamp":
            let surroundings = RepositorySurroundings(of: try Project.root(around: world.directory))
            return try stamp(surroundings.packages, in: world)
        case "generate", "check":
            let catalog = try LaneCatalog.load(in: world)
            try catalog.requireSound()
            let isGenerating = arguments[task] == "generate"
            if isGenerating { try writeBranches(of: catalog, in: world) }
            let plan = try soundPlan(of: catalog, in: world)
            try requireAddress(in: plan)
            let files = try CIFiles(plan, in: RepositorySurroundings(of: catalog.project.root))
            guard isGenerating else { return try files.check(in: world) }
            let status = try files.write(replacing: arguments[force], in: world)
            for warning in files.namesakes.map(warning)
                + warnings(of: plan, around: catalog.project.root, in: world)
            {
                world.errors.write(DiagnosticText(style: world.style(for: world.errors)).text(for: warning))
            }
            return status
        default: throw CommandFailure(.usage, "the task is missing", hint: "use 'generate', 'check' or 'stamp'")
        }
    }

    /// Sets the modification times of all files in git by their contents, including those in submodules.
    ///
    /// - Parameter roots: The directories of the package and of its dependencies in the repository.
    private static func stamp(_ roots: [String], in world: World) throws(CommandFailure) -> ExitStatus {
        var files: [String] = []
        do throws(OperationFailure) {
            for root in roots {
                let git = world.git(in: root)
                let names = try git.run(["ls-files", "-z", "--recurse-submodules"]).standardOutput.split(separator: 0)
                // Without links and deleted files.
                files += names.map { "\(root)/\(String(pathBytes: $0))" }.filter { fileKind($0) == .file }
            }
        } catch {
            throw CommandFailure(error)
        }
        try convertingFileErrors(to: CommandFailure.self) { () throws(FileError) in
            for path in files { try ContentTime.set(of: path) }
        }
        world.output.writeLine("\(count(files.count, "file")) updated")
        return .done
    }

    private static func warning(of namesake: (path: String, ours: String)) -> Diagnostic {
        Diagnostic(
            .warning, "GitHub runs both '\(namesake.path)' and '\(namesake.ours)'",
            hint: "remove the duplicate jobs from '\(namesake.path)'")
    }

    /// Throws an error if the jobs must fetch `lane` from an unknown repository.
    static func requireAddress(in plan: CIPlan) throws(CommandFailure) {
        guard plan.toolRepository?.isEmpty == true else { return }
        throw CommandFailure(
            .refused, "the repository from which the jobs get lane is unknown",
            hint: "mkdir -p \(parentDirectory(CIPlanReader.path)) && echo 'lane: { repository: https://…, version: "
                + "\(LaneVersion.current) }' >> \(CIPlanReader.path)")
    }

    /// Returns warnings about jobs that would never start, or that take long.
    private static func warnings(of plan: CIPlan, around root: String, in world: World) -> [Diagnostic] {
        var warnings: [Diagnostic] = []
        if let branch = defaultBranch(around: root, in: world) {
            if !plan.isStarted(by: branch) {
                warnings.append(
                    Diagnostic(
                        .warning, "pushes to '\(branch)', the default branch, would not start a job",
                        hint: "set '\(CIPlanReader.line(forBranch: branch))' in \(CIPlanReader.path)"))
            }
        } else {
            let branches = world.git(in: root).branches(of: "origin")
            if !branches.isEmpty, !branches.contains(where: plan.isStarted) {
                warnings.append(
                    Diagnostic(
                        .warning, "pushes to \(list(firstOf: branches.sorted(), joinedBy: "or")) would not start a job",
                        hint: "set 'branches' in \(CIPlanReader.path)"))
            }
        }
        let compiling = plan.compilingJobs
        if !compiling.isEmpty {
            let (noun, verb) = compiling.count == 1 ? ("job", "compiles") : ("jobs", "compile")
            warnings.append(
                Diagnostic(
                    .note,
                    "the \(noun) \(list(compiling.map { "'\($0)'" }, joinedBy: "and")) \(verb) lane in each run, because jobs "
                        + "that may write to the repository use no cache",
                    hint: "set 'sha256' in 'lane' of \(CIPlanReader.path), so that they download the release"))
        }
        return warnings
    }

    private static func defaultBranch(around root: String, in world: World) -> String? {
        world.git(in: root).defaultBranch(of: "origin")
    }

    /// Writes the default branch to the configuration, if the configuration names no branches and no job would start for
    /// pushes to this branch. All clones then generate the same files.
    private static func writeBranches(of catalog: LaneCatalog, in world: World) throws(CommandFailure) {
        let path = "\(catalog.project.root)/\(CIPlanReader.path)"
        guard let branch = defaultBranch(around: catalog.project.root, in: world),
            !(try soundPlan(of: catalog, in: world)).isStarted(by: branch)
        else { return }
        let isWritten = try convertingFileErrors(to: CommandFailure.self) { () throws(FileError) in
            let old = fileExists(path) ? try readText(path) : ""
            guard let text = CIPlanReader.configuration(old, adding: branch) else { return false }
            try makeDirectories(parentDirectory(path))
            try writeFile(text, to: path)
            return true
        }
        guard isWritten else { return }
        world.output.writeLine("written  \(CIPlanReader.path)")
    }

    static func soundPlan(of catalog: LaneCatalog, in world: World) throws(CommandFailure) -> CIPlan {
        do {
            return try plan(of: catalog, in: world)
        } catch {
            throw CommandFailure(error)
        }
    }

    /// Returns the CI plan of a package. Throws the errors of its configuration.
    static func plan(of catalog: LaneCatalog, in world: World) throws(Diagnostics) -> CIPlan {
        let root = catalog.project.root
        let path = "\(root)/\(CIPlanReader.path)"
        var source: SourceFile?
        if fileExists(path) {
            let shown = relativePath(path, to: world.directory)
            do {
                source = SourceFile(path: shown, bytes: try readFile(path))
            } catch {
                let span = Span(file: SourceFile(path: shown, bytes: []), range: 0..<0)
                throw Diagnostics([Diagnostic(.error, obstacle(toReading: path) ?? error.description, at: span)])
            }
        }
        return try CIPlanReader.plan(source, files: catalog.files, defaults: defaults(catalog, in: world))
    }

    /// Returns the default plan. A package without `ci/lane` fetches `lane`.
    private static func defaults(_ catalog: LaneCatalog, in world: World) -> CIPlan {
        let project = catalog.project
        let manifest = (try? readText("\(project.root)/Package.swift")) ?? ""
        let hasTests =
            catalog.files["test"]?.isBuiltIn == false || isDirectory("\(project.root)/Tests")
            || manifest.contains(".testTarget(")
        let hasProducts = catalog.files["package"]?.isBuiltIn == false || mayHaveProducts(manifest)
        let surroundings = RepositorySurroundings(of: project.root)
        let tool = CITool(version: LaneVersion.current, repository: world.laneRepository)
        let bringsLane = fileExists("\(project.root)/ci/lane")
        return CIPlan(
            tool: bringsLane ? nil : tool, image: SwiftImage.selected(in: surroundings), hasTests: hasTests,
            hasProducts: hasProducts, location: surroundings.location)
    }

    /// Returns `false` for a package of plugins, which are used as sources and not packaged.
    private static func mayHaveProducts(_ manifest: String) -> Bool {
        !manifest.contains(".plugin(")
            || [".library(", ".executable(", ".executableTarget("].contains { manifest.contains($0) }
    }
}
