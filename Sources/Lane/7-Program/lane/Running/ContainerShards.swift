import Arguments
import LaneModel
import OperatingSystem
import Text

/// The options `--in docker --shards 4`: builds and packs the tests in a container, runs each shard in a container of
/// its own, and merges their events.
struct ContainerShards {
    let root: String
    let plan: Plan
    let arguments: ParsedArguments
    /// The number of containers.
    let count: Int
    /// The name of the lane and the words after it, without the options for containers and reports.
    let words: [String]

    private var directory: String { "\(root)/.lane/shards" }
    private var archive: String { "\(directory)/tests.tar.gz" }

    func run(in world: World) throws(CommandFailure) -> ExitStatus {
        do throws(FileError) {
            try removeTree(directory)
            for index in 1...count { try makeDirectories(state(of: index)) }
        } catch {
            throw CommandFailure(error)
        }
        // Each container has its own state, so the tests are divided by the recorded times of the host.
        let times = "\(root)/.lane/tests/history"
        let timings = arguments[TestOverrides.timings] == nil && fileExists(times) ? ["--timings", times] : []
        let packed = try container(words + ["--archive", archive] + timings, nil).run(in: world)
        guard packed == .done else { return packed }
        runShards(in: world)
        if world.cancellation.isCancelled { return .signalled(world.cancellation.signal) }
        let events = (1...count).map(self.events).filter(fileExists)
        guard !events.isEmpty else {
            throw CommandFailure(.toolMissing, "no shard has reported", hint: "see the output of the shards")
        }
        // Each shard has written its part to these files.
        let steps = plan.steps.filter { $0.task.action == .builtIn(.test) }
        let files = steps.reduce(into: [:]) { $0.merge($1.task.settings.reportPaths) { first, _ in first } }
        return try MergeCommand.merge(
            events, timings: arguments[TestOverrides.timings] ?? times,
            alsoAt: files.mapValues { absolutePath($0, from: root) }, keepsOthers: true, arguments, in: world)
    }

    /// Runs all shards in parallel. Prints the exit status of each when it ends.
    private func runShards(in world: World) {
        world.errors.writeLine("running the tests in \(count) containers")
        // With one job, the tests of Swift Testing would not run in parallel, as they do without shards.
        let jobs = arguments[LaneOptions.jobs] == nil ? ["--jobs", "\(max(2, world.processors / count))"] : []
        let threads = (1...count).map { index in
            Thread {
                let shard = ContainerRun.Shard(index: index, state: state(of: index), archive: archive)
                let own = ["--from", ContainerRun.Shard.archivePath, "--shard", "\(index)/\(count)"]
                let run = container(words + jobs + own + ["--events", "\(root)/.lane/events.jsonl"], shard)
                let status: ExitStatus
                do throws(CommandFailure) {
                    status = try run.run(in: world)
                } catch {
                    status = world.report(error)
                }
                guard !world.cancellation.isCancelled else { return }
                let log = relativePath(shard.log, to: world.directory)
                world.errors.writeLine("shard \(index) of \(count): exit status \(status.rawValue), output in \(log)")
            }
        }
        for thread in threads { thread?.join() }
    }

    private func container(_ words: [String], _ shard: ContainerRun.Shard?) -> ContainerRun {
        ContainerRun(
            root: root, plan: plan, image: arguments[LaneOptions.image], words: words, reports: [], shard: shard)
    }

    private func state(of index: Int) -> String { "\(directory)/\(index)" }
    private func events(of index: Int) -> String { "\(state(of: index))/events.jsonl" }
}
