import Files
import JSON
import LaneModel
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Which steps of a lane's last run ended well, written down as they do, so that a run can be taken up where it stopped,
/// however it stopped.
///
/// JSON lines: the plan's fingerprint first, then a line for each step, and one with the status when the run ended.
final class RunJournal: Sendable {
    /// What a journal says.
    struct Entries: Equatable {
        let plan: String
        /// The run that wrote it.
        var run: String?
        var done: [String: [String: Value]] = [:]
        /// Steps that ended well with outputs that hold a secret and so were not written down.
        var withheld: Set<String> = []
        var status: Int32?
    }

    private struct State {
        /// Lines that are not written yet.
        var waiting: [UInt8] = []
        var failure: FileError?
    }

    private let path: String
    private let descriptor: Int32
    private let state = Mutex(State())

    /// Begins a new one in place of the last, with the steps that are taken over from it; `nil` where none can be
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
        // Overwritten in place: file systems flush one that replaces another, or that was cut to nothing, to the disk, a
        // fraction of a millisecond and more. Cut to its first byte it is no journal, should this be as far as it comes.
        guard ftruncate(descriptor, 1) == 0 else { return nil }
        var text = Self.line { writer in
            writer.member("plan", plan)
            writer.member("run", run)
        }
        for (step, results) in past.done.sorted(by: { $0.key < $1.key }) { text += Self.line(step, results) }
        for step in past.withheld.sorted() { text += Self.line { $0.member("withheld", step) } }
        append(text, mayWait: false)
    }

    deinit {
        close(descriptor)
    }

    /// Notes a step that ended well. One that was up to date costs nothing to find out again: its line may wait.
    func note(_ step: String, _ results: [String: Value], mayWait: Bool) {
        append(Self.line(step, results), mayWait: mayWait)
    }

    /// Notes a step that ended well with outputs that must not be written down: it has to be done again for them.
    func noteWithheld(_ step: String) {
        append(Self.line { $0.member("withheld", step) }, mayWait: false)
    }

    /// Notes the end of the run; gives what first kept a line from being written.
    func end(_ status: Int32) -> FileError? {
        append(Self.line { $0.member("status", Int(status)) }, mayWait: false)
        return state.withLock { $0.failure }
    }

    /// The journal of a lane's last run; a line that was not written to its end is passed over.
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
            StepResults.write(
                .map(results.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }), &writer)
        }
    }

    private static func line(_ body: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        writer.object(body)
        return writer.bytes + [UInt8(ascii: "\n")]
    }

    private func append(_ line: [UInt8], mayWait: Bool) {
        state.withLock { state in
            state.waiting += line
            guard !mayWait else { return }
            // A journal that cannot be written costs a repetition, not the run.
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
