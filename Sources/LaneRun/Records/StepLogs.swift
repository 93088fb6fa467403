import Archives
import Files
import LaneEvents
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Keeps the whole output of every step in a file of its own. A log that cannot be made is not kept: what it would
/// hold is on the screen, too.
final class StepLogs: Sendable {
    /// Relative to the root.
    private static let folder = ".lane/logs"

    private let root: String
    private let lane: String
    private struct Log {
        /// -1 for a log that could not be made.
        let descriptor: Int32
        var isWithinLine = false
    }

    /// By the ids' texts, as in `RunSummary`.
    private let logs = Mutex<[String: Log]>([:])

    init(root: String, lane: String) {
        self.root = root
        self.lane = lane
    }

    /// Removes those of the lane's last run.
    func clear() { try? removeTree("\(root)/\(Self.folder)/\(lane)") }

    /// Where a step's log is, relative to the root.
    func path(of step: StepID) -> String {
        // Ids begin with the lane's name; what is left becomes the name of one file.
        var name = step.description.utf8[...]
        if name.starts(with: lane.utf8), name.dropFirst(lane.utf8.count).first == UInt8(ascii: "/") {
            name = name.dropFirst(lane.utf8.count + 1)
        }
        return "\(Self.folder)/\(lane)/\(Self.fileName(of: Array(name))).log"
    }

    /// Names of files may be so long, with what is added to them.
    private static let longestName = 200

    /// The id with full stops for slashes. Where it cannot be read from that again, as the values of a matrix may be
    /// anything, a sum makes it a name of its own.
    private static func fileName(of id: [UInt8]) -> String {
        var bytes: [UInt8] = []
        var depth = 0
        var isPlain = id.count <= longestName
        for byte in id {
            if byte == UInt8(ascii: "[") { depth += 1 }
            if byte == UInt8(ascii: "]") { depth -= 1 }
            let isSlash = byte == UInt8(ascii: "/")
            let isControl = byte < 0x20 || byte == 0x7F
            if isControl || isSlash && depth != 0 { isPlain = false }
            bytes.append(isSlash || isControl ? UInt8(ascii: ".") : byte)
        }
        if isPlain { return String(decoding: bytes, as: UTF8.self) }
        return
            "\(String(decoding: bytes.prefix(longestName / 2), as: UTF8.self))-\(SHA256.digest(of: id).description.prefix(12))"
    }

    /// Gives the first failure to write a step's log; from then on that log is not written. Several threads may write to
    /// one log, each piece as a whole.
    ///
    /// - Parameter isLine: They begin a line of their own.
    func append(_ bytes: [UInt8], isLine: Bool, of step: StepID) -> FileError? {
        guard let last = bytes.last else { return nil }
        return logs.withLock { logs in
            var log = logs[step.description] ?? create(step)
            defer { logs[step.description] = log }
            guard log.descriptor >= 0 else { return nil }
            let bytes = isLine && log.isWithinLine ? [UInt8(ascii: "\n")] + bytes : bytes
            do throws(FileError) {
                try bytes.withUnsafeBufferPointer { (bytes) throws(FileError) in
                    try writeAll(UnsafeRawBufferPointer(bytes), to: log.descriptor, named: path(of: step))
                }
                log.isWithinLine = last != UInt8(ascii: "\n")
                return nil
            } catch {
                close(log.descriptor)
                log = Log(descriptor: -1)
                return error
            }
        }
    }

    /// Sees to it that the step has a log, if only an empty one, as messages name it.
    func keep(_ step: StepID) {
        logs.withLock { logs in
            if logs[step.description] == nil { logs[step.description] = create(step) }
        }
    }

    func finish(_ step: StepID) {
        guard let log = logs.withLock({ $0.removeValue(forKey: step.description) }), log.descriptor >= 0 else {
            return
        }
        close(log.descriptor)
    }

    private func create(_ step: StepID) -> Log {
        try? makeDirectories("\(root)/\(Self.folder)/\(lane)")
        return Log(descriptor: open("\(root)/\(path(of: step))", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644))
    }
}
