package import OperatingSystem
import Text

/// The history of a package's runs in `.lane/history.jsonl`, oldest first, with one JSON object per line.
package struct RunHistory: Sendable {
    /// A run that has ended.
    package struct Entry: Sendable, Equatable {
        /// The name of the lane on the command line.
        package let lane: String
        /// The start time in seconds since 1970.
        package let startedAt: Double
        /// The duration including hooks.
        package let duration: Duration
        /// The exit status of `lane`.
        package let status: Int32
        /// The step that determined the status, or `nil` if no step did.
        package let failedStep: String?

        package init(lane: String, startedAt: Double, duration: Duration, status: Int32, failedStep: String? = nil) {
            self.lane = lane
            self.startedAt = startedAt
            self.duration = duration
            self.status = status
            self.failedStep = failedStep
        }
    }

    /// The size in bytes above which the older half of the file is removed.
    private static let maximumSize = 1 << 20

    /// The valid times, up to the end of the year 9999. Values in a damaged file could overflow.
    private static let times = 0...253_402_300_799.0
    private static let lengths = 0...253_402_300_799_999

    private let path: String
    private let directory: String

    package init(root: String) {
        directory = "\(root)/.lane"
        path = "\(directory)/history.jsonl"
    }

    /// Adds a run to the file.
    package func append(_ entry: Entry) throws(FileError) {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("lane", entry.lane)
            writer.member("startedAt", entry.startedAt)
            writer.member("milliseconds", Int(entry.duration / .milliseconds(1)))
            writer.member("status", Int(entry.status))
            if let step = entry.failedStep { writer.member("failedStep", step) }
        }
        try makeDirectories(directory)
        try appendToFile(writer.bytes + [UInt8(ascii: "\n")], path)
        try truncateIfLarge()
    }

    /// Returns the runs in the file. Ignores incomplete lines.
    package func entries() -> [Entry] {
        let bytes = (try? readRegularFile(path)) ?? []
        return bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
            guard let node = try? JSONParser.parse(Array(line)), let lane = node["lane"]?.string,
                let startedAt = node["startedAt"]?.number, Self.times.contains(startedAt),
                let milliseconds = node["milliseconds"]?.integer, Self.lengths.contains(milliseconds),
                let status = node["status"]?.integer
            else { return nil }
            return Entry(
                lane: lane, startedAt: startedAt, duration: .milliseconds(milliseconds),
                status: Int32(truncatingIfNeeded: status), failedStep: node["failedStep"]?.string)
        }
    }

    private func truncateIfLarge() throws(FileError) {
        guard let size = try? fileSize(path), size > Self.maximumSize else { return }
        let lines = try readRegularFile(path).split(separator: UInt8(ascii: "\n"))
        try writeFile(lines.suffix(lines.count / 2).flatMap { $0 + [UInt8(ascii: "\n")] }, to: path)
    }
}
