import Files
import LaneModel
import Processes
import Synchronization

/// What is known of steps that ended well before, in one file below `.lane`, and whether one of them has to run again.
final class StepLedger: Sendable {
    private static let path = ".lane/state"
    /// While steps run, how often what is new is written: a killed run then forgets little.
    private static let interval = Duration.seconds(2)

    /// About as many bytes as a record has.
    private static let usualSize = 256

    private struct State {
        /// Records one after another, as the file has them. They are read when they are asked for, and the next file
        /// takes over as bytes those that nobody replaced.
        var bytes: [UInt8] = []
        var places: [String: Range<Int>] = [:]
        var isChanged = false
        var writtenAt = Monotonic.now

        func record(of step: String) -> StepRecord? {
            guard let place = places[step] else { return nil }
            var reader = RecordReader(bytes, place)
            return reader.record(of: step)
        }
    }

    private let root: RootFolder
    private let isReadOnly: Bool
    private let state: Mutex<State>

    /// Reads the file; one that is not there or not whole is as good as none.
    init(root: String, isReadOnly: Bool = false) {
        self.root = RootFolder(root)
        self.isReadOnly = isReadOnly
        var read = State()
        if let bytes = try? readFile("\(root)/\(Self.path)"), var reader = RecordReader(file: bytes) {
            read.bytes = bytes
            read.places.reserveCapacity(bytes.count / Self.usualSize)
            while let (step, place) = reader.entry() { read.places[step] = place }
        }
        state = Mutex(read)
    }

    enum Verdict {
        case upToDate(results: [String: Value])
        /// Why the step has to run.
        case runs(reason: String)
    }

    /// Whether a step would do again what it did.
    func verdict(on work: StepWork) -> Verdict {
        guard var record = state.withLock({ $0.record(of: work.step) }) else {
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
        guard var record = state.withLock({ $0.record(of: step) }) else { return nil }
        let known = Set(record.inputs.map(\.path))
        if let new = paths?.first(where: { !known.contains($0) }) { return "'\(new)' is new" }
        return StepWork.change(in: &record.inputs, below: root)
    }

    /// Whether something that a step made when it last ended well is gone.
    func hasLostOutput(of step: String) -> Bool {
        guard let record = state.withLock({ $0.record(of: step) }) else { return false }
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
            if state.places.removeValue(forKey: step) != nil { state.isChanged = true }
        }
    }

    private func keep(_ record: StepRecord) {
        guard !isReadOnly else { return }
        let isDue = state.withLock { state in
            var writer = RecordWriter()
            writer.add(record)
            let start = state.bytes.count
            state.bytes += writer.bytes
            state.places[record.step] = start..<state.bytes.count
            state.isChanged = true
            return Monotonic.now - state.writtenAt > Self.interval
        }
        // What cannot be written now is tried again at the end, which tells of it.
        if isDue { try? write() }
    }

    /// Puts what changed on disk, whole or not at all. Where that cannot be, the next run has more to do.
    func write() throws(FileError) {
        try state.withLock { (state) throws(FileError) in
            guard state.isChanged else { return }
            var writer = RecordWriter(header: RecordReader.header)
            for (step, place) in state.places.sorted(by: { $0.key < $1.key }) {
                writer.add(step, state.bytes[place])
            }
            state.writtenAt = Monotonic.now
            try makeDirectories("\(root.path)/.lane")
            try writeFile(writer.bytes, to: "\(root.path)/\(Self.path)")
            state.isChanged = false
        }
    }
}
