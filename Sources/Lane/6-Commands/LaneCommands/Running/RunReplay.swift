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

    /// Sends the events to the screen and to the report files. The exit status is an error if a file cannot be written
    /// or the events end before the run.
    func run(_ arguments: ParsedArguments, root: String, in world: World) throws(CommandFailure) -> ExitStatus {
        world.watchSignals()
        let time = Mutex(Duration.zero)
        let reports = RunReports(arguments, root: root, in: world, elapsed: { time.withLock { $0 } })
        for event in events where !world.cancellation.isCancelled {
            time.withLock { $0 = event.offset }
            reports.stream.send(event.kind, step: event.step)
        }
        let isComplete = if case .runEnded = events.last?.kind { !world.cancellation.isCancelled } else { false }
        if !isComplete {
            reports.stream.send(.message(Message(.warning, "the events end before the run")))
            let last = time.withLock { $0 }
            reports.stream.send(.runEnded(RunEnd(status: ExitStatus.failed.rawValue, duration: last)))
        }
        if let failure = reports.files.finish().first { throw CommandFailure(.cannotWrite, failure.description) }
        return isComplete ? .done : .refused
    }
}
