import Archives
package import Events
package import OperatingSystem
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Log files with the complete output of each step. A log that cannot be created is omitted, because the terminal also
/// shows its contents.
package final class StepLogs: Sendable {
    /// The directory of the logs, relative to the root.
    private static let directory = ".lane/logs"

    private let root: String
    private let lane: String
    private struct Log {
        /// The file descriptor, or -1 for a log that could not be created.
        let descriptor: Int32
        var isWithinLine = false
    }

    /// The open logs by the text of the step's ID.
    private let logs = Mutex<[String: Log]>([:])

    /// Creates the logs of a lane, or returns `nil` if the user may not write their directory.
    package init?(root: String, lane: String) {
        let directory = nearestDirectory(above: "\(root)/\(Self.directory)/\(lane)")
        guard withSystemPath(directory, { access($0, W_OK) }) == 0 else { return nil }
        self.root = root
        self.lane = lane
    }

    /// Removes the logs of the lane's last run.
    package func clear() { try? removeTree("\(root)/\(Self.directory)/\(lane)") }

    /// Returns the path of a step's log, relative to the root.
    package func path(of step: StepID) -> String {
        // IDs start with the lane's name. The rest becomes the name of the file.
        var name = step.description.utf8[...]
        if name.starts(with: lane.utf8), name.dropFirst(lane.utf8.count).first == UInt8(ascii: "/") {
            name = name.dropFirst(lane.utf8.count + 1)
        }
        return "\(Self.directory)/\(lane)/\(Self.fileName(of: Array(name))).log"
    }

    /// The maximum length of a file name in bytes. A digest replaces the end of a longer name.
    private static let maximumNameLength = 200

    /// Returns a unique file name for an ID, with full stops in place of slashes. Appends a part of a digest if other
    /// replacements, for example in matrix values, make the name ambiguous.
    private static func fileName(of id: [UInt8]) -> String {
        var bytes: [UInt8] = []
        var depth = 0
        var isPlain = id.count <= maximumNameLength
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
            "\(String(decoding: bytes.prefix(maximumNameLength / 2), as: UTF8.self))-\(SHA256.digest(of: id).description.prefix(12))"
    }

    /// Appends bytes to a step's log without interruption by other threads. Writes nothing after the first error.
    ///
    /// - Parameter isLine: A Boolean value that indicates whether the bytes start on a new line.
    /// - Returns: The error, if this is the first for this log.
    package func append(_ bytes: [UInt8], isLine: Bool, of step: StepID) -> FileError? {
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

    /// Creates the step's log if it doesn't exist, because messages refer to it.
    package func keep(_ step: StepID) {
        logs.withLock { logs in
            if logs[step.description] == nil { logs[step.description] = create(step) }
        }
    }

    package func finish(_ step: StepID) {
        guard let log = logs.withLock({ $0.removeValue(forKey: step.description) }), log.descriptor >= 0 else {
            return
        }
        close(log.descriptor)
    }

    private func create(_ step: StepID) -> Log {
        try? makeDirectories("\(root)/\(Self.directory)/\(lane)")
        return Log(
            descriptor: withSystemPath("\(root)/\(path(of: step))") {
                open($0, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
            })
    }
}

extension LaneEvent.Kind {
    /// The text of the event for a step's log: output, or a line for a result. `nil` for other events, such as a passed
    /// test.
    package var logText: (bytes: [UInt8], isLine: Bool)? {
        switch self {
        case .stepOutput(let chunk): (chunk.bytes, false)
        case .test(.output(_, let bytes)): (bytes, false)
        case .test(.issue(let issue)):
            Self.line(
                [issue.location?.text, issue.severity.rawValue, issue.test?.description, issue.argument], issue.text)
        case .test(.ended(let result)):
            switch result.outcome {
            case .passed, .failed: nil
            case .skipped(let reason): Self.line([result.test.description, "skipped"], reason ?? "")
            case .crashed(let how): Self.line([result.test.description, "crashed"], how)
            case .timedOut(let limit): Self.line([result.test.description, "timed out"], "after \(limit)")
            case .notRun(let reason): Self.line([result.test.description, "not run"], reason)
            }
        case .buildDiagnostic(let diagnostic):
            Self.line(
                [diagnostic.location?.text, diagnostic.severity.rawValue],
                ([diagnostic.message] + diagnostic.excerpt).joined(separator: "\n"))
        case .message(let message): Self.line([message.level.rawValue], message.text)
        default: nil
        }
    }

    private static func line(_ heads: [String?], _ text: String) -> (bytes: [UInt8], isLine: Bool) {
        (Array(((heads + [text]).compactMap { $0 }.joined(separator: ": ") + "\n").utf8), true)
    }
}
