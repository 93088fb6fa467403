import Files
import LaneEvents
import LaneModel
import Reports

/// The report files that a `test` step names in its settings: a run of its own, seen from inside the step.
final class StepReports: Sendable {
    private let stream: EventStream?
    private let files: ReportFiles

    /// Relative paths lie below `root`.
    init(_ settings: Settings, root: String) {
        let files = ReportFiles(directory: root)
        let reports = files.reports(
            junit: settings.string("junit"), summary: settings.string("summary"), html: settings.string("html"))
        let log = settings.string("events").map { files.eventLog($0) }
        self.files = files
        guard !reports.isEmpty || log != nil else {
            stream = nil
            return
        }
        let start = ContinuousClock.now
        let receivers: [any EventReceiver] = [ReportSet(reports)] + (log.map { [$0] } ?? [])
        stream = EventStream(elapsed: { ContinuousClock.now - start }, receivers: receivers)
        stream?.send(.runStarted(RunStart(lane: "test", steps: [], startedAt: 0)))
    }

    func receive(_ kind: LaneEvent.Kind) {
        stream?.send(kind)
    }

    /// Ends the reports and writes their files; tells those that could not be written.
    func finish(status: Int32) -> [FileError] {
        stream?.send(.runEnded(RunEnd(status: status, duration: .zero)))
        return files.write()
    }
}
