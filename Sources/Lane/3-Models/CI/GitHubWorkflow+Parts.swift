import YAML

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
        let step = mapping([
            ("id", .text("time")), ("run", .text("echo \"seconds=$(date +%s)\" >> \"$GITHUB_OUTPUT\"")),
        ])
        return mapping([
            ("name", .text("\(job.title) (start)")),
            ("if", job.releasesProposals ? .text("${{ \(plan.proposalCondition) }}") : nil),
            ("runs-on", .text("ubuntu-24.04")),
            ("timeout-minutes", .integer(5)),
            ("permissions", .map([])),
            ("outputs", mapping([("seconds", .text("${{ steps.time.outputs.seconds }}"))])),
            ("steps", .list([step])),
        ])
    }

    func outputs(of job: CIJob) -> YAMLNode? {
        guard case .part = job.releaseStage else { return nil }
        return mapping([("sums", .text("${{ steps.sums.outputs.sums }}"))])
    }

    func environment(of job: CIJob) -> YAMLNode? {
        guard job.releaseStage != nil else { return nil }
        return mapping([("SOURCE_DATE_EPOCH", .text("${{ needs.\(job.needs[0]).outputs.seconds }}"))])
    }
}
