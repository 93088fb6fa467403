import OperatingSystem
import Runner
import Text

/// The processes of killed runs in one directory.
package struct KilledRunProcesses {
    /// The hidden option that runs the guard.
    package static let guardWord = "--guard"

    let root: String

    package init(root: String) {
        self.root = root
    }

    /// Ends the processes of the previous run if that run was killed, and starts the guard of this run.
    ///
    /// Does nothing within a step of another run, because the outer run adopts the processes.
    func watch(after predecessor: String?, in world: World) {
        guard world.environment[ChildMark.child] == nil else { return }
        if let predecessor {
            let ended = end()
            let what = ended == 0 ? "" : "; ended \(count(ended, "process", "processes")) that it left running"
            world.errors.writeLine("note: '\(predecessor)' was killed\(what)")
        }
        // `/proc/self/exe` is this program even if its file was replaced.
        OrphanGuard.arm(Command("/proc/self/exe", [Self.guardWord, root], environment: [:], directory: "/"))
    }

    /// Runs the guard. It ends the processes while it holds the lock of the directory, so that it does not affect a
    /// later run. If a later run holds the lock, that run ends the processes.
    package func guardRun() {
        guard OrphanGuard.waitForKill() else { return }
        // The system may release the killed run's lock a moment after its pipe.
        for _ in 0..<100 {
            if let lock = try? RunLock.acquire(
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
