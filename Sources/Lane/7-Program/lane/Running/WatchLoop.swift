import Git
import OperatingSystem
import Runner
import Synchronization
import TestActions
import Text

/// The option `--watch`: runs the lane, and runs it again when files in the root directory change.
struct WatchLoop {
    let root: String
    let lane: String
    /// The words after the lane's name, without `--watch`.
    let words: [String]

    /// Runs until it is cancelled. Returns the status of the last run.
    func run(in world: World) -> ExitStatus {
        world.watchSignals()
        let watch = FileWatch(root: root)
        let style = world.style(for: world.output)
        let written = WrittenFiles()
        var changed: [String] = []
        var repeated = RepeatedChanges()
        while true {
            let status = runOnce(WatchRound(changed: changed, written: written), in: world)
            guard !world.cancellation.isCancelled else { return status }
            world.output.writeLine(style.apply(.faint, to: "waiting for changes; press Ctrl-C to stop"))
            let end = Monotonic.now
            repeat {
                guard let next = watch.nextChange(cancellation: world.cancellation) else { return status }
                let ownBefore = repeated.ownFiles
                changed = withoutIgnored(next.filter { !written.contains("\(root)/\($0)") }, in: world)
                changed = repeated.reasons(among: changed, duringRun: Monotonic.now - end < .seconds(1))
                let own = repeated.ownFiles.subtracting(ownBefore).sorted()
                if !own.isEmpty {
                    let text = "every run changes \(shown(own)), so these changes no longer start a run"
                    world.output.writeLine(style.apply(.faint, to: text))
                }
            } while changed.isEmpty
            world.output.writeLine("\n" + style.apply(.faint, to: "changed: \(shown(changed))"))
        }
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

    /// Runs the lane once. Reads the lane files again, because they may have changed.
    private func runOnce(_ round: WatchRound, in world: World) -> ExitStatus {
        do throws(CommandFailure) {
            return try LaneInvocation(lane, in: world).run(words, in: world, watch: round)
        } catch {
            return world.report(error)
        }
    }
}
