import Actions
import Expressions
import OperatingSystem
import Synchronization
import Text

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A journal of the steps that succeeded, written during a run. A run that was interrupted in any way can be resumed
/// from it.
///
/// The file consists of JSON lines: the fingerprint of the plan, then a line for each step, and a line with the status
/// at the end of the run.
final class RunJournal: Sendable {
    /// The content of a journal.
    struct Entries: Equatable {
        let plan: String
        /// The name of the run that wrote the journal.
        var run: String?
        var done: [String: [String: Value]] = [:]
        /// The steps that succeeded and whose outputs were not written because they contain a secret.
        var withheld: Set<String> = []
        /// The releases whose versions the run had determined.
        var releases: [PlannedRelease] = []
        var status: Int32?
    }

    private struct State {
        /// Lines that have not been written yet.
        var waiting: [UInt8] = []
        var failure: FileError?
        /// The releases of the last line that records them.
        var releases: [PlannedRelease] = []
    }

    private let path: String
    private let descriptor: Int32
    private let state = Mutex(State())

    /// Creates a journal that replaces that of the last run and contains its reused steps; `nil` if the file cannot be
    /// written.
    init?(root: String, lane: String, plan: String, run: String, past: PastRun) {
        path = Self.path(root: root, lane: lane)
        do {
            try makeDirectories(parentDirectory(path))
        } catch {
            return nil
        }
        descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { return nil }
        // The file is overwritten in place. File systems flush a file to the disk if it replaces another or was
        // truncated to no bytes. A file of one byte is not a valid journal if the run is killed here.
        guard ftruncate(descriptor, 1) == 0 else { return nil }
        var text = Self.line { writer in
            writer.member("plan", plan)
            writer.member("run", run)
        }
        for (step, results) in past.done.sorted(by: { $0.key < $1.key }) { text += Self.line(step, results) }
        for step in past.withheld.sorted() { text += Self.line { $0.member("withheld", step) } }
        append(text, isDeferrable: false)
        record(past.releases)
    }

    deinit {
        close(descriptor)
    }

    /// Records a step that succeeded. `isDeferrable` delays the line of a step that was up to date, because the check is
    /// cheap to repeat.
    func record(_ step: String, _ results: [String: Value], isDeferrable: Bool) {
        append(Self.line(step, results), isDeferrable: isDeferrable)
    }

    /// Records the releases whose versions are determined, unless the journal contains them already.
    func record(_ releases: [PlannedRelease]) {
        let isNew = state.withLock { state in
            defer { state.releases = releases }
            return state.releases != releases
        }
        if isNew { append(Self.line { releases.write(to: &$0) }, isDeferrable: true) }
    }

    /// Records a step that succeeded with outputs that must not be written. A later run repeats the step to get the
    /// outputs.
    func recordWithheld(_ step: String) {
        append(Self.line { $0.member("withheld", step) }, isDeferrable: false)
    }

    /// Records the end of the run. Returns the first error of a write.
    func end(_ status: Int32) -> FileError? {
        append(Self.line { $0.member("status", Int(status)) }, isDeferrable: false)
        return state.withLock { $0.failure }
    }

    /// Returns the journal of a lane's last run. Ignores incomplete lines.
    static func read(root: String, lane: String) -> Entries? {
        guard let bytes = try? readRegularFile(path(root: root, lane: lane)) else { return nil }
        var entries: Entries?
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            guard let node = try? JSONParser.parse(Array(line)) else { continue }
            if let plan = node["plan"]?.string { entries = Entries(plan: plan, run: node["run"]?.string) }
            if let step = node["step"]?.string {
                entries?.done[step] = node["results"].map(StepResults.results) ?? [:]
            }
            if let step = node["withheld"]?.string { entries?.withheld.insert(step) }
            if node["releases"] != nil { entries?.releases = [PlannedRelease](node) }
            if let status = node["status"]?.integer { entries?.status = Int32(truncatingIfNeeded: status) }
        }
        return entries
    }

    private static func path(root: String, lane: String) -> String { "\(root)/.lane/runs/\(lane).jsonl" }

    private static func line(_ step: String, _ results: [String: Value]) -> [UInt8] {
        line { writer in
            writer.member("step", step)
            guard !results.isEmpty else { return }
            writer.name("results")
            StepResults.write(results, &writer)
        }
    }

    private static func line(_ body: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        writer.object(body)
        return writer.bytes + [UInt8(ascii: "\n")]
    }

    private func append(_ line: [UInt8], isDeferrable: Bool) {
        state.withLock { state in
            state.waiting += line
            guard !isDeferrable else { return }
            // Without a journal, a later run repeats steps. The current run continues.
            do throws(FileError) {
                try state.waiting.withUnsafeBufferPointer { (bytes) throws(FileError) in
                    try writeAll(UnsafeRawBufferPointer(bytes), to: descriptor, named: path)
                }
            } catch {
                state.failure = state.failure ?? error
            }
            state.waiting.removeAll(keepingCapacity: true)
        }
    }
}
