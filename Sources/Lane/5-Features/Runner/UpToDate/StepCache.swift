import Actions
import CLibrary
import Expressions
import OperatingSystem
import Synchronization

/// A cache of the records of successful steps in `.lane/state`, which determines whether a step is up to date.
final class StepCache: Sendable {
    /// The interval at which new records are written during a run, which limits the loss if the run is killed.
    private static let interval = Duration.seconds(2)

    private struct State {
        /// The file as this run has read or written it last.
        var file: StepCacheFile
        /// The encoded records that differ from the file; `nil` for removed records.
        var changes: [String: [UInt8]?] = [:]
        var writtenAt = Monotonic.now
    }

    /// The reason to run a step with another fingerprint.
    static let changedSettings = "its settings or environment changed"

    enum Status {
        case upToDate(results: [String: Value])
        case outdated(reason: String)
    }

    private let root: RootDirectory
    private let isReadOnly: Bool
    private let state: Mutex<State>

    /// Reads the file. A missing or damaged file counts as empty.
    init(root: String, isReadOnly: Bool = false) {
        self.root = RootDirectory(root)
        self.isReadOnly = isReadOnly
        state = Mutex(State(file: StepCacheFile(below: root)))
    }

    private func record(of step: String) -> Record? {
        let (change, file) = state.withLock { ($0.changes[step], $0.file) }
        if let change { return change.flatMap { Record(step, $0) } }
        return file.record(of: step)
    }

    /// Returns whether a step is up to date, or the reason why it is not.
    func status(of key: Key) -> Status {
        guard var record = record(of: key.step) else { return .outdated(reason: "it has not succeeded before") }
        if record.fingerprint != key.fingerprint { return .outdated(reason: Self.changedSettings) }
        if let reason = key.changedInput(since: &record, in: root) ?? key.changedOutput(since: &record, in: root) {
            return .outdated(reason: reason)
        }
        if record.hasNewStamps { store(record) }
        return .upToDate(results: OutputsJSON.decode(record.results))
    }

    /// Returns a description of the first input that changed since the step last succeeded, such as `'a.swift'
    /// changed`.
    ///
    /// - Parameter paths: The current inputs, or `nil` if they are unknown.
    func changedInput(of step: String, among paths: [String]?) -> String? {
        guard var record = record(of: step) else { return nil }
        let known = Set(record.inputs.map(\.path))
        if let new = paths?.first(where: { !known.contains($0) }) { return "'\(new.readablePath)' is new" }
        return Key.change(in: &record.inputs, below: root)
    }

    /// Returns a Boolean value that indicates whether an output of the last successful run of a step is missing.
    func hasLostOutput(of step: String) -> Bool {
        guard let record = record(of: step) else { return false }
        return record.outputs.contains { if case .missing = $0.compared(in: root) { true } else { false } }
    }

    /// Returns the outputs of the last successful runs of steps, by the bytes of their paths.
    func outputs(of steps: [String]) -> [[UInt8]: [FileRecord]] {
        Dictionary(grouping: steps.flatMap { record(of: $0)?.outputs ?? [] }) { Array($0.path.utf8) }
    }

    /// Stores the record of a successful step.
    func store(_ key: Key, inputs: [FileRecord], outputs: [FileRecord], results: [String: Value]) {
        store(
            Record(
                step: key.step, fingerprint: key.fingerprint, inputs: inputs, outputs: outputs,
                results: OutputsJSON.encode(results)))
    }

    /// Removes the record of a step before the step runs, also from the file. A step that fails, or whose `lane` is
    /// killed, is then not up to date.
    func remove(_ step: String) {
        state.withLock { state in
            guard state.file.contains(step) || state.changes[step] != nil else { return }
            state.changes[step] = .some(nil)
            StepCacheFile.appendRemoval(of: step, below: root.path)
        }
    }

    private func store(_ record: Record) {
        guard !isReadOnly else { return }
        var writer = RecordWriter()
        writer.add(record)
        let isDue = state.withLock { [bytes = writer.bytes] state in
            state.changes[record.step] = bytes
            return Monotonic.now - state.writtenAt > Self.interval
        }
        // The write at the end of the run is a second attempt and reports an error.
        if isDue { try? write() }
    }

    /// Writes all changes atomically. Keeps the records that a run inside a step has written.
    func write() throws(FileError) {
        try state.withLock { (state) throws(FileError) in
            guard !state.changes.isEmpty else { return }
            state.writtenAt = Monotonic.now
            try makeDirectories("\(root.path)/.lane")
            let lock = StepCacheFile.lock(below: root.path)
            defer { withExtendedLifetime(lock) {} }
            let bytes = StepCacheFile(below: root.path).replacing(state.changes)
            try writeFile(bytes, to: StepCacheFile.path(below: root.path))
            (state.file, state.changes) = (StepCacheFile(bytes), [:])
        }
    }
}

/// The contents of the cache file. Records are decoded on demand, and unchanged records are copied as bytes.
private struct StepCacheFile: Sendable {
    private let bytes: [UInt8]
    private var ranges: [String: Range<Int>] = [:]

    static func path(below root: String) -> String { "\(root)/.lane/state" }

    /// Acquires the lock for changes of the file. Returns `nil` on a file system without locks.
    static func lock(below root: String) -> FileLock? { try? FileLock("\(root)/.lane/state.lock") }

    init(below root: String) {
        self.init((try? readFile(Self.path(below: root))) ?? [])
    }

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        guard var reader = RecordReader(file: bytes) else { return }
        while let (step, range) = reader.entry() { ranges[step] = range.isEmpty ? nil : range }
    }

    /// Appends an empty record, which replaces the step's earlier one. An append is faster than a new file. Removes the
    /// file if it cannot be extended, for example because the disk is full.
    static func appendRemoval(of step: String, below root: String) {
        let path = path(below: root)
        var writer = RecordWriter()
        writer.add(step, [])
        let lock = lock(below: root)
        defer { withExtendedLifetime(lock) {} }
        let descriptor = withSystemPath(path) { open($0, O_WRONLY | O_APPEND | O_CLOEXEC) }
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        do {
            try writer.bytes.withUnsafeBufferPointer { (bytes) throws(FileError) in
                try writeAll(UnsafeRawBufferPointer(bytes), to: descriptor, named: path)
            }
        } catch {
            withSystemPath(path) { _ = unlink($0) }
        }
    }

    func contains(_ step: String) -> Bool { ranges[step] != nil }

    func record(of step: String) -> StepCache.Record? {
        ranges[step].flatMap { StepCache.Record(step, bytes, $0) }
    }

    /// Returns the contents of a new file.
    ///
    /// - Parameter changes: The encoded records that differ; `nil` for removed records.
    func replacing(_ changes: [String: [UInt8]?]) -> [UInt8] {
        var records = ranges.mapValues { bytes[$0] }
        for (step, change) in changes { records[step] = change.map { $0[...] } }
        var writer = RecordWriter(header: RecordReader.header)
        for (step, record) in records.sorted(by: { $0.key < $1.key }) { writer.add(step, record) }
        return writer.bytes
    }
}
