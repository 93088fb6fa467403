import YAML

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
        let attach = mapping([("attach_workspace", mapping([("at", .text("."))]))])
        switch job.stage {
        case .pack: return [restore(from: [timingsKey(CIPlan.name(of: .pack, for: ""), job)])]
        case .run: return [attach]
        case .merge: return [restore(from: [timingsKey("", job)]), attach]
        case nil: return []
        }
    }

    func shardResults(for job: CIJob) -> [YAMLNode] {
        switch job.stage {
        case .pack: [persist(ShardFiles.archive)]
        case .run: [persist(ShardFiles.events)]
        case .merge: [save(path(ShardFiles.timings), as: "\(timingsKey("", job)){{ epoch }}")]
        case nil: []
        }
    }

    private func persist(_ path: String) -> YAMLNode {
        mapping([("persist_to_workspace", mapping([("root", .text(".")), ("paths", texts([self.path(path)]))]))])
    }

    private func timingsKey(_ suffix: String, _ job: CIJob) -> String {
        "timings-\(plan.location.name(String(job.name.dropLast(suffix.count))))-"
    }
}
