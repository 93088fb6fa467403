import Arguments
import Events
import OperatingSystem
import Reports
import Synchronization
import TestActions
import Text

/// A replay of a run, which sends its events to the reports again.
struct RunReplay {
    let events: [LaneEvent]
    /// The factor of the original speed, or `nil` for a replay without pauses.
    var speed: Double?

    /// The time of the replayed run.
    private final class Clock: Sendable {
        private struct State {
            var offset = Duration.zero
            /// The time of the program at `offset`.
            var since = Duration.zero
        }

        private let state = Mutex(State())
        private let speed: Double?
        private let elapsed: @Sendable () -> Duration

        init(speed: Double?, elapsed: @escaping @Sendable () -> Duration) {
            self.speed = speed
            self.elapsed = elapsed
        }

        var offset: Duration {
            state.withLock { state in
                guard let speed else { return state.offset }
                return state.offset + (elapsed() - state.since) * speed
            }
        }

        /// Sets the time to that of an event.
        func set(_ offset: Duration) {
            state.withLock { $0 = State(offset: offset, since: elapsed()) }
        }
    }

    /// Sends the events to the screen and to the report files. The exit status is an error only if a file cannot be
    /// written.
    func run(_ arguments: ParsedArguments, root: String, in world: World) throws(CommandFailure) -> ExitStatus {
        world.watchSignals()
        let clock = Clock(speed: speed, elapsed: world.elapsed)
        let reports = RunReports(arguments, root: root, in: world, elapsed: { clock.offset })
        let live = LiveClock(ticking: reports.stream, isNeeded: world.isInteractive && speed != nil)
        let isComplete = if case .runEnded = events.last?.kind { true } else { false }
        var last = Duration.zero
        for event in events {
            if let speed, world.cancellation.wait((event.offset - clock.offset) / speed) { break }
            clock.set(event.offset)
            last = event.offset
            reports.stream.send(event.kind, step: event.step)
        }
        if !isComplete, !world.cancellation.isCancelled {
            reports.stream.send(.message(Message(.warning, "the file ends before the run")))
        }
        if !isComplete || world.cancellation.isCancelled {
            reports.stream.send(.runEnded(RunEnd(status: ExitStatus.failed.rawValue, duration: last)))
        }
        live.stop()
        if let failure = reports.files.finish().first { throw CommandFailure(.cannotWrite, failure.description) }
        return .done
    }
}
