import Expressions
import LaneModel
import YAML

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
        mapping([
            ("name", .text(plan.location.title("CI"))),
            ("on", events),
            ("permissions", .map([])),
            (
                "concurrency",
                mapping([
                    ("group", .text(plan.location.name("ci") + "-${{ github.ref }}")),
                    ("cancel-in-progress", .text("${{ github.event_name == 'pull_request' }}")),
                ])
            ),
            ("jobs", .map(plan.automaticJobs.map { ($0.name, node(for: $0)) } + [(Self.gate, gateJob)])),
        ])
    }

    private var events: YAMLNode {
        let asked = Set(plan.automaticJobs.flatMap(\.events))
        let paths = plan.patterns(for: Self.main(of: plan.location)).map(texts)
        let push = mapping([("branches", texts(plan.branches)), ("paths", paths)])
        // A merge queue has no path filters.
        return mapping([
            ("push", asked.contains(.push) ? push : nil),
            ("pull_request", asked.contains(.pullRequest) ? paths.map { mapping([("paths", $0)]) } ?? .null : nil),
            ("merge_group", asked.contains(.mergeQueue) ? .null : nil),
        ])
    }

    private func workflow(of job: CIJob) -> YAMLNode {
        let inputs = job.inputs.map { (name: $0.name, value: input($0)) }
        let trigger = inputs.isEmpty ? YAMLNode.null : mapping([("inputs", .map(inputs))])
        return mapping([
            ("name", .text(plan.location.title(job.title))),
            ("on", mapping([("workflow_dispatch", trigger)])),
            ("permissions", .map([])),
            // Manual jobs run one at a time and are not cancelled.
            (
                "concurrency",
                mapping([("group", .text(plan.location.name(job.name))), ("cancel-in-progress", .bool(false))])
            ),
            ("jobs", mapping([(job.name, node(for: job))])),
        ])
    }

    /// Returns the input for a parameter.
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
        // A form always selects an option, so an empty one stands for no value.
        let none = parameter.isRequired || value != nil ? [] : [""]
        return mapping([
            ("description", parameter.help.map { .text($0) }),
            ("type", .text(type)),
            ("options", parameter.kind == .enum ? texts(none + parameter.values) : nil),
            ("required", .bool(parameter.isRequired)),
            ("default", value),
        ])
    }

    private func node(for job: CIJob) -> YAMLNode {
        let permissions = [("contents", "read")].filter { own in !job.permissions.contains { $0.name == own.0 } }
        let condition = job.isManual || job.events == Self.usual ? nil : YAMLNode.text(self.condition(of: job))
        return mapping([
            ("name", .text(job.title)),
            ("needs", job.needs.isEmpty ? nil : texts(job.needs)),
            ("if", condition),
            ("runs-on", .text(job.system == .linux ? "ubuntu-24.04" : "macos-15")),
            ("container", plan.image(for: job).map { .text($0) }),
            ("timeout-minutes", .integer(job.minutes)),
            ("environment", job.environment.map { .text($0) }),
            // The defaults apply only to `run` steps, so the checkout can be first.
            ("defaults", plan.location.below.map { mapping([("run", mapping([("working-directory", .text($0))]))]) }),
            ("permissions", .map((permissions + job.permissions).map { (name: $0.0, value: .text($0.1)) })),
            ("steps", .list(GitHubSteps(plan: plan, job: job).all)),
        ])
    }

    private static let usual: Set<CIJob.Event> = [.push, .pullRequest, .mergeQueue]
    private static let eventNames = [
        (CIJob.Event.push, "push"), (.pullRequest, "pull_request"), (.mergeQueue, "merge_group"),
    ]

    private func events(of job: CIJob) -> [String] {
        Self.eventNames.filter { job.events.contains($0.0) }.map(\.1)
    }

    private func condition(of job: CIJob) -> String {
        "${{ \(events(of: job).map { "github.event_name == '\($0)'" }.joined(separator: " || ")) }}"
    }

    /// The job that checks the results: all jobs of the event must have succeeded, all others were skipped, and there
    /// is at least one job.
    private var gateJob: YAMLNode {
        let results = plan.automaticJobs.map { job in
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
        let step = mapping([
            ("name", .text("All jobs have succeeded")),
            (
                "env",
                mapping([
                    ("EVENT", .text("${{ github.event_name }}")), ("RESULTS", .text(results.joined(separator: "\n"))),
                ])
            ),
            ("run", .text(script)),
        ])
        return mapping([
            ("name", .text(plan.location.title(Self.gateTitle))),
            ("if", .text("${{ always() }}")),
            ("needs", texts(plan.automaticJobs.map(\.name))),
            ("runs-on", .text("ubuntu-24.04")),
            ("timeout-minutes", .integer(5)),
            ("permissions", .map([])),
            ("steps", .list([step])),
        ])
    }
}
