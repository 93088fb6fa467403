import LaneModel
import Text
import YAML

/// The steps of a GitHub job.
struct GitHubSteps {
    let plan: CIPlan
    let job: CIJob

    private var mayPush: Bool { job.permissions.contains { $0 == ("contents", "write") } }
    var shell: CIShell { CIShell(plan: plan, job: job) }
    /// A Boolean value that indicates whether the job uses caches. A job with write permissions or of a release uses
    /// none, because other runs could have manipulated them.
    private var isCached: Bool { job.permissions.isEmpty && job.releaseStage == nil }

    var all: [YAMLNode] {
        var steps = [checkout, job.system.isLinux ? trust : named(CIShell.xcode)]
        if job.releasesProposals { steps.append(proposal) }
        if mayPush || job.releaseStage != nil { steps.append(identity) }
        if isCached { steps += [job.builds ? restore : nil, restoreTool].compactMap(\.self) }
        steps += plan.setup(for: job).map { ["run": .text($0)] }
        steps += plan.toolSteps.map(named)
        if isCached { steps += [saveTool, job.builds ? named(plan.stamp) : nil].compactMap(\.self) }
        steps += stepsBeforeShards + stepsBeforeParts
        steps += shell.commands.map { run($0) }
        steps += stepsAfterShards + stepsAfterParts
        if job.pushes { steps.append(push) }
        if job.runsTests { steps.append(reports) }
        if !job.artifacts.isEmpty { steps.append(artifacts) }
        if isCached, job.builds { steps.append(save) }
        return steps
    }

    func named(_ step: (name: String, text: String)) -> YAMLNode {
        ["name": .text(step.name), "run": .text(step.text)]
    }

    private var checkout: YAMLNode {
        step(
            .checkout,
            [
                // Versions and changelogs are computed from all commits.
                "fetch-depth": 0, "persist-credentials": .bool(mayPush),
                "submodules": plan.location.hasSubmodules ? "recursive" : nil,
                "ref": job.releasesProposals ? "${{ github.event.pull_request.merge_commit_sha }}" : nil,
            ])
    }

    /// The step that prepares the release of a merged pull request. A repeated job makes the same tag again.
    private var proposal: YAMLNode {
        [
            "name": "Release the merged pull request", "if": "${{ github.event_name == 'pull_request' }}",
            "env": ["BRANCH": "${{ github.base_ref }}"],
            "run": """
            git checkout --quiet -B "$BRANCH"
            git tag --points-at HEAD | xargs -r git tag --delete
            echo "SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)" >> "$GITHUB_ENV"

            """,
        ]
    }

    private var trust: YAMLNode {
        [
            "name": "Trust the checkout, which belongs to the runner's user",
            "run": .text(plan.location.trust("GITHUB_WORKSPACE")),
        ]
    }

    /// The step that sets the author of commits: the user who started the job.
    private var identity: YAMLNode {
        [
            "name": "Set the author of commits",
            "run": """
            git config --global user.name "$GITHUB_ACTOR"
            git config --global user.email "$GITHUB_ACTOR_ID+$GITHUB_ACTOR@users.noreply.github.com"

            """,
        ]
    }

    /// The prefix of the cache key. Products depend on the machine, the toolchain, and the directory, whose path is in compiled
    /// modules: it changes when a repository is renamed.
    private var machine: String {
        "build-\(plan.location.name(job.name))-${{ runner.arch }}-${{ github.workspace }}-"
            + "\(plan.image(for: job) ?? "macos")-"
    }

    /// The step that restores the cache. Products for another manifest are useful as well.
    private var restore: YAMLNode {
        let manifest = plan.location.path("Package.*").replacing("'", with: "''")
        let prefix = "\(machine)${{ hashFiles('\(manifest)') }}-"
        return step(
            .cacheRestore, id: "cache",
            [
                "path": .text(products), "key": .text(prefix + "${{ github.sha }}"),
                "restore-keys": "\(prefix)\n\(machine)\n",
            ])
    }

    /// - Parameter condition: The condition of the step, or `nil` for none.
    func run(_ command: (name: String, text: String, secrets: [String]), condition: String? = nil) -> YAMLNode {
        var variables = command.secrets.map { (name: $0, value: YAMLNode.text("${{ secrets.\($0) }}")) }
        variables += job.inputs.map { input in
            let value = job.releasesProposals ? plan.value(of: input.name) : "inputs.\(input.name)"
            return (name: CIShell.variable(input), value: .text("${{ \(value) }}"))
        }
        if job.stage == .run { variables.append((name: "SHARD", value: .text("${{ matrix.shard }}"))) }
        let isLong = command.text.contains("\n")
        return [
            "name": isLong ? .text("lane \(command.name)") : nil, "if": condition.map { .text($0) },
            "env": variables.isEmpty ? nil : .map(variables), "run": .text(command.text),
        ]
    }

    /// The step that pushes the branch and tags together.
    private var push: YAMLNode {
        ["name": "Push commits and tags", "run": "git push --quiet --atomic --follow-tags origin \"HEAD:$GITHUB_REF\""]
    }

    private var reports: YAMLNode {
        step(
            .uploadArtifact, condition: "${{ !cancelled() }}",
            [
                // The name is unique, because the name of a job cannot contain a dot.
                "name": "\(plan.location.name(job.name)).reports", "path": "\(plan.location.path(CIShell.reports))/",
                "include-hidden-files": true, "if-no-files-found": "ignore",
            ])
    }

    private var artifacts: YAMLNode {
        let paths = job.artifacts.map(plan.location.path)
        return step(
            .uploadArtifact,
            [
                "name": .text(plan.location.name(job.name)),
                "path": .text(paths.joined(separator: "\n") + (paths.count > 1 ? "\n" : "")),
                "if-no-files-found": "error",
            ])
    }

    /// The step that saves the cache. All branches can use the cache of a push. The cache of a pull request is useful
    /// only to itself, so it is saved only if no cache was restored.
    private var save: YAMLNode {
        let push = "github.event_name == 'push' && steps.cache.outputs.cache-hit != 'true'"
        return step(
            .cacheSave, condition: "${{ steps.cache.outputs.cache-matched-key == '' || \(push) }}",
            ["path": .text(products), "key": "${{ steps.cache.outputs.cache-primary-key }}"])
    }

    func step(_ action: ActionPin, id: String? = nil, condition: String? = nil, _ settings: YAMLNode) -> YAMLNode {
        [
            "id": id.map { .text($0) }, "if": condition.map { .text($0) },
            "uses": .text("\(action.name)@\(action.commit)", comment: action.version), "with": settings,
        ]
    }
}

/// The steps for the cache of `lane`, which all jobs and packages share.
extension GitHubSteps {
    var restoreTool: YAMLNode? { tool.map { step(.cacheRestore, id: "lane", $0) } }

    /// The step that saves the cache directly after the build of `lane`, because a failing lane would end the job.
    /// Nothing is saved for the temporary branch of a merge queue.
    var saveTool: YAMLNode? {
        let condition = "github.event_name != 'merge_group' && steps.lane.outputs.cache-hit != 'true'"
        return tool.map { step(.cacheSave, condition: "${{ \(condition) }}", $0) }
    }

    /// The paths in the cache of the job.
    var products: String {
        let directory = plan.location.path(".build")
        guard plan.tool != nil, plan.location.directory.isEmpty else { return directory }
        // An exclusion applies only to paths that another pattern includes.
        return "\(directory)/*\n!\(CITool.directory)\n"
    }

    private var tool: YAMLNode? {
        plan.toolCache.map { name in
            let system = plan.image(for: job) ?? "macos"
            return ["path": .text(CITool.directory), "key": "\(name)-${{ runner.arch }}-\(system)"]
        }
    }
}

/// A GitHub action, pinned to the commit of a version.
///
/// The pins are from October 2026. To update a pin, find the commit of the tag with `git ls-remote`, change commit and
/// version here, and run `lane ci generate`.
struct ActionPin: Sendable {
    let name: String
    let commit: String
    let version: String

    static let checkout = ActionPin(
        name: "actions/checkout", commit: "3d3c42e5aac5ba805825da76410c181273ba90b1", version: "v7.0.1")
    static let uploadArtifact = ActionPin(
        name: "actions/upload-artifact", commit: "bbbca2ddaa5d8feaa63e36b76fdaad77386f024f", version: "v7.0.0")
    static let downloadArtifact = ActionPin(
        name: "actions/download-artifact", commit: "3e5f45b2cfb9172054b4087a40e8e0b5a5461e7c", version: "v8.0.1")
    static let attestation = ActionPin(
        name: "actions/attest-build-provenance", commit: "a2bbfa25375fe432b6a289bc6b6cd05ecd0c4c32", version: "v4.1.0")
    static let cacheRestore = ActionPin(name: "actions/cache/restore", commit: cache.commit, version: cache.version)
    static let cacheSave = ActionPin(name: "actions/cache/save", commit: cache.commit, version: cache.version)

    private static let cache = (commit: "55cc8345863c7cc4c66a329aec7e433d2d1c52a9", version: "v6.1.0")
}

/// The steps that transfer packed tests, recorded times and results between the jobs of sharded tests.
extension GitHubSteps {
    var stepsBeforeShards: [YAMLNode] {
        switch job.stage {
        case .pack: [restoreTimings]
        case .run:
            [
                step(
                    .downloadArtifact,
                    ["name": .text(archiveName), "path": .text(plan.location.path(ShardFiles.directory))])
            ]
        case .merge:
            [
                restoreTimings,
                step(
                    .downloadArtifact,
                    [
                        "pattern": "\(eventsName).*", "merge-multiple": true,
                        "path": .text(plan.location.path(ShardFiles.events)),
                    ]),
            ]
        case nil: []
        }
    }

    var stepsAfterShards: [YAMLNode] {
        switch job.stage {
        case .pack: [upload(archiveName, ShardFiles.archive)]
        case .run:
            [
                upload(
                    "\(eventsName).${{ matrix.shard }}", "\(CIShell.reports)/*.jsonl", condition: "${{ !cancelled() }}")
            ]
        case .merge:
            [
                step(
                    .cacheSave, condition: "${{ !cancelled() && github.event_name == 'push' }}",
                    ["path": .text(timings), "key": "\(timingsKey)${{ github.run_id }}"])
            ]
        case nil: []
        }
    }

    /// The step that restores the recorded times, by which the tests are divided into shards.
    private var restoreTimings: YAMLNode {
        step(
            .cacheRestore,
            ["path": .text(timings), "key": "\(timingsKey)${{ github.run_id }}", "restore-keys": .text(timingsKey)])
    }

    private func upload(_ name: String, _ path: String, condition: String? = nil) -> YAMLNode {
        step(
            .uploadArtifact, condition: condition,
            [
                "name": .text(name), "path": .text(plan.location.path(path)), "include-hidden-files": true,
                "if-no-files-found": "error", "compression-level": 0, "retention-days": 1,
            ])
    }

    private var jobName: String { plan.location.name(job.nameBeforeShards) }

    // The names are unique, because the name of a job cannot contain a dot.
    private var archiveName: String { "\(jobName).archive" }
    private var eventsName: String { "\(jobName).events" }
    private var timings: String { plan.location.path(ShardFiles.timings) }
    private var timingsKey: String { "timings-\(jobName)-" }
}
