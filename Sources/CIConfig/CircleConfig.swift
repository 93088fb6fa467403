import LaneModel
import YAML

/// CircleCI's configuration. Jobs that a person starts are left to GitHub: here a pipeline has no form for their values.
struct CircleConfig {
    let plan: CIPlan

    var file: GeneratedFile {
        GeneratedFile(
            ".circleci/config.yml",
            mapping([
                ("version", .plain("2.1")),
                ("jobs", .map(plan.automaticJobs.map { ($0.name, node(for: $0)) })),
                ("workflows", mapping([("ci", mapping([("jobs", .list(plan.automaticJobs.map(entry)))]))])),
            ]))
    }

    private func entry(_ job: CIJob) -> YAMLNode {
        var settings: [(String, YAMLNode?)] = []
        if !job.needs.isEmpty { settings.append(("requires", texts(job.needs))) }
        if !job.events.contains(.pullRequest) {
            settings.append(("filters", mapping([("branches", mapping([("only", texts(plan.branches))]))])))
        }
        return settings.isEmpty ? .text(job.name) : mapping([(job.name, mapping(settings))])
    }

    private func node(for job: CIJob) -> YAMLNode {
        let isLinux = job.system == .linux
        return mapping([
            ("docker", isLinux ? .list([mapping([("image", .text(plan.image))])]) : nil),
            ("macos", isLinux ? nil : mapping([("xcode", .text("26.0"))])),
            ("resource_class", .text(isLinux ? "medium" : "m4pro.medium")),
            ("steps", .list(steps(of: job))),
        ])
    }

    private func steps(of job: CIJob) -> [YAMLNode] {
        let sums = "{{ checksum \".circleci/config.yml\" }}-{{ checksum \"Package.swift\" }}"
        let prefix = "build-\(job.name)-{{ arch }}-\(sums)-"
        var steps: [YAMLNode] = [
            .text("checkout"),
            mapping([("restore_cache", mapping([("keys", texts([prefix + "{{ .Revision }}", prefix]))]))]),
        ]
        steps += (plan.setup + job.setup).map { run($0, $0, job) }
        steps.append(run("Date sources by their content", "\(plan.command) ci stamp", job))
        steps += CIShell(plan: plan, job: job).commands.map { run("lane \($0.name)", $0.text, job) }
        if job.runsTests {
            steps.append(mapping([("store_test_results", mapping([("path", .text(CIShell.reports))]))]))
        }
        steps += job.artifacts.map { path in mapping([("store_artifacts", mapping([("path", .text(path))]))]) }
        let save = mapping([
            ("save_cache", mapping([("key", .text(prefix + "{{ .Revision }}")), ("paths", texts([".build"]))]))
        ])
        let isBranch = mapping([
            ("or", .list(plan.branches.map { mapping([("equal", texts([$0, "<< pipeline.git.branch >>"]))]) }))
        ])
        steps.append(mapping([("when", mapping([("condition", isBranch), ("steps", .list([save]))]))]))
        return steps
    }

    private func run(_ name: String, _ command: String, _ job: CIJob) -> YAMLNode {
        mapping([
            (
                "run",
                mapping([
                    ("name", .text(Self.literal(name))), ("command", .text(Self.literal(command))),
                    ("no_output_timeout", .text("\(job.minutes)m")),
                ])
            )
        ])
    }

    /// `<<` begins an expression there.
    private static func literal(_ text: String) -> String { text.replacing("<<", with: "\\<<") }
}
