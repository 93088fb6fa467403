import Diagnostics
import Files
import LaneRun
import Processes

/// What `lane` does about processes of a run that was killed, in one folder.
struct LeftoverProcesses {
    /// Its name on the command line of the guard, a hidden option in the place of a command.
    static let guardWord = "--guard"

    let root: String

    /// Ends what the run before this one left, if that was killed, and has this one guarded.
    ///
    /// Within a step of another run nothing is to be done: that run is handed whatever this one leaves.
    func watch(after predecessor: String?, in world: World) {
        guard world.environment[ChildMark.child] == nil else { return }
        if let predecessor {
            let ended = end()
            let what = ended == 0 ? "" : "; it left \(count(ended, "process", "processes")) running, now ended"
            world.errors.writeLine("note: '\(predecessor)' was killed\(what)")
        }
        // What runs now, also when the file was replaced since.
        OrphanGuard.arm(Command("/proc/self/exe", [Self.guardWord, root], environment: [:], directory: "/"))
    }

    /// The guard's whole life. It holds the folder's lock while it works, so that it never meets a run after this one;
    /// when that was faster, the clearing up is its.
    func guardRun() {
        guard OrphanGuard.waitForKill() else { return }
        // The killed run's lock may be let go of a moment after its pipe.
        for _ in 0..<100 {
            if let lock = try? RunLock.take(root: root, holder: RunLock.cleaner + "a killed run", environment: [:]) {
                end()
                return withExtendedLifetime(lock) {}
            }
            Cancellation().wait(.milliseconds(10))
        }
    }

    @discardableResult
    private func end() -> Int {
        LeakedProcesses.end(with: (ChildMark.root, root))
    }
}
