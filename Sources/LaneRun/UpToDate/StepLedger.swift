import Files
import LaneModel
import Processes
import Synchronization

/// What is known of steps that ended well before, in one file below `.lane`, and whether one of them has to run again.
final class StepLedger: Sendable {
    /// While steps run, how often what is new is written: a killed run then forgets little.
    private static let interval = Duration.seconds(2)

    private struct State {
        /// What has been found out since the file was read: records in bytes, `nil` for steps to forget.
        var changes: [String: [UInt8]?] = [:]
        /// Whether some of it is not on disk.
        var hasNews = false
        var writtenAt = Monotonic.now
    }

    private let root: RootFolder
    private let isReadOnly: Bool
    private let known: KnownRecords
    private let state = Mutex(State())

    /// Reads the file; one that is missing or damaged counts as empty.
    init(root: String, isReadOnly: Bool = false) {
        self.root = RootFolder(root)
        self.isReadOnly = isReadOnly
        known = KnownRecords(below: self.root)
    }

    private func record(of step: String) -> StepRecord? {
        if let change = state.withLock({ $0.changes[step] }) { return change.flatMap { StepRecord(step, $0) } }
        return known.record(of: step)
    }

    enum Verdict {
        case upToDate(results: [String: Value])
        /// Why the step has to run.
        case runs(reason: String)
    }

    /// Whether a step would do again what it did.
    func verdict(on work: StepWork) -> Verdict {
        guard var record = record(of: work.step) else {
            return .runs(reason: "it has not run to a good end before")
        }
        if record.fingerprint != work.fingerprint { return .runs(reason: "its settings or environment changed") }
        if let reason = work.changedInput(since: &record, in: root) ?? work.changedOutput(since: &record, in: root) {
            return .runs(reason: reason)
        }
        if record.hasNewLooks { keep(record) }
        return .upToDate(results: StepResults.decode(record.results))
    }

    /// What happened to an input that a step read when it last ended well: `'a.swift' changed`.
    ///
    /// - Parameter paths: The inputs as they would be now, where that is known.
    func changedInput(of step: String, among paths: [String]?) -> String? {
        guard var record = record(of: step) else { return nil }
        let known = Set(record.inputs.map(\.path))
        if let new = paths?.first(where: { !known.contains($0) }) { return "'\(new.readablePath)' is new" }
        return StepWork.change(in: &record.inputs, below: root)
    }

    /// Whether something that a step made when it last ended well is gone.
    func hasLostOutput(of step: String) -> Bool {
        guard let record = record(of: step) else { return false }
        return record.made.contains { if case .missing = $0.compared(in: root) { true } else { false } }
    }

    /// Keeps what a step that ended well had read and has made.
    func note(_ work: StepWork, inputs: [FileRecord], made: [FileRecord], results: [String: Value]) {
        keep(
            StepRecord(
                step: work.step, fingerprint: work.fingerprint, inputs: inputs, made: made,
                results: StepResults.encode(results)))
    }

    func forget(_ step: String) {
        state.withLock { state in
            guard known.has(step) || state.changes[step] != nil else { return }
            state.changes[step] = .some(nil)
            state.hasNews = true
        }
    }

    private func keep(_ record: StepRecord) {
        guard !isReadOnly else { return }
        var writer = RecordWriter()
        writer.add(record)
        let isDue = state.withLock { [bytes = writer.bytes] state in
            state.changes[record.step] = bytes
            state.hasNews = true
            return Monotonic.now - state.writtenAt > Self.interval
        }
        // What cannot be written now is tried again at the end, which tells of it.
        if isDue { try? write() }
    }

    /// Puts what changed on disk, whole or not at all. Where that cannot be, the next run has more to do.
    func write() throws(FileError) {
        try state.withLock { (state) throws(FileError) in
            guard state.hasNews else { return }
            state.writtenAt = Monotonic.now
            try makeDirectories("\(root.path)/.lane")
            try writeFile(known.file(with: state.changes), to: KnownRecords.path(below: root.path))
            state.hasNews = false
        }
    }
}
