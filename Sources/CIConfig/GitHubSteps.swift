import LaneModel
import YAML

/// The steps of one job on GitHub.
struct GitHubSteps {
    let plan: CIPlan
    let job: CIJob

    private var mayPush: Bool { job.permissions.contains { $0 == ("contents", "write") } }
    private var shell: CIShell { CIShell(plan: plan, job: job) }
    /// A job that may write keeps clear of what other runs have left in the cache.
    private var isCached: Bool { !job.isManual && job.permissions.isEmpty }
    /// Only what branches have made is kept: nobody else could see a pull request's.
    private var keepsCaches: Bool { isCached && job.events.contains(.push) }

    var all: [YAMLNode] {
        var steps = [checkout]
        if job.system == .linux { steps.append(trust) }
        if mayPush { steps.append(identity) }
        if isCached { steps += [restore, restoreTool].compactMap(\.self) }
        steps += plan.setup(for: job).map { mapping([("run", .text($0))]) }
        if isCached { steps.append(stamp) }
        if keepsCaches, let saveTool { steps.append(saveTool) }
        steps += shell.commands.map(run)
        if job.pushes { steps.append(push) }
        if job.runsTests { steps.append(reports) }
        if !job.artifacts.isEmpty { steps.append(artifacts) }
        if keepsCaches { steps.append(save) }
        return steps
    }

    private var checkout: YAMLNode {
        step(
            .checkout,
            [
                // Whole, as versions and changelogs come from tags and commits.
                ("fetch-depth", .integer(0)),
                ("persist-credentials", .bool(mayPush)),
            ])
    }

    private var trust: YAMLNode {
        mapping([
            ("name", .text("Trust the checkout, which belongs to the runner's user")),
            ("run", .text("git config --global --add safe.directory \"$GITHUB_WORKSPACE\"")),
        ])
    }

    /// Commits need an author: the person who started the job.
    private var identity: YAMLNode {
        mapping([
            ("name", .text("Commit as whoever started this")),
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

    /// Products depend on the machine, on how the job is set up, on the manifest and on the path, which is always the same.
    private var prefix: String {
        let files = [GitHubWorkflow.main(of: plan.location), plan.location.path("Package.*")]
        let quoted = files.map { "'\($0.replacing("'", with: "''"))'" }.joined(separator: ", ")
        return "build-\(plan.location.name(job.name))-${{ runner.arch }}-${{ hashFiles(\(quoted)) }}-"
    }

    private var restore: YAMLNode {
        step(
            .cacheRestore, id: "cache",
            [
                ("path", .text(products)), ("key", .text(prefix + "${{ github.sha }}")),
                ("restore-keys", .text(prefix)),
            ])
    }

    private var stamp: YAMLNode {
        mapping([
            ("name", .text("Date sources by their content, so that what was built from them counts as built")),
            ("run", .text("\(plan.command) ci stamp")),
        ])
    }

    private func run(_ command: (name: String, text: String)) -> YAMLNode {
        var variables = job.secrets.map { (name: $0, value: YAMLNode.text("${{ secrets.\($0) }}")) }
        variables += job.inputs.map { input in
            (name: CIShell.variable(input), value: .text("${{ inputs.\(input.name) }}"))
        }
        let isLong = command.text.contains("\n")
        return mapping([
            ("name", isLong ? .text("lane \(command.name)") : nil),
            ("env", variables.isEmpty ? nil : .map(variables)),
            ("run", .text(command.text)),
        ])
    }

    /// Branch and tags arrive all or not at all.
    private var push: YAMLNode {
        mapping([
            ("name", .text("Push what was committed and tagged")),
            ("run", .text("git push --quiet --atomic --follow-tags origin \"HEAD:$GITHUB_REF\"")),
        ])
    }

    private var reports: YAMLNode {
        step(
            .uploadArtifact, condition: "${{ !cancelled() }}",
            [
                ("name", .text("\(plan.location.name(job.name))-reports")),
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

    private var save: YAMLNode {
        step(
            .cacheSave,
            condition: "${{ github.event_name == 'push' && steps.cache.outputs.cache-hit != 'true' }}",
            [
                ("path", .text(products)),
                ("key", .text("${{ steps.cache.outputs.cache-primary-key }}")),
            ])
    }

    func step(
        _ action: ActionPin, id: String? = nil, condition: String? = nil, _ settings: [(String, YAMLNode)]
    ) -> YAMLNode {
        mapping([
            ("id", id.map { .text($0) }),
            ("if", condition.map { .text($0) }),
            ("uses", .text("\(action.name)@\(action.commit)", comment: action.version)),
            ("with", mapping(settings.map { ($0.0, $0.1) })),
        ])
    }
}
