import Files
import LaneEvents
import LaneModel
import Processes
import Reports

/// The report files that a `test` step names in its settings: a run of its own, seen from inside the step.
final class StepReports: Sendable {
    private let stream: EventStream?
    private let files: ReportFiles
    private let start = Monotonic.now

    /// - Parameters:
    ///   - root: Relative paths lie below it.
    ///   - startedAt: Seconds since 1970.
    init(_ settings: Settings, root: String, startedAt: Double) {
        let files = ReportFiles(directory: root)
        let reports = files.reports(
            junit: settings.string("junit"), summary: settings.string("summary"), html: settings.string("html"))
        let log = settings.string("events").map { files.eventLog($0) }
        self.files = files
        guard !reports.isEmpty || log != nil else {
            stream = nil
            return
        }
        let start = start
        let receivers: [any EventReceiver] = [ReportSet(reports)] + (log.map { [$0] } ?? [])
        stream = EventStream(elapsed: { Monotonic.now - start }, receivers: receivers)
        stream?.send(.runStarted(RunStart(lane: "test", steps: [], startedAt: startedAt)))
    }

    /// The files, absolute.
    var paths: [String] { files.paths }

    func receive(_ kind: LaneEvent.Kind) {
        stream?.send(kind)
    }

    /// Ends the reports and writes their files; tells those that could not be written.
    ///
    /// - Parameter reason: Why it failed, where no test tells it.
    func finish(status: Int32, reason: String? = nil) -> [FileError] {
        if let reason, status != 0 { stream?.send(.message(Message(.error, reason))) }
        stream?.send(.runEnded(RunEnd(status: status, duration: Monotonic.now - start)))
        return files.write()
    }
}
