import Text

/// The record of a run that has ended.
package struct RunRecord: Sendable, Equatable {
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
    /// The file with the events of the run.
    package let path: String

    init(lane: String, startedAt: Double, duration: Duration, status: Int32, failedStep: String?, path: String) {
        self.lane = lane
        self.startedAt = startedAt
        self.duration = duration
        self.status = status
        self.failedStep = failedStep
        self.path = path
    }

    /// The valid times, up to the end of the year 9999. Values in a damaged file could overflow.
    static let times = 0...253_402_300_799.0
    private static let lengths = 0...253_402_300_799_999

    /// Reads the last line of a run's file. Returns `nil` for a run that has not ended.
    init?(line: ArraySlice<UInt8>, path: String) {
        guard let node = try? JSONParser.parse(Array(line)), node["event"]?.string == "record",
            let lane = node["lane"]?.string,
            let startedAt = node["startedAt"]?.number, Self.times.contains(startedAt),
            let milliseconds = node["milliseconds"]?.integer, Self.lengths.contains(milliseconds),
            let status = node["status"]?.integer
        else { return nil }
        self.init(
            lane: lane, startedAt: startedAt, duration: .milliseconds(milliseconds),
            status: Int32(truncatingIfNeeded: status), failedStep: node["failedStep"]?.string, path: path)
    }

    /// The last line of the run's file, with its line feed.
    var line: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("event", "record")
            writer.member("lane", lane)
            writer.member("startedAt", startedAt)
            writer.member("milliseconds", Int(duration / .milliseconds(1)))
            writer.member("status", Int(status))
            if let failedStep { writer.member("failedStep", failedStep) }
        }
        return writer.bytes + [UInt8(ascii: "\n")]
    }
}
