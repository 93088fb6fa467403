import Diagnostics
import LaneRun
import Processes

/// `lane NAME --watch`: the lane once, and again whenever files below the root have changed.
struct WatchLoop {
    let root: String
    let lane: String
    /// The words after the lane's name, without `--watch`.
    let words: [String]

    /// Goes on until it is cancelled; gives the status of the last run.
    func run(in world: World) -> ExitStatus {
        world.watchSignals()
        let watch = FileWatch(root: root)
        let style = world.style(for: world.output)
        while true {
            let status = runOnce(in: world)
            guard !world.cancellation.isCancelled else { return status }
            world.output.writeLine(style.apply(.faint, to: "waiting for changes; Ctrl-C ends it"))
            guard let changed = watch.nextChange(cancellation: world.cancellation) else { return status }
            let shown = list(Array(changed.prefix(3)), joinedBy: "and")
            let more = changed.count > 3 ? " and \(changed.count - 3) more" : ""
            world.output.writeLine("\n" + style.apply(.faint, to: "changed: \(shown)\(more)"))
        }
    }

    /// Everything from the lane files on is read anew, for they may be what has changed.
    private func runOnce(in world: World) -> ExitStatus {
        do throws(CommandFailure) {
            return try LaneInvocation(lane, in: world).run(words, in: world)
        } catch {
            world.errors.write(error.text)
            return error.status
        }
    }
}
