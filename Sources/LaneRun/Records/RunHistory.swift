import Files
import JSON

/// The runs of a package's lanes, oldest first, in `.lane/history.jsonl`: one JSON object per line.
package struct RunHistory: Sendable {
    /// One run as it ended.
    package struct Entry: Sendable, Equatable {
        /// As it was asked for.
        package let lane: String
        /// Seconds since 1970.
        package let startedAt: Double
        /// Hooks included.
        package let duration: Duration
        /// The status with which `lane` ended.
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

    /// Beyond this size the older half of the file goes.
    private static let largestSize = 1 << 20

    /// Up to the end of the year 9999; what a damaged file says beyond these cannot be counted with.
    private static let times = 0...253_402_300_799.0
    private static let lengths = 0...253_402_300_799_999

    private let path: String
    private let folder: String

    package init(root: String) {
        folder = "\(root)/.lane"
        path = "\(folder)/history.jsonl"
    }

    /// Adds a run.
    func append(_ entry: Entry) throws(FileError) {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("lane", entry.lane)
            writer.member("startedAt", entry.startedAt)
            writer.member("milliseconds", Int(entry.duration / .milliseconds(1)))
            writer.member("status", Int(entry.status))
            if let step = entry.failedStep { writer.member("failedStep", step) }
        }
        try makeDirectories(folder)
        try appendToFile(writer.bytes + [UInt8(ascii: "\n")], path)
        try shortenIfLarge()
    }

    /// All that is known; lines that are not whole are passed over.
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
