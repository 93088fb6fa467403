import Expressions
import LaneModel
import YAML

extension CIFormat {
    static let github = CIFormat(name: "github") { plan, _, _ in GitHubWorkflow(plan: plan).files }
}

/// The GitHub workflows: one for all automatic jobs, and one for each manual job.
struct GitHubWorkflow {
    /// The job that branch rules can require. It fails if another job failed or was skipped unexpectedly.
    static let gate = "all-green"
    static let gateTitle = "All green"

    let plan: CIPlan

    /// Returns the path of the workflow of automatic jobs.
    static func main(of location: PackageLocation) -> String { path(location, "ci") }

    private static func path(_ location: PackageLocation, _ name: String) -> String {
        "\(GeneratedFile.workflows)/\(location.name(name)).yml"
    }

    var files: [GeneratedFile] {
        let manual = plan.manualJobs.map {
            GeneratedFile(Self.path(plan.location, $0.name), workflow(of: $0), for: plan.location)
        }
        guard !plan.automaticJobs.isEmpty else { return manual }
        return [GeneratedFile(Self.main(of: plan.location), main, for: plan.location)] + manual
    }

    private var main: YAMLNode {
        [
            "name": .text(plan.location.title("CI")), "on": events, "permissions": [:],
            "concurrency": ["group": .text(group), "cancel-in-progress": "${{ github.event_name == 'pull_request' }}"],
            "jobs": .map(plan.automaticJobs.map { ($0.name, node(for: $0)) } + [(Self.gate, gateJob)]),
        ]
    }

    /// The concurrency group, in which one run at a time can run. Scheduled runs have a separate group from pushes.
    private var group: String {
        plan.location.name("ci") + (plan.schedules.isEmpty ? "" : "-${{ github.event_name }}") + "-${{ github.ref }}"
    }

    private var events: YAMLNode {
        let requested = Set(plan.automaticJobs.flatMap(\.events))
        let paths = plan.patterns(for: Self.main(of: plan.location)).map(texts)
        let push: YAMLNode = [
            "branches": requested.contains(.push) ? texts(plan.branches) : nil,
            "tags": plan.hasTagJobs ? texts(plan.tags) : nil, "paths": requested.contains(.push) ? paths : nil,
        ]
        let schedules: [YAMLNode] = plan.schedules.map { ["cron": .text($0)] }
        // A merge queue has no path filters.
        return [
            "push": requested.isDisjoint(with: [.push, .tag]) ? nil : push,
            "pull_request": requested.contains(.pullRequest) ? paths.map { ["paths": $0] } ?? .null : nil,
            "merge_group": requested.contains(.mergeQueue) ? .null : nil,
            "schedule": schedules.isEmpty ? nil : .list(schedules),
        ]
    }

    private func workflow(of job: CIJob) -> YAMLNode {
        let inputs = job.inputs.map { (name: $0.name, value: input($0)) }
        let trigger: YAMLNode = inputs.isEmpty ? .null : ["inputs": .map(inputs)]
        return [
            "name": .text(plan.location.title(job.title)),
            "on": ["workflow_dispatch": trigger, "pull_request": job.releasesProposals ? proposals : nil],
            "permissions": [:],
            // Manual jobs run one at a time and are not cancelled.
            "concurrency": ["group": .text(manualGroup(of: job)), "cancel-in-progress": false],
            "jobs": job.hasParts ? parts(of: job) : [job.name: node(for: job)],
        ]
    }

    /// Returns the concurrency group of a manual job. A pull request that is no release has a group of its own, because
    /// GitHub keeps only the last waiting run of a group.
    private func manualGroup(of job: CIJob) -> String {
        let name = plan.location.name(job.name)
        guard job.releasesProposals else { return name }
        return "\(name)-${{ (\(plan.proposalCondition)) && 'one' || github.run_id }}"
    }

    private var proposals: YAMLNode {
        ["types": ["closed"], "branches": texts(plan.branches)]
    }

    private func input(_ parameter: Parameter) -> YAMLNode {
        let type: String =
            switch parameter.kind {
            case .bool: "boolean"
            case .int: "number"
            case .enum: "choice"
            case .string, .version, .duration, .path: "string"
            }
        let value: YAMLNode? =
            switch parameter.defaultValue {
            case .bool(let value)?: .bool(value)
            case .integer(let value)?: .integer(value)
            case .string(let text)?: .text(text)
            default: nil
            }
        // A form always selects an option, so an empty option represents no value.
        let none = parameter.isRequired || value != nil ? [] : [""]
        return [
            "description": parameter.help.map { .text($0) }, "type": .text(type),
            "options": parameter.kind == .enum ? texts(none + parameter.values) : nil,
            "required": .bool(parameter.isRequired), "default": value,
        ]
    }

    func node(for job: CIJob) -> YAMLNode {
        let permissions = [("contents", "read")].filter { own in !job.permissions.contains { $0.name == own.0 } }
        let isAlways = job.events == Self.changeEvents && !plan.hasTagJobs && plan.schedules.isEmpty
        var condition = job.isManual || isAlways ? nil : YAMLNode.text(self.condition(of: job))
        if job.releasesProposals, job.needs.isEmpty { condition = .text("${{ \(plan.proposalCondition) }}") }
        let hosted: [CIJob.System: String] = [
            .linux: "ubuntu-24.04", .linuxARM: "ubuntu-24.04-arm", .macos: "macos-15",
        ]
        let runner = job.runner.isEmpty ? [hosted[job.system]].compactMap(\.self) : job.runner
        return [
            "name": .text(job.title), "needs": job.needs.isEmpty ? nil : texts(job.needs),
            "if": job.stage == .merge ? .text(mergeCondition(of: job)) : condition,
            "strategy": job.stage == .run ? matrix(of: job) : nil,
            "runs-on": runner.count == 1 ? .text(runner[0]) : texts(runner),
            "container": plan.image(for: job).map { .text($0) }, "continue-on-error": job.mayFail ? .bool(true) : nil,
            "timeout-minutes": .integer(job.minutes), "environment": job.environment.map { .text($0) },
            // The defaults apply only to `run` steps and not to the checkout.
            "defaults": plan.location.below.map { ["run": ["working-directory": .text($0)]] },
            "permissions": .map((permissions + job.permissions).map { (name: $0.0, value: .text($0.1)) }),
            "outputs": outputs(of: job), "env": environment(of: job),
            "steps": .list(GitHubSteps(plan: plan, job: job).all),
        ]
    }

    /// Returns the condition of a job that merges the results of shards, including failed shards.
    private func mergeCondition(of job: CIJob) -> String {
        "${{ !cancelled() && needs.\(job.needs[0]).result == 'success' }}"
    }

    private func matrix(of job: CIJob) -> YAMLNode {
        let shards = (1...job.shards).map { YAMLNode.integer($0) }
        return ["fail-fast": false, "matrix": ["shard": .list(shards)]]
    }

    private static let changeEvents: Set<CIJob.Event> = [.push, .pullRequest, .mergeQueue]
    private static let eventNames = [
        (CIJob.Event.push, "push"), (.pullRequest, "pull_request"), (.mergeQueue, "merge_group"),
    ]

    /// Returns the events of a job by the names in the gate job.
    private func events(of job: CIJob) -> [String] {
        Self.eventNames.filter { job.events.contains($0.0) }.map(\.1) + (job.events.contains(.tag) ? ["tag"] : [])
            + job.schedules
    }

    /// The expression for the event of a run by the names in the gate job. GitHub has one name for pushes of branches
    /// and tags, and one for all schedules.
    private var event: String {
        var alternatives = ["github.event_name"]
        if plan.hasTagJobs { alternatives.insert("github.ref_type == 'tag' && 'tag'", at: 0) }
        if !plan.schedules.isEmpty { alternatives.insert("github.event.schedule", at: 0) }
        return alternatives.joined(separator: " || ")
    }

    private func condition(of job: CIJob) -> String {
        let isSplit = plan.hasTagJobs
        let terms = Self.eventNames.filter { job.events.contains($0.0) }.map { event, name in
            let term = "github.event_name == '\(name)'"
            return event == .push && isSplit ? "(\(term) && github.ref_type == 'branch')" : term
        }
        let tag = job.events.contains(.tag) ? ["(github.event_name == 'push' && github.ref_type == 'tag')"] : []
        let times = job.schedules.map { "github.event.schedule == '\($0)'" }
        return "${{ \((terms + tag + times).joined(separator: " || ")) }}"
    }

    /// The gate job, which checks the results. It requires at least one job for the event, success of all jobs for the
    /// event, and that all other jobs were skipped.
    private var gateJob: YAMLNode {
        let jobs = plan.automaticJobs.filter { !$0.mayFail }
        let results = jobs.map { job in
            "\(job.name) ${{ needs.\(job.name).result }} \(events(of: job).joined(separator: " "))"
        }
        let script = """
            green=false
            while read -r job result events; do
              case " $events " in *" $EVENT "*) expected=success green=true ;; *) expected=skipped ;; esac
              [ "$result" = "$expected" ] || { echo "$job: $result, not $expected"; exit 1; }
            done <<END
            $RESULTS
            END
            $green || { echo "no job runs for $EVENT"; exit 1; }

            """
        let step: YAMLNode = [
            "name": "All jobs have succeeded",
            "env": ["EVENT": "${{ \(event) }}", "RESULTS": .text(results.joined(separator: "\n"))],
            "run": .text(script),
        ]
        return [
            "name": .text(plan.location.title(Self.gateTitle)), "if": "${{ always() }}",
            "needs": texts(jobs.map(\.name)), "runs-on": "ubuntu-24.04", "timeout-minutes": 5, "permissions": [:],
            "steps": [step],
        ]
    }
}

/// The jobs of a release that several machines build: one that reads the clock, one for each machine, and one that
/// publishes.
extension GitHubWorkflow {
    func parts(of job: CIJob) -> YAMLNode {
        let start = startName(of: job)
        let parts = job.parts.map { part in
            var part = part
            part.needs = [start]
            return part
        }
        var last = job.publication
        last.needs.insert(start, at: 0)
        return .map([(start, startJob(job))] + (parts + [last]).map { ($0.name, node(for: $0)) })
    }

    private func startName(of job: CIJob) -> String { "\(job.name)-start" }

    /// The job that reads the clock. With the same time, all machines create the same commit.
    private func startJob(_ job: CIJob) -> YAMLNode {
        let step: YAMLNode = ["id": "time", "run": "echo \"seconds=$(date +%s)\" >> \"$GITHUB_OUTPUT\""]
        return [
            "name": "\(job.title) (start)",
            "if": job.releasesProposals ? .text("${{ \(plan.proposalCondition) }}") : nil, "runs-on": "ubuntu-24.04",
            "timeout-minutes": 5, "permissions": [:], "outputs": ["seconds": "${{ steps.time.outputs.seconds }}"],
            "steps": [step],
        ]
    }

    func outputs(of job: CIJob) -> YAMLNode? {
        guard case .part = job.releaseStage else { return nil }
        return ["sums": "${{ steps.sums.outputs.sums }}"]
    }

    func environment(of job: CIJob) -> YAMLNode? {
        guard job.releaseStage != nil else { return nil }
        return ["SOURCE_DATE_EPOCH": "${{ needs.\(job.needs[0]).outputs.seconds }}"]
    }
}
