import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The live `ProcessRunner`: `posix_spawn`, pipes read with `poll`, and an end that leaves nothing behind.
///
/// Every child gets `LANE_CHILD` in its environment, by which its descendants are recognised wherever they go.
package struct ChildRunner: ProcessRunner {
    package init() {
        becomeSubreaper()
        keepStatuses()
    }

    package func run(
        _ command: Command, limits: RunLimits, output: (OutputSource, UnsafeRawBufferPointer) -> Void
    ) throws(SpawnError) -> ExitReport {
        if limits.cancellation?.isCancelled == true {
            return ExitReport(termination: .signalled(SIGTERM), stoppedBy: .cancelled, duration: .zero)
        }
        let streams = try openStreams(for: command)
        let slot = ChildTable.takeSlot()
        let mark = ChildMark.leader(in: slot)
        let startedAt = Monotonic.now
        let leader: pid_t
        do {
            leader = try Spawning(command: command, mark: mark).start(streams.childEnds(for: command))
        } catch {
            ChildTable.free(slot)
            // Children that ended meanwhile took this one for a neighbour that would see to what they left.
            Descendants.endUnclaimed()
            throw error
        }
        ChildTable.fill(slot, with: leader)
        streams.childHasStarted()
        return Supervision(
            leader: leader, slot: slot, mark: mark, limits: limits, startedAt: startedAt, streams: streams,
            isInteractive: command.input == .inherited
        ).untilEnd(output: output)
    }

    /// Waits a while for a descriptor when the process has none left: other children that end give theirs back.
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
