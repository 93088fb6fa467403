import Files
import LaneEvents
import LaneModel
import Processes
import Reports

/// The report files in the settings of a `test` step. The events of the step are those of a run.
final class StepReports: Sendable {
    private let stream: EventStream?
    private let files: ReportFiles
    private let start = Monotonic.now

    /// - Parameters:
    ///   - root: The directory of relative paths.
    ///   - startedAt: The start time in seconds since 1970.
    init(_ settings: Settings, root: String, startedAt: Double) {
        let files = ReportFiles(directory: root)
        let reports = files.reports { settings.string($0.name) }
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

    /// The absolute paths of the files.
    var paths: [String] { files.paths }

    func receive(_ kind: LaneEvent.Kind) {
        stream?.send(kind)
    }

    /// Ends the reports and writes their files. Returns the errors.
    ///
    /// - Parameter reason: The reason of a failure outside any test.
    func finish(status: Int32, reason: String? = nil) -> [FileError] {
        if let reason, status != 0 { stream?.send(.message(Message(.error, reason))) }
        stream?.send(.runEnded(RunEnd(status: status, duration: Monotonic.now - start)))
        return files.write()
    }
}
