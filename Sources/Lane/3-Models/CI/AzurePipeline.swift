import LaneModel
import Text
import YAML

extension CIFormat {
    static let azure = CIFormat(
        name: "azure", problems: { AzurePipeline(plan: $0).problems },
        files: { plan, _, _ in [AzurePipeline(plan: plan).file] })
}

/// The pipeline for Azure. Manual jobs are generated only for GitHub, because it has environments and reviewers.
struct AzurePipeline {
    let plan: CIPlan

    var problems: [CIPlanProblem] {
        plan.automaticJobs.filter { $0.systems.contains(.linuxARM) }.map { job in
            CIPlanProblem(
                "os", of: job, "runs on linux-arm64, which Azure does not offer",
                hint: "remove 'azure' from 'services'")
        }
    }

    var file: GeneratedFile {
        // In Azure, a pipeline is configured with the path of its file, so the file can be inside the package.
        let path = plan.location.path("ci/\(CIService.azure.definition)")
        let paths: YAMLNode? = plan.patterns(for: path).map { ["include": texts($0)] }
        func filter(_ branches: [String]) -> YAMLNode {
            ["branches": ["include": texts(branches)], "paths": paths]
        }
        return GeneratedFile(
            path,
            [
                "trigger": trigger(filter(plan.branches)), "pr": filter(["*"]),
                "schedules": schedules.isEmpty ? nil : .list(schedules), "jobs": .list(jobs.map(node)),
            ], for: plan.location)
    }

    /// Returns an identifier of letters, digits and underscores, as Azure requires.
    func identifier(_ name: String) -> String {
        String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    }

    private func node(for job: CIJob) -> YAMLNode {
        let isLinux = job.system.isLinux
        // The container runs as root, because `setup` and `lane` may install packages.
        let container: YAMLNode? = plan.image(for: job).map { ["image": .text($0), "options": "--user 0:0"] }
        return [
            "job": .text(identifier(job.name)), "displayName": .text(job.title),
            "dependsOn": job.needs.isEmpty ? nil : texts(job.needs.map(identifier)),
            "condition": (job.stage == .merge ? mergeCondition(of: job) : condition(of: job)).map { .text($0) },
            "strategy": job.stage == .run ? ["parallel": .text(String(job.shards))] : nil,
            "pool": ["vmImage": .text(isLinux ? "ubuntu-24.04" : "macOS-15")], "container": container,
            "continueOnError": job.mayFail ? "true" : nil, "timeoutInMinutes": .text(String(job.minutes)),
            "steps": .list(steps(of: job)),
        ]
    }

    private var jobs: [CIJob] { plan.automaticJobs.filter { $0.events != [.mergeQueue] } }

    private func trigger(_ branches: YAMLNode) -> YAMLNode {
        guard plan.hasTagJobs, case .mapping(let members) = branches.content else { return branches }
        let tags: YAMLNode = ["include": texts(plan.tags)]
        return .map(members.map { ($0.name, $0.value) } + [("tags", tags)])
    }

    /// The schedules. `always` starts the jobs even without a change.
    private var schedules: [YAMLNode] {
        plan.schedules.map { time in
            [
                "cron": .text(time), "displayName": .text(time), "branches": ["include": texts(plan.branches)],
                "always": true,
            ]
        }
    }

    private func condition(of job: CIJob) -> String? {
        guard !plan.hasTagJobs, plan.schedules.isEmpty else { return eventCondition(of: job) }
        if !job.events.contains(.pullRequest) {
            return "and(succeeded(), ne(variables['Build.Reason'], 'PullRequest'))"
        }
        return job.events.contains(.push) ? nil : "and(succeeded(), eq(variables['Build.Reason'], 'PullRequest'))"
    }

    /// Returns the condition of a job in a pipeline with jobs for tags or schedules.
    private func eventCondition(of job: CIJob) -> String {
        let isTag = "startsWith(variables['Build.SourceBranch'], 'refs/tags/')"
        let isChange = "in(variables['Build.Reason'], 'IndividualCI', 'BatchedCI', 'Manual')"
        var terms: [String] = []
        if job.events.contains(.push) { terms.append("and(\(isChange), not(\(isTag)))") }
        if job.events.contains(.pullRequest) { terms.append("eq(variables['Build.Reason'], 'PullRequest')") }
        if job.events.contains(.tag) { terms.append(isTag) }
        terms += job.schedules.map { "eq(variables['Build.CronSchedule.DisplayName'], '\($0)')" }
        return "and(succeeded(), \(terms.count == 1 ? terms[0] : "or(\(terms.joined(separator: ", ")))"))"
    }

    private func steps(of job: CIJob) -> [YAMLNode] {
        var steps: [YAMLNode] = [
            [
                "checkout": "self", "fetchDepth": "0",
                "submodules": plan.location.hasSubmodules ? "recursive" : nil,
            ]
        ]
        if job.system.isLinux {
            steps.append(
                script(
                    "Trust the checkout, which belongs to the agent's user",
                    plan.location.trust("BUILD_SOURCESDIRECTORY")))
        } else {
            steps.append(script(CIShell.xcode.name, CIShell.xcode.text))
        }
        steps += [job.builds ? cache(for: job) : nil, toolCache(for: job)].compactMap(\.self)
        steps += plan.setup(for: job).map { script(nil, $0) }
        steps += plan.toolSteps.map { script($0.name, $0.text) }
        if job.builds { steps.append(script(plan.stamp.name, plan.stamp.text)) }
        steps += shardDownloads(for: job)
        // Each artifact has its own directory.
        for command in CIShell(plan: plan, job: job, eventFiles: "\(ShardFiles.events)/*/*.jsonl").commands {
            var secrets = command.secrets.map { (name: $0, value: YAMLNode.text("$(\($0))")) }
            if job.stage == .run { secrets.append((name: "SHARD", value: .text("$(System.JobPositionInPhase)"))) }
            let text = command.secrets.map(forget).joined() + command.text
            steps.append(script("lane \(command.name)", text, secrets))
        }
        steps += shardUploads(for: job)
        if job.runsTests { steps.append(results) }
        steps += job.artifacts.map { path in
            [
                // The name is unique, because the name of a job cannot contain a dot.
                "publish": .text(plan.location.path(path)),
                "artifact": "\(job.name).\(identifier(path))",
            ]
        }
        return steps
    }

    /// Returns a command that unsets a variable if the pipeline does not define it. Azure would pass the text of the
    /// reference.
    private func forget(_ secret: String) -> String {
        "[ \"$\(secret)\" != \"\\$\"\"(\(secret))\" ] || unset \(secret)\n"
    }

    private func script(
        _ name: String?, _ text: String, _ variables: [(name: String, value: YAMLNode)] = []
    ) -> YAMLNode {
        [
            "script": .text(text), "displayName": name.map { .text($0) },
            "workingDirectory": plan.location.below.map { .text("$(Build.SourcesDirectory)/\($0)") },
            "env": variables.isEmpty ? nil : .map(variables),
        ]
    }

    /// The cache of the build. Products for another manifest are useful as well.
    private func cache(for job: CIJob) -> YAMLNode {
        let machine = "\"build\" | \"\(plan.location.name(job.name))\" | \(machine(of: job))"
        let prefix = "\(machine) | \(plan.location.path("Package.swift"))"
        return cache(
            "Restore the previous build", of: plan.location.path(".build"),
            key: "\(prefix) | \"$(Build.SourceVersion)\"", restoreKeys: "\(prefix)\n\(machine)\n")
    }

    private func toolCache(for job: CIJob) -> YAMLNode? {
        plan.toolCache.map {
            cache("Restore lane", of: CITool.directory, key: "\"\($0)\" | \(machine(of: job))")
        }
    }

    private func machine(of job: CIJob) -> String {
        "\"\(plan.image(for: job) ?? "macOS-15")\" | \"$(Agent.OSArchitecture)\""
    }

    private func cache(_ title: String, of directory: String, key: String, restoreKeys: String? = nil) -> YAMLNode {
        [
            "task": "Cache@2", "displayName": .text(title),
            "inputs": ["key": .text(key), "restoreKeys": restoreKeys.map { .text($0) }, "path": .text(directory)],
        ]
    }

    private var results: YAMLNode {
        [
            "task": "PublishTestResults@2", "displayName": "Publish test results", "condition": "succeededOrFailed()",
            "inputs": [
                "testResultsFormat": "JUnit", "testResultsFiles": "\(plan.location.path(CIShell.reports))/*.xml",
            ],
        ]
    }
}

/// The steps that transfer packed tests and results between the jobs of sharded tests.
extension AzurePipeline {
    func shardDownloads(for job: CIJob) -> [YAMLNode] {
        switch job.stage {
        case .run: [download("archive", of: job, "**", to: ShardFiles.directory)]
        case .merge: [download(nil, of: job, "**/*.jsonl", to: ShardFiles.events)]
        case .pack, nil: []
        }
    }

    func shardUploads(for job: CIJob) -> [YAMLNode] {
        switch job.stage {
        case .pack: [publish(ShardFiles.archive, as: "\(job.nameBeforeShards).archive", isAlways: false)]
        case .run:
            [
                publish(
                    "\(CIShell.reports)/shard-$(System.JobPositionInPhase).jsonl",
                    as: "\(job.nameBeforeShards).events.$(System.JobPositionInPhase)", isAlways: true)
            ]
        case .merge, nil: []
        }
    }

    /// Returns the condition of a job that merges the results of shards, including failed shards.
    func mergeCondition(of job: CIJob) -> String? {
        "and(not(canceled()), eq(dependencies.\(identifier(job.needs[0])).result, 'Succeeded'))"
    }

    private func download(_ artifact: String?, of job: CIJob, _ pattern: String, to directory: String) -> YAMLNode {
        [
            "task": "DownloadPipelineArtifact@2",
            "inputs": [
                "artifactName": artifact.map { .text("\(job.nameBeforeShards).\($0)") }, "itemPattern": .text(pattern),
                "targetPath": "$(Build.SourcesDirectory)/\(plan.location.path(directory))",
            ],
        ]
    }

    private func publish(_ path: String, as name: String, isAlways: Bool) -> YAMLNode {
        [
            "publish": .text(plan.location.path(path)), "artifact": .text(name),
            "condition": isAlways ? "succeededOrFailed()" : nil,
        ]
    }
}
