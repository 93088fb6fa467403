package import Events
import OperatingSystem

/// The events of past runs of a package, in the directory `.lane/past`. There is a file for each run, in the format of
/// `--events`.
///
/// It keeps the last hundred files, of at most 64 MiB in total. The oldest are removed ten at a time.
package struct PastRunStore: Sendable {
    private static let countLimit = 100
    private static let removedAtOnce = 10
    private static let sizeLimit = 64 << 20
    /// The size in bytes from which a file counts. A short run therefore does not read the sizes of all files.
    private static let largeSize = 256 << 10

    private let directory: String

    package init(root: String) { directory = "\(root)/.lane/past" }

    /// Returns the path of the file for a run.
    ///
    /// - Parameter startedAt: The start of the run in seconds since 1970, from 0 to the year 9999.
    package func path(startedAt: Double) -> String {
        let milliseconds = Int64(min(max(startedAt, 0), 253_402_300_799) * 1000)
        let digits = String(milliseconds)
        return "\(directory)/\(String(repeating: "0", count: max(0, 15 - digits.utf8.count)))\(digits).jsonl"
    }

    /// Removes the oldest files until the limits are met.
    ///
    /// - Parameter size: The size of the newest file in bytes.
    func prune(afterAdding size: Int) {
        // Most runs only count the files.
        guard size > Self.largeSize || countEntries(directory) >= Self.countLimit + Self.removedAtOnce,
            let names = try? listDirectory(directory)
        else { return }
        var total = 0
        // The names sort by time.
        for (index, name) in names.sorted(by: >).enumerated() {
            total += (try? fileSize("\(directory)/\(name)")) ?? 0
            if index >= Self.countLimit || (total > Self.sizeLimit && index > 0) {
                try? removeTree("\(directory)/\(name)")
            }
        }
    }
}

extension LaneEvent {
    /// The event without the log and the command for failed tests, which a later run of the lane has replaced.
    package var withoutState: LaneEvent {
        guard case .stepStarted(let start) = kind else { return self }
        return LaneEvent(
            number: number, offset: offset, step: step,
            kind: .stepStarted(
                StepStart(
                    name: start.name, action: start.action, command: start.command, repeatCommand: start.repeatCommand,
                    repeatTestsCommand: start.repeatTestsCommand)))
    }
}
