import Expressions
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
    /// The content of a journal.
    struct Entries: Equatable {
        let plan: String
        /// The name of the run that wrote it.
        var run: String?
        var done: [String: [String: Value]] = [:]
        /// The steps that succeeded with outputs that hold a secret and so were not written.
        var withheld: Set<String> = []
        var status: Int32?
    }

    private struct State {
        /// Lines that have not been written yet.
        var waiting: [UInt8] = []
        var failure: FileError?
    }

    private let path: String
    private let descriptor: Int32
    private let state = Mutex(State())

    /// Replaces the journal of the last run, and adds the steps that are adopted from it. `nil` if it cannot be written.
    init?(root: String, lane: String, plan: String, run: String, past: PastRun) {
        path = Self.path(root: root, lane: lane)
        do {
            try makeDirectories(parentDirectory(path))
        } catch {
            return nil
        }
        descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { return nil }
        // Overwritten in place, because file systems flush a file that replaces another, or that was truncated to nothing,
        // to the disk. Truncated to its first byte it is no journal, should the run be killed here.
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

    /// Notes a step that succeeded. The line of one that was up to date may wait, as it is cheap to find that out again.
    func note(_ step: String, _ results: [String: Value], mayWait: Bool) {
        append(Self.line(step, results), mayWait: mayWait)
    }

    /// Notes a step that succeeded with outputs that must not be written. It has to run again for them.
    func noteWithheld(_ step: String) {
        append(Self.line { $0.member("withheld", step) }, mayWait: false)
    }

    /// Notes the end of the run, and returns the first error that kept a line from being written.
    func end(_ status: Int32) -> FileError? {
        append(Self.line { $0.member("status", Int(status)) }, mayWait: false)
        return state.withLock { $0.failure }
    }

    /// Returns the journal of a lane's last run without incomplete lines.
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
            StepResults.write(results, &writer)
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
            // Without a journal a later run repeats steps; that is no reason to end this one.
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
