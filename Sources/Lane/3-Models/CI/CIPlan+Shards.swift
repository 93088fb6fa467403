import LaneModel

/// The files that pass tests and results between machines, relative to the package's root.
enum ShardFiles {
    static let directory = ".lane"
    static let archive = "\(directory)/tests.tar.gz"
    static let timings = "\(directory)/timings"
    /// The directory of the event files that are merged.
    static let events = "\(directory)/shards"
}

extension CIPlan {
    /// Returns the error of a job with shards that cannot run on several machines.
    static func shardProblem(of job: CIJob) -> CIPlanProblem? {
        guard job.shards > 1 else { return nil }
        let isOneTestLane = job.calls.count == 1 && job.calls.allSatisfy { $0.lane.runsTestsItself }
        if !isOneTestLane {
            return CIPlanProblem(
                "shards", of: job, "has shards but does not run exactly one lane with its own test step",
                hint: "use another job for the other lanes")
        }
        if let system = job.systems.first(where: { $0 != .linux }) {
            return CIPlanProblem(
                "shards", of: job, "has shards but runs on \(system.rawValue)", hint: "packed tests run on Linux")
        }
        guard job.isManual else { return nil }
        return CIPlanProblem("shards", of: job, "has shards but is started manually", hint: "use other events")
    }

    /// Replaces each job with shards with three jobs: one packs the tests, one runs them on several machines, and one
    /// merges the results. The last keeps the name of the job, so other jobs can need it.
    mutating func expandShards() {
        jobs = jobs.flatMap { job in
            guard job.shards > 1 else { return [job] }
            var pack = job
            pack.name = Self.name(of: .pack, for: job.name)
            pack.title = "\(job.title): build"
            pack.stage = .pack
            pack.artifacts = []
            var run = pack
            run.name = Self.name(of: .run, for: job.name)
            run.title = "\(job.title): shard"
            run.stage = .run
            run.needs = [pack.name]
            var merge = job
            merge.stage = .merge
            merge.needs = [pack.name, run.name]
            merge.minutes = Self.mergeMinutes
            return [pack, run, merge]
        }
    }

    /// The time limit in minutes for fetching `lane` and merging.
    private static let mergeMinutes = 20

    /// Returns the name of the job for a stage of a sharded job.
    static func name(of stage: ShardStage, for job: String) -> String {
        switch stage {
        case .pack: "\(job)-pack"
        case .run: "\(job)-shard"
        case .merge: job
        }
    }
}

extension CIJob {
    /// The name of the job of which this one is a stage.
    var nameBeforeShards: String { String(name.dropLast(stage.map { CIPlan.name(of: $0, for: "").count } ?? 0)) }
}

extension CIShell {
    /// Returns the words of a stage after the name of the lane and its parameters.
    ///
    /// - Parameter events: The pattern of the event files for the merge.
    func words(of stage: ShardStage, _ call: CICall, events: String) -> [String] {
        switch stage {
        case .pack: ["--archive", ShardFiles.archive, "--timings", ShardFiles.timings]
        case .run:
            [
                "--from", ShardFiles.archive, "--shard", "\"$SHARD/\(job.shards)\"", "--events",
                "\"\(Self.reports)/shard-$SHARD.jsonl\"",
            ]
        case .merge:
            [
                events, "--junit", "\(Self.reports)/\(call.lane.name).xml", "--html",
                "\(Self.reports)/\(call.lane.name).html", "--timings", ShardFiles.timings,
            ] + (call.lane.reportPaths.isEmpty ? [] : ["--lane", call.lane.name])
        }
    }
}
