import LaneModel
import Text
import YAML

extension CIFormat {
    static let circleci = CIFormat(
        name: "circleci", sharedPath: CircleFile.path, problems: { CircleConfig(plan: $0).problems },
        files: { [CircleConfig(plan: $0).file(beside: $1, exists: $2)] })
}

/// The configuration for CircleCI. Manual jobs are generated only for GitHub, because CircleCI has no form for
/// parameter values.
struct CircleConfig {
    let plan: CIPlan

    var problems: [CIPlanProblem] {
        plan.branches.filter { $0.hasPrefix("!") }.prefix(1).map { excluded in
            CIPlanProblem(
                "branches", "CircleCI has no pattern for branches other than '\(excluded.dropFirst())'",
                hint: "list the branches that run the jobs")
        }
    }

    /// Returns the file, which includes the jobs of other packages, and those of the package if it uses CircleCI.
    ///
    /// - Parameters:
    ///   - present: The current text of the file.
    ///   - exists: Returns a Boolean value that indicates whether a directory has a package.
    func file(beside present: String?, exists: (String) -> Bool) -> GeneratedFile {
        let isRequested = plan.services.contains(CIFormat.circleci.name)
        let jobs = isRequested ? plan.changeJobs.filter { !$0.mayFail } : []
        var file = CircleFile(present)
        file.removePackages(unless: exists)
        file.replace(
            plan.location.name("ci"), with: ["jobs": .list(jobs.map(entry))],
            jobs: jobs.map { (name: plan.location.name($0.name), value: node(for: $0)) })
        return file.file
    }

    private func entry(_ job: CIJob) -> YAMLNode {
        let name = plan.location.name(job.name)
        let patterns = plan.branches.map { BranchPattern($0) }.map { pattern in
            pattern.isLiteral ? pattern.text : "/\(pattern.regularExpression)/"
        }
        var filter: String?
        if !job.events.contains(.pullRequest) { filter = "only" }
        if !job.events.contains(.push) { filter = "ignore" }
        guard filter != nil || !job.needs.isEmpty else { return .text(name) }
        return [
            name: [
                "requires": job.needs.isEmpty ? nil : texts(job.needs.map(plan.location.name)),
                "filters": filter.map { ["branches": [$0: texts(patterns)]] },
            ]
        ]
    }

    private func node(for job: CIJob) -> YAMLNode {
        let isLinux = job.system.isLinux
        let resources: [CIJob.System: String] = [.linuxARM: "arm.medium", .macos: "m4pro.medium"]
        return [
            "docker": plan.image(for: job).map { .list([["image": .text($0)]]) },
            "macos": isLinux ? nil : ["xcode": "26.0"], "parallelism": job.stage == .run ? .integer(job.shards) : nil,
            "resource_class": .text(resources[job.system] ?? "medium"), "steps": .list(steps(of: job)),
        ]
    }

    private func steps(of job: CIJob) -> [YAMLNode] {
        let machine = "build-\(plan.location.name(job.name))-{{ arch }}-\(plan.image(for: job) ?? "macos")-"
        let prefix = "\(machine){{ checksum \"\(path("Package.swift"))\" }}-"
        var steps: [YAMLNode] = ["checkout"]
        if plan.location.hasSubmodules {
            steps.append(run("Check out submodules", "git submodule update --init --recursive", job, in: nil))
        }
        // Products for another manifest are useful as well.
        if job.builds { steps.append(restore(from: [prefix + "{{ .Revision }}", prefix, machine])) }
        let tool = plan.toolCache.map { "\($0)-{{ arch }}-\(plan.image(for: job) ?? "macos")" }
        if let tool { steps.append(restore(from: [tool])) }
        steps += plan.setup(for: job).map { run($0, $0, job) }
        steps += plan.toolSteps.map { run($0.name, $0.text, job) }
        if let tool { steps.append(save(CITool.directory, as: tool)) }
        if job.builds { steps.append(run(plan.stamp.name, plan.stamp.text, job)) }
        steps += shardPreparation(for: job)
        steps += CIShell(plan: plan, job: job).commands.map { run("lane \($0.name)", shardScript($0.text, job), job) }
        steps += shardResults(for: job)
        if job.runsTests {
            steps.append(["store_test_results": ["path": .text(path(CIShell.reports))]])
        }
        steps += job.artifacts.map { ["store_artifacts": ["path": .text(path($0))]] }
        if job.builds { steps.append(save(path(".build"), as: prefix + "{{ .Revision }}")) }
        return steps
    }

    func restore(from keys: [String]) -> YAMLNode {
        ["restore_cache": ["keys": texts(keys)]]
    }

    /// Saves a cache on the branches of the plan.
    func save(_ directory: String, as key: String) -> YAMLNode {
        let save: YAMLNode = ["save_cache": ["key": .text(key), "paths": texts([directory])]]
        let branch = "<< pipeline.git.branch >>"
        let tests: [YAMLNode] = plan.branches.map { BranchPattern($0) }.map { pattern in
            pattern.isLiteral
                ? ["equal": texts([pattern.text, branch])]
                : ["matches": ["pattern": "^\(pattern.regularExpression)$", "value": .text(branch)]]
        }
        let isBranch: YAMLNode = ["or": .list(tests)]
        return ["when": ["condition": isBranch, "steps": [save]]]
    }

    func path(_ path: String) -> String { plan.location.path(path) }

    private func run(_ name: String, _ command: String, _ job: CIJob) -> YAMLNode {
        run(name, command, job, in: plan.location.below)
    }

    private func run(_ name: String, _ command: String, _ job: CIJob, in directory: String?) -> YAMLNode {
        [
            "run": [
                "name": .text(Self.literal(name)), "command": .text(Self.literal(command)),
                "working_directory": directory.map { .text(Self.literal($0)) }, "no_output_timeout": "\(job.minutes)m",
            ]
        ]
    }

    /// `<<` starts an expression in CircleCI.
    private static func literal(_ text: String) -> String { text.replacing("<<", with: "\\<<") }
}

/// The steps that transfer packed tests, recorded times and results between the jobs of sharded tests.
extension CircleConfig {
    /// Returns the script of a job's command. A shard succeeds if it has reported, even with failed tests. Otherwise,
    /// CircleCI would not start the job that merges the results, which fails because of them.
    func shardScript(_ text: String, _ job: CIJob) -> String {
        guard job.stage == .run else { return text }
        return "export SHARD=$((CIRCLE_NODE_INDEX + 1))\n\(text) || [ -s \"\(CIShell.reports)/shard-$SHARD.jsonl\" ]\n"
            + "mkdir -p \(ShardFiles.events) && cp \"\(CIShell.reports)/shard-$SHARD.jsonl\" \(ShardFiles.events)/\n"
    }

    func shardPreparation(for job: CIJob) -> [YAMLNode] {
        let attach: YAMLNode = ["attach_workspace": ["at": "."]]
        switch job.stage {
        case .pack: return [restore(from: [timingsKey(of: job)])]
        case .run: return [attach]
        case .merge: return [restore(from: [timingsKey(of: job)]), attach]
        case nil: return []
        }
    }

    func shardResults(for job: CIJob) -> [YAMLNode] {
        switch job.stage {
        case .pack: [persist(ShardFiles.archive)]
        case .run: [persist(ShardFiles.events)]
        case .merge: [save(path(ShardFiles.timings), as: "\(timingsKey(of: job)){{ epoch }}")]
        case nil: []
        }
    }

    private func persist(_ path: String) -> YAMLNode {
        ["persist_to_workspace": ["root": ".", "paths": texts([self.path(path)])]]
    }

    private func timingsKey(of job: CIJob) -> String { "timings-\(plan.location.name(job.nameBeforeShards))-" }
}

/// The configuration file of CircleCI, with a workflow and jobs for each package of the repository.
///
/// Each package replaces only its own workflow and jobs.
struct CircleFile {
    static let path = CIService.circleci.definition

    private typealias Members = [(name: String, value: YAMLNode)]

    /// The workflows in the order of their names.
    private var workflows: Members = []
    private var jobs: Members = []

    /// Parses a generated file. Any other file counts as empty.
    init(_ text: String?) {
        guard let text, GeneratedFile.isGenerated(text) else { return }
        let document = YAMLParser.parse(SourceFile(path: Self.path, text: text)).node
        workflows = Self.members(document?["workflows"])
        jobs = Self.members(document?["jobs"])
    }

    private static func members(_ node: YAMLNode?) -> Members {
        (node?.members ?? []).map { (name: $0.name, value: $0.value) }
    }

    /// Replaces a package's workflow and jobs, or removes them if there are no jobs.
    mutating func replace(_ workflow: String, with value: YAMLNode, jobs new: [(name: String, value: YAMLNode)]) {
        let old = workflows.first { $0.name == workflow }.map { Self.jobs(of: $0.value) } ?? []
        jobs.removeAll { old.contains($0.name) }
        workflows.removeAll { $0.name == workflow }
        guard !new.isEmpty else { return }
        workflows.append((name: workflow, value: value))
        workflows.sort { $0.name < $1.name }
        jobs += new
        let order = workflows.flatMap { Self.jobs(of: $0.value) }
        jobs.sort { (order.firstIndex(of: $0.name) ?? 0) < (order.firstIndex(of: $1.name) ?? 0) }
    }

    /// Removes the workflows and jobs of packages that no longer exist. No other run of `lane ci` would remove them.
    ///
    /// - Parameter exists: Returns a Boolean value that indicates whether a directory has a package.
    mutating func removePackages(unless exists: (String) -> Bool) {
        for (name, workflow) in workflows {
            let jobs = Self.jobs(of: workflow)
            let steps = self.jobs.filter { jobs.contains($0.name) }.flatMap { $0.value["steps"]?.sequence ?? [] }
            // The steps of a package below the root run in its directory.
            let directory = steps.lazy.compactMap { $0["run"]?["working_directory"]?.scalar?.text }.first
            if let directory, !exists(directory) { replace(name, with: workflow, jobs: []) }
        }
    }

    private static func jobs(of workflow: YAMLNode) -> [String] {
        (workflow["jobs"]?.sequence ?? []).compactMap { $0.scalar?.text ?? $0.members?.first?.name }
    }

    /// The file. Its text is empty if it contains no workflow.
    var file: GeneratedFile {
        guard !workflows.isEmpty else { return GeneratedFile(absent: Self.path) }
        return GeneratedFile(
            Self.path,
            ["version": .plain("2.1"), "jobs": .map(jobs), "workflows": .map(workflows)])
    }
}
