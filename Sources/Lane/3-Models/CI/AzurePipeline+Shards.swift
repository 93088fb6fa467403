import YAML

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
        case .pack: [publish(ShardFiles.archive, as: "\(jobName(job)).archive", isAlways: false)]
        case .run:
            [
                publish(
                    "\(CIShell.reports)/shard-$(System.JobPositionInPhase).jsonl",
                    as: "\(jobName(job)).events.$(System.JobPositionInPhase)", isAlways: true)
            ]
        case .merge, nil: []
        }
    }

    /// Returns the condition of a job that merges the results of shards, including failed shards.
    func mergeCondition(of job: CIJob) -> String? {
        "and(not(canceled()), eq(dependencies.\(identifier(job.needs[0])).result, 'Succeeded'))"
    }

    private func download(_ artifact: String?, of job: CIJob, _ pattern: String, to directory: String) -> YAMLNode {
        mapping([
            ("task", .text("DownloadPipelineArtifact@2")),
            (
                "inputs",
                mapping([
                    ("artifactName", artifact.map { .text("\(jobName(job)).\($0)") }),
                    ("itemPattern", .text(pattern)),
                    ("targetPath", .text("$(Build.SourcesDirectory)/\(plan.location.path(directory))")),
                ])
            ),
        ])
    }

    private func publish(_ path: String, as name: String, isAlways: Bool) -> YAMLNode {
        mapping([
            ("publish", .text(plan.location.path(path))), ("artifact", .text(name)),
            ("condition", isAlways ? .text("succeededOrFailed()") : nil),
        ])
    }

    /// Returns the name of the job in the configuration.
    private func jobName(_ job: CIJob) -> String {
        String(job.name.dropLast(job.stage.map { CIPlan.name(of: $0, for: "") }?.count ?? 0))
    }
}
