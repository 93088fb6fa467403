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
        var done: [String: [String: Value]] = [:]
        var status: Int32?
    }

    private let descriptor: Int32
    private let lock = Mutex(())

    /// Begins a new one in place of the last, with the steps that are taken over from it; `nil` where none can be
    /// written.
    init?(root: String, lane: String, plan: String, done: [String: [String: Value]]) {
        let path = Self.path(root: root, lane: lane)
        do {
            try makeDirectories(parentDirectory(path))
            var text = Self.line { $0.member("plan", plan) }
            for (step, results) in done.sorted(by: { $0.key < $1.key }) { text += Self.line(step, results) }
            try writeFile(text, to: path)
        } catch {
            return nil
        }
        #if canImport(Glibc)
            descriptor = Glibc.open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
        #else
            descriptor = Darwin.open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
        #endif
        guard descriptor >= 0 else { return nil }
    }

    deinit {
        close(descriptor)
    }

    func note(_ step: String, _ results: [String: Value]) {
        append(Self.line(step, results))
    }

    func end(_ status: Int32) {
        append(Self.line { $0.member("status", Int(status)) })
    }

    /// The journal of a lane's last run; a line that was not written to its end is passed over.
    static func read(root: String, lane: String) -> Entries? {
        guard let bytes = try? readFile(path(root: root, lane: lane)) else { return nil }
        var entries: Entries?
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            guard let node = try? JSONParser.parse(Array(line)) else { continue }
            if let plan = node["plan"]?.string { entries = Entries(plan: plan) }
            if let step = node["step"]?.string {
                entries?.done[step] = node["results"].map(StepResults.results) ?? [:]
            }
            if let status = node["status"]?.integer { entries?.status = Int32(truncatingIfNeeded: status) }
        }
        return entries
    }

    private static func path(root: String, lane: String) -> String { "\(root)/.lane/runs/\(lane).jsonl" }

    private static func line(_ step: String, _ results: [String: Value]) -> String {
        line { writer in
            writer.member("step", step)
            guard !results.isEmpty else { return }
            writer.name("results")
            StepResults.write(
                .map(results.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }), &writer)
        }
    }

    private static func line(_ body: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter()
        writer.object(body)
        return writer.text + "\n"
    }

    private func append(_ line: String) {
        lock.withLock { _ in
            var line = line
            line.withUTF8 { _ = write(descriptor, $0.baseAddress, $0.count) }
        }
    }
}

extension Plan {
    /// Hexadecimal digits that are the same for plans that would do the same.
    var fingerprint: String {
        var print = Fingerprint()
        for group in groups {
            print.add(group.path)
            for (name, value) in group.parameters + group.matrix {
                print.add(name)
                print.add(String(decoding: StepResults.encode(["": value]), as: UTF8.self))
            }
        }
        for step in steps {
            print.add(step.id)
            print.add(step.action.word)
            print.add(step.condition?.text ?? "")
            for (name, template) in step.environment { print.add("\(name)=\(template.text)") }
            for member in step.settings.members {
                print.add(member.name)
                print.add(member.node.text)
            }
        }
        return print.digest().prefix(16).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}

extension SettingsTemplate.Node {
    /// As written, or near enough to tell one from another.
    fileprivate var text: String {
        switch self {
        case .value(let value): String(decoding: StepResults.encode(["": value]), as: UTF8.self)
        case .template(let template): template.text
        case .list(let nodes): "[" + nodes.map(\.text).joined(separator: "\0") + "]"
        case .map(let members): "{" + members.map { "\($0.name)\0\($0.node.text)" }.joined(separator: "\0") + "}"
        }
    }
}
