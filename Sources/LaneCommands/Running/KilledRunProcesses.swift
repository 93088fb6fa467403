import Diagnostics
import Files
import LaneRun
import Processes

/// The processes of killed runs in one directory.
struct KilledRunProcesses {
    /// The name of the guard command, which is a hidden option.
    static let guardWord = "--guard"

    let root: String

    /// Ends the processes of the previous run if it was killed, and starts the guard of this one.
    ///
    /// Does nothing within a step of another run, which adopts the processes of this one.
    func watch(after predecessor: String?, in world: World) {
        guard world.environment[ChildMark.child] == nil else { return }
        if let predecessor {
            let ended = end()
            let what = ended == 0 ? "" : "; ended \(count(ended, "process", "processes")) that it left running"
            world.errors.writeLine("note: '\(predecessor)' was killed\(what)")
        }
        // The path of this program, even if its file was replaced.
        OrphanGuard.arm(Command("/proc/self/exe", [Self.guardWord, root], environment: [:], directory: "/"))
    }

    /// Runs the guard. It holds the lock of the directory, so that no later run is affected. If a later run has the
    /// lock, that run ends the processes.
    func guardRun() {
        guard OrphanGuard.waitForKill() else { return }
        // The lock of the killed run may be released a moment after its pipe.
        for _ in 0..<100 {
            if let lock = try? RunLock.take(
                root: root, holder: RunLock.cleanupPrefix + "a killed run", environment: [:])
            {
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
