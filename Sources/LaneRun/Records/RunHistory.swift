import Files
import JSON

/// The runs of a package's lanes, oldest first, in `.lane/history.jsonl`: one JSON object per line.
package struct RunHistory: Sendable {
    /// A run that has ended.
    package struct Entry: Sendable, Equatable {
        /// The lane's name as it was given on the command line.
        package let lane: String
        /// Seconds since 1970.
        package let startedAt: Double
        /// The duration including hooks.
        package let duration: Duration
        /// The exit status of `lane`.
        package let status: Int32
        /// The step that decided the status, if one did.
        package let failedStep: String?

        init(lane: String, startedAt: Double, duration: Duration, status: Int32, failedStep: String? = nil) {
            self.lane = lane
            self.startedAt = startedAt
            self.duration = duration
            self.status = status
            self.failedStep = failedStep
        }
    }

    /// The size in bytes above which the older half of the file is removed.
    private static let largestSize = 1 << 20

    /// The valid times, up to the end of the year 9999. A damaged file may have values that would overflow.
    private static let times = 0...253_402_300_799.0
    private static let lengths = 0...253_402_300_799_999

    private let path: String
    private let directory: String

    package init(root: String) {
        directory = "\(root)/.lane"
        path = "\(directory)/history.jsonl"
    }

    /// Adds a run to the file.
    func append(_ entry: Entry) throws(FileError) {
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
        try shortenIfLarge()
    }

    /// Returns the runs in the file without incomplete lines.
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

    private func shortenIfLarge() throws(FileError) {
        guard let size = try? fileSize(path), size > Self.largestSize else { return }
        let lines = try readRegularFile(path).split(separator: UInt8(ascii: "\n"))
        try writeFile(lines.suffix(lines.count / 2).flatMap { $0 + [UInt8(ascii: "\n")] }, to: path)
    }
}
