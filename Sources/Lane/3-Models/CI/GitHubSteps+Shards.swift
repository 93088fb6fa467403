import YAML

/// The steps that transfer packed tests, recorded times and results between the jobs of sharded tests.
extension GitHubSteps {
    var stepsBeforeShards: [YAMLNode] {
        switch job.stage {
        case .pack: [restoreTimings]
        case .run:
            [
                step(
                    .downloadArtifact,
                    [("name", .text(archiveName)), ("path", .text(plan.location.path(ShardFiles.directory)))])
            ]
        case .merge:
            [
                restoreTimings,
                step(
                    .downloadArtifact,
                    [
                        ("pattern", .text("\(eventsName).*")), ("merge-multiple", .bool(true)),
                        ("path", .text(plan.location.path(ShardFiles.events))),
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
                    [("path", .text(timings)), ("key", .text("\(timingsKey)${{ github.run_id }}"))])
            ]
        case nil: []
        }
    }

    /// The step that restores the recorded times, by which the tests are divided into shards.
    private var restoreTimings: YAMLNode {
        step(
            .cacheRestore,
            [
                ("path", .text(timings)), ("key", .text("\(timingsKey)${{ github.run_id }}")),
                ("restore-keys", .text(timingsKey)),
            ])
    }

    private func upload(_ name: String, _ path: String, condition: String? = nil) -> YAMLNode {
        step(
            .uploadArtifact, condition: condition,
            [
                ("name", .text(name)), ("path", .text(plan.location.path(path))),
                ("include-hidden-files", .bool(true)), ("if-no-files-found", .text("error")),
                ("compression-level", .integer(0)), ("retention-days", .integer(1)),
            ])
    }

    /// The name of the job in the configuration.
    private var jobName: String {
        let suffix = job.stage.map { CIPlan.name(of: $0, for: "") } ?? ""
        return plan.location.name(String(job.name.dropLast(suffix.count)))
    }

    // The names are unique, because the name of a job cannot contain a dot.
    private var archiveName: String { "\(jobName).archive" }
    private var eventsName: String { "\(jobName).events" }
    private var timings: String { plan.location.path(ShardFiles.timings) }
    private var timingsKey: String { "timings-\(jobName)-" }
}
