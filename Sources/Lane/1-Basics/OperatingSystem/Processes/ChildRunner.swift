import CLibrary
import Synchronization

/// A process runner that uses `posix_spawn`, reads pipes with `poll`, and ends all descendants.
///
/// The environment of each child contains `LANE_CHILD`, which identifies its descendants.
package struct ChildRunner: ProcessRunner {
    /// The mark of this process if another `lane` started it.
    private let mark: String?

    /// - Parameter mark: The value of `ChildMark.child` in the environment of this process.
    package init(mark: String?) {
        self.mark = mark
        becomeSubreaper()
        restoreChildSignalAction()
    }

    package func run(
        _ command: Command, limits: RunLimits, output: (OutputSource, UnsafeRawBufferPointer) -> Void
    ) throws(SpawnError) -> ExitReport {
        if limits.cancellation?.isCancelled == true {
            return ExitReport(termination: .signalled(SIGTERM), stoppedBy: .cancelled, duration: .zero)
        }
        let streams = try openStreams(for: command)
        OrphanGuard.start()
        let slot = ChildTable.reserveSlot()
        let mark = ChildMark.leader(in: slot, below: mark)
        let startedAt = Monotonic.now
        let leader: pid_t
        do {
            leader = try Spawning(command: command, mark: mark).start(streams.childEnds(for: command))
        } catch {
            ChildTable.free(slot)
            // These descendants of other children became orphans while this child was running.
            Descendants.endUnmarkedOrphans()
            throw error
        }
        ChildTable.fill(slot, with: leader)
        streams.childHasStarted()
        limits.started?(leader)
        return Supervision(
            leader: leader, slot: slot, mark: mark, limits: limits, startedAt: startedAt, streams: streams,
            isInteractive: command.input == .inherited
        ).untilEnd(output: output)
    }

    /// Opens the streams. If no descriptors are free, waits a while for other children to end.
    private func openStreams(for command: Command) throws(SpawnError) -> ChildStreams {
        var attempts = 0
        while true {
            do {
                return try ChildStreams(for: command)
            } catch {
                guard error.number == EMFILE || error.number == ENFILE, attempts < 200 else {
                    throw .failed(command.executable, errno: error.number)
                }
                attempts += 1
                usleep(10_000)
            }
        }
    }
}
