import Actions
import Git
import LaneModel
import OperatingSystem
import Runner
import Synchronization
import Text

/// The option `--watch`: runs the lane, and runs it again when files in the root directory change.
struct WatchLoop {
    let root: String
    let lane: String
    /// The words after the lane's name, without `--watch`.
    let words: [String]

    /// Runs until it is cancelled. Returns the status of the last run.
    ///
    /// A change during a run starts another one, so the last save always gets a run.
    func run(in world: World) -> ExitStatus {
        world.watchSignals()
        let watch = FileWatch(root: root) { withoutIgnored($0, in: world) }
        let written = WrittenFiles()
        var changed: [String] = []
        var repeated = RepeatedChanges()
        while true {
            let start = Monotonic.now
            let (status, steps) = runOnce(WatchRound(changed: changed, written: written), watch, in: world)
            guard !world.cancellation.isCancelled else { return status }
            let during = watch.changedContents(after: steps).filter { !written.contains("\(root)/\($0)") }
            let next = repeated.next(after: during, runTime: Monotonic.now - start)
            if let (files, areOwn) = repeated.repeating {
                let advice = "run after run changes \(shown(files)); declare what the lane writes as 'outputs'"
                let end = "every run changes \(shown(files)), so these changes no longer start a run"
                announce(areOwn ? end : advice, in: world)
            }
            changed = next?.changes ?? []
            if next?.pause != .zero {
                if next == nil { announce("waiting for changes; press Ctrl-C to stop", in: world) }
                repeat {
                    let found = watch.nextChange(timeout: next?.pause, cancellation: world.cancellation)
                    guard let found else { return status }
                    let edited = found.filter { !written.contains("\(root)/\($0)") }
                    repeated.wasEdited(edited)
                    changed += edited.filter { !changed.contains($0) }
                } while changed.isEmpty
            }
            announce("changed: \(shown(changed))", after: "\n", in: world)
        }
    }

    private func announce(_ text: String, after start: String = "", in world: World) {
        world.output.writeLine(start + world.style(for: world.output).apply(.faint, to: text))
    }

    private func shown(_ paths: [String]) -> String {
        let paths = paths.map(\.readablePath)
        guard paths.count > 3 else { return list(paths, joinedBy: "and") }
        return "\(paths.prefix(3).joined(separator: ", ")) and \(paths.count - 3) more"
    }

    /// Returns the paths that git does not ignore, or all paths without git. Runs often write ignored files.
    private func withoutIgnored(_ paths: [String], in world: World) -> [String] {
        guard !paths.isEmpty else { return [] }
        let command = Command(
            "git", ["check-ignore", "-z", "--stdin"], environment: gitEnvironment(world.environment), directory: root,
            input: .bytes(Array(paths.map(\.pathBytes).joined(separator: [0]))))
        guard let run = try? world.processes.capture(command, limits: RunLimits(timeout: .seconds(2))),
            run.report.succeeded
        else { return paths }
        let ignored = Set(run.standardOutput.split(separator: 0).map { String(pathBytes: $0) })
        return paths.filter { !ignored.contains($0) }
    }

    /// Runs the lane once, and returns the status and the IDs of the steps with outputs. Reads the lane files again,
    /// because they may have changed.
    private func runOnce(_ round: WatchRound, _ watch: FileWatch, in world: World) -> (ExitStatus, [String]) {
        var steps: [String] = []
        do throws(CommandFailure) {
            let lanes = try LaneInvocation(lane, in: world)
            // If the plan fails because of one of these files, a change of it starts the next run.
            watch.declare(lanes.catalog.lanes.flatMap(\.dotenv).map { FilePattern($0.path) })
            let status = try lanes.run(words, in: world, watch: round) { plan, context in
                watch.declare(plan.declaredFiles(in: context))
                steps = plan.steps.filter { !$0.files.outputs.isEmpty }.map(\.id)
            }
            return (status, steps)
        } catch {
            return (world.report(error), steps)
        }
    }
}
