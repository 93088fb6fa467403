import Archives
import CLibrary
import Events
import OperatingSystem

/// The logs of a run, a file with the complete output for each step.
///
/// The files are in the directory of the run. Because people type their paths, `.lane/logs/LANE` is a link to the logs of
/// the lane's last run, and messages name this link. If the file system has no links, they name the run's directory.
struct StepLogs {
    private struct Log {
        /// The file, or `nil` after an error.
        var file: LogFile?
        var isWithinLine = false
    }

    /// The open logs by the text of the step's ID.
    private var logs: [String: Log] = [:]
    /// The first error of each log that could not be written.
    private(set) var failures: [FileError] = []
    /// The number of bytes in all logs.
    private(set) var size = 0

    private let lane: String
    /// The directory of the logs.
    private let directory: String
    /// The directory relative to the root, as messages name it.
    private let shownDirectory: String
    private let link: String
    /// The target of the link, relative to its directory, so that it also works in a moved checkout and outside a container.
    private let target: String

    /// Creates the logs of a run.
    ///
    /// - Parameter run: The path of the run's directory, relative to the root.
    init(root: String, run: String, lane: String) throws(FileError) {
        self.lane = lane
        directory = "\(root)/\(run)/logs"
        let shownLink = ".lane/logs/\(RunStore.fileName(of: lane))"
        link = "\(root)/\(shownLink)"
        target = "../../\(run)/logs"
        try makeDirectories(directory)
        shownDirectory = Self.makeLink(link, to: target) ? shownLink : "\(run)/logs"
    }

    /// Makes the link again if a run of the same lane has replaced it, such as a run that a step started.
    func restoreLink() {
        if link.hasSuffix(shownDirectory) { _ = Self.makeLink(link, to: target) }
    }

    /// Creates a symbolic link, and returns a Boolean value that indicates whether it has the target.
    private static func makeLink(_ link: String, to target: String) -> Bool {
        if (try? linkTarget(link)) == target { return true }
        try? makeDirectories(parentDirectory(link))
        try? removeTree(link)
        return withSystemPath(link) { link in withSystemPath(target) { symlink($0, link) } } == 0
    }

    /// Returns the path of a step's log, relative to the root.
    func path(of step: StepID) -> String { "\(shownDirectory)/\(fileName(of: step))" }

    private func fileName(of step: StepID) -> String {
        // IDs start with the lane's name. The rest becomes the name of the file.
        var name = step.description.utf8[...]
        if name.starts(with: lane.utf8), name.dropFirst(lane.utf8.count).first == UInt8(ascii: "/") {
            name = name.dropFirst(lane.utf8.count + 1)
        }
        return Self.fileName(of: Array(name)) + ".log"
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

    /// Appends bytes to a step's log. Writes nothing after the first error.
    ///
    /// - Parameter isLine: A Boolean value that indicates whether the bytes start on a new line.
    mutating func append(_ bytes: [UInt8], isLine: Bool, of step: StepID) {
        guard let last = bytes.last else { return }
        keep(step)
        guard var log = logs[step.description], let file = log.file else { return }
        let bytes = isLine && log.isWithinLine ? [UInt8(ascii: "\n")] + bytes : bytes
        do throws(FileError) {
            try file.append(bytes)
            size += bytes.count
            log.isWithinLine = last != UInt8(ascii: "\n")
        } catch {
            log.file = fail(error, step)
        }
        logs[step.description] = log
    }

    /// Creates the step's log if it doesn't exist, because messages refer to it.
    mutating func keep(_ step: StepID) {
        guard logs[step.description] == nil else { return }
        do throws(FileError) {
            logs[step.description] = Log(file: try LogFile("\(directory)/\(fileName(of: step))"))
        } catch {
            logs[step.description] = Log(file: fail(error, step))
        }
    }

    mutating func finish(_ step: StepID) { logs[step.description] = nil }

    private mutating func fail(_ error: FileError, _ step: StepID) -> LogFile? {
        failures.append(FileError(error.operation, path(of: step), code: error.code))
        return nil
    }
}

extension LaneEvent.Kind {
    /// The text of the event for a step's log: output, or a line for a result. `nil` for other events, such as a passed
    /// test.
    var logText: (bytes: [UInt8], isLine: Bool)? {
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
