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
    /// A Boolean value that indicates whether the job compiles the package.
    private var builds: Bool { job.stage == nil || job.stage == .pack }

    var all: [YAMLNode] {
        var steps = [checkout, job.system.isLinux ? trust : named(CIShell.xcode)]
        if job.releasesProposals { steps.append(proposal) }
        if mayPush || job.releaseStage != nil { steps.append(identity) }
        if isCached { steps += [builds ? restore : nil, restoreTool].compactMap(\.self) }
        steps += plan.setup(for: job).map { mapping([("run", .text($0))]) }
        steps += plan.toolSteps.map(named)
        if isCached { steps += [saveTool, builds ? stamp : nil].compactMap(\.self) }
        steps += stepsBeforeShards + stepsBeforeParts
        steps += shell.commands.map { run($0) }
        steps += stepsAfterShards + stepsAfterParts
        if job.pushes { steps.append(push) }
        if job.runsTests { steps.append(reports) }
        if !job.artifacts.isEmpty { steps.append(artifacts) }
        if isCached, builds { steps.append(save) }
        return steps
    }

    func named(_ step: (name: String, text: String)) -> YAMLNode {
        mapping([("name", .text(step.name)), ("run", .text(step.text))])
    }

    private var checkout: YAMLNode {
        step(
            .checkout,
            [
                // Versions and changelogs are computed from all commits.
                ("fetch-depth", .integer(0)),
                ("persist-credentials", .bool(mayPush)),
                ("submodules", plan.location.hasSubmodules ? .text("recursive") : nil),
            ] + (job.releasesProposals ? [("ref", .text("${{ github.event.pull_request.merge_commit_sha }}"))] : []))
    }

    /// The step that prepares the release of a merged pull request. A repeated job makes the same tag again.
    private var proposal: YAMLNode {
        mapping([
            ("name", .text("Release the merged pull request")),
            ("if", .text("${{ github.event_name == 'pull_request' }}")),
            ("env", mapping([("BRANCH", .text("${{ github.base_ref }}"))])),
            (
                "run",
                .text(
                    """
                    git checkout --quiet -B "$BRANCH"
                    git tag --points-at HEAD | xargs -r git tag --delete
                    echo "SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)" >> "$GITHUB_ENV"

                    """)
            ),
        ])
    }

    private var trust: YAMLNode {
        mapping([
            ("name", .text("Trust the checkout, which belongs to the runner's user")),
            ("run", .text(plan.location.trust("GITHUB_WORKSPACE"))),
        ])
    }

    /// The step that sets the author of commits: the user who started the job.
    private var identity: YAMLNode {
        mapping([
            ("name", .text("Set the author of commits")),
            (
                "run",
                .text(
                    """
                    git config --global user.name "$GITHUB_ACTOR"
                    git config --global user.email "$GITHUB_ACTOR_ID+$GITHUB_ACTOR@users.noreply.github.com"

                    """)
            ),
        ])
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
                ("path", .text(products)), ("key", .text(prefix + "${{ github.sha }}")),
                ("restore-keys", .text("\(prefix)\n\(machine)\n")),
            ])
    }

    private var stamp: YAMLNode {
        mapping([
            ("name", .text("Set modification times from file contents")),
            ("run", .text("\(plan.command) ci stamp")),
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
        return mapping([
            ("name", isLong ? .text("lane \(command.name)") : nil),
            ("if", condition.map { .text($0) }),
            ("env", variables.isEmpty ? nil : .map(variables)),
            ("run", .text(command.text)),
        ])
    }

    /// The step that pushes the branch and tags together.
    private var push: YAMLNode {
        mapping([
            ("name", .text("Push commits and tags")),
            ("run", .text("git push --quiet --atomic --follow-tags origin \"HEAD:$GITHUB_REF\"")),
        ])
    }

    private var reports: YAMLNode {
        step(
            .uploadArtifact, condition: "${{ !cancelled() }}",
            [
                // The name is unique, because the name of a job cannot contain a dot.
                ("name", .text("\(plan.location.name(job.name)).reports")),
                ("path", .text("\(plan.location.path(CIShell.reports))/")),
                ("include-hidden-files", .bool(true)), ("if-no-files-found", .text("ignore")),
            ])
    }

    private var artifacts: YAMLNode {
        let paths = job.artifacts.map(plan.location.path)
        return step(
            .uploadArtifact,
            [
                ("name", .text(plan.location.name(job.name))),
                ("path", .text(paths.joined(separator: "\n") + (paths.count > 1 ? "\n" : ""))),
                ("if-no-files-found", .text("error")),
            ])
    }

    /// The step that saves the cache. All branches can use the cache of a push. The cache of a pull request is useful
    /// only to itself, so it is saved only if no cache was restored.
    private var save: YAMLNode {
        let push = "github.event_name == 'push' && steps.cache.outputs.cache-hit != 'true'"
        return step(
            .cacheSave, condition: "${{ steps.cache.outputs.cache-matched-key == '' || \(push) }}",
            [("path", .text(products)), ("key", .text("${{ steps.cache.outputs.cache-primary-key }}"))])
    }

    func step(
        _ action: ActionPin, id: String? = nil, condition: String? = nil, _ settings: [(String, YAMLNode?)]
    ) -> YAMLNode {
        mapping([
            ("id", id.map { .text($0) }),
            ("if", condition.map { .text($0) }),
            ("uses", .text("\(action.name)@\(action.commit)", comment: action.version)),
            ("with", mapping(settings)),
        ])
    }
}
