import LaneModel
import Text
import YAML

/// The configuration for CircleCI. Manual jobs are generated only for GitHub, because CircleCI has no form for
/// parameter values.
struct CircleConfig {
    let plan: CIPlan

    /// Returns the file, which includes the jobs of other packages.
    ///
    /// - Parameters:
    ///   - present: The current text of the file.
    ///   - exists: Returns a Boolean value that indicates whether a directory has a package.
    ///   - isRequested: A Boolean value that indicates whether the file should contain the jobs of the package.
    func file(beside present: String?, exists: (String) -> Bool, isRequested: Bool) -> GeneratedFile {
        let jobs = isRequested ? plan.changeJobs.filter { !$0.mayFail } : []
        var file = CircleFile(present)
        file.removePackages(unless: exists)
        file.replace(
            plan.location.name("ci"), with: mapping([("jobs", .list(jobs.map(entry)))]),
            jobs: jobs.map { (name: plan.location.name($0.name), value: node(for: $0)) })
        return file.file
    }

    private func entry(_ job: CIJob) -> YAMLNode {
        let name = plan.location.name(job.name)
        var settings: [(String, YAMLNode?)] = []
        if !job.needs.isEmpty { settings.append(("requires", texts(job.needs.map(plan.location.name)))) }
        let patterns = plan.branches.map { BranchPattern($0) }.map { pattern in
            pattern.isLiteral ? pattern.text : "/\(pattern.regularExpression)/"
        }
        func filter(_ word: String) {
            settings.append(("filters", mapping([("branches", mapping([(word, texts(patterns))]))])))
        }
        if !job.events.contains(.pullRequest) { filter("only") }
        if !job.events.contains(.push) { filter("ignore") }
        return settings.isEmpty ? .text(name) : mapping([(name, mapping(settings))])
    }

    private func node(for job: CIJob) -> YAMLNode {
        let isLinux = job.system.isLinux
        let resources: [CIJob.System: String] = [.linuxARM: "arm.medium", .macos: "m4pro.medium"]
        return mapping([
            ("docker", plan.image(for: job).map { .list([mapping([("image", .text($0))])]) }),
            ("macos", isLinux ? nil : mapping([("xcode", .text("26.0"))])),
            ("parallelism", job.stage == .run ? .integer(job.shards) : nil),
            ("resource_class", .text(resources[job.system] ?? "medium")),
            ("steps", .list(steps(of: job))),
        ])
    }

    private func steps(of job: CIJob) -> [YAMLNode] {
        let machine = "build-\(plan.location.name(job.name))-{{ arch }}-\(plan.image(for: job) ?? "macos")-"
        let prefix = "\(machine){{ checksum \"\(path("Package.swift"))\" }}-"
        var steps: [YAMLNode] = [.text("checkout")]
        if plan.location.hasSubmodules {
            steps.append(run("Check out submodules", "git submodule update --init --recursive", job, in: nil))
        }
        let builds = job.stage == nil || job.stage == .pack
        // Products for another manifest are useful as well.
        if builds { steps.append(restore(from: [prefix + "{{ .Revision }}", prefix, machine])) }
        let tool = plan.toolCache.map { "\($0)-{{ arch }}-\(plan.image(for: job) ?? "macos")" }
        if let tool { steps.append(restore(from: [tool])) }
        steps += plan.setup(for: job).map { run($0, $0, job) }
        steps += plan.toolSteps.map { run($0.name, $0.text, job) }
        if let tool { steps.append(save(CITool.directory, as: tool)) }
        if builds { steps.append(run("Set modification times from file contents", "\(plan.command) ci stamp", job)) }
        steps += shardPreparation(for: job)
        steps += CIShell(plan: plan, job: job).commands.map { run("lane \($0.name)", shardScript($0.text, job), job) }
        steps += shardResults(for: job)
        if job.runsTests {
            steps.append(mapping([("store_test_results", mapping([("path", .text(path(CIShell.reports)))]))]))
        }
        steps += job.artifacts.map { path in mapping([("store_artifacts", mapping([("path", .text(self.path(path)))]))])
        }
        if builds { steps.append(save(path(".build"), as: prefix + "{{ .Revision }}")) }
        return steps
    }

    func restore(from keys: [String]) -> YAMLNode {
        mapping([("restore_cache", mapping([("keys", texts(keys))]))])
    }

    /// Saves a cache on the branches of the plan.
    func save(_ directory: String, as key: String) -> YAMLNode {
        let save = mapping([("save_cache", mapping([("key", .text(key)), ("paths", texts([directory]))]))])
        let branch = "<< pipeline.git.branch >>"
        let tests = plan.branches.map { BranchPattern($0) }.map { pattern in
            pattern.isLiteral
                ? mapping([("equal", texts([pattern.text, branch]))])
                : mapping([
                    (
                        "matches",
                        mapping([("pattern", .text("^\(pattern.regularExpression)$")), ("value", .text(branch))])
                    )
                ])
        }
        let isBranch = mapping([("or", .list(tests))])
        return mapping([("when", mapping([("condition", isBranch), ("steps", .list([save]))]))])
    }

    func path(_ path: String) -> String { plan.location.path(path) }

    private func run(_ name: String, _ command: String, _ job: CIJob) -> YAMLNode {
        run(name, command, job, in: plan.location.below)
    }

    private func run(_ name: String, _ command: String, _ job: CIJob, in directory: String?) -> YAMLNode {
        mapping([
            (
                "run",
                mapping([
                    ("name", .text(Self.literal(name))), ("command", .text(Self.literal(command))),
                    ("working_directory", directory.map { .text(Self.literal($0)) }),
                    ("no_output_timeout", .text("\(job.minutes)m")),
                ])
            )
        ])
    }

    /// `<<` starts an expression in CircleCI.
    private static func literal(_ text: String) -> String { text.replacing("<<", with: "\\<<") }
}
