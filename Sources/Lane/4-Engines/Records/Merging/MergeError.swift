package import OperatingSystem

/// An error that prevents the merge of event files.
package enum MergeError: Error, Sendable, Equatable, CustomStringConvertible {
    case cannotRead(FileError)
    case damaged(path: String, line: Int, reason: String)
    /// The file lacks events, or contains other lines.
    case incomplete(path: String, line: Int, reason: String)
    /// The file has no event of the start of a run.
    case noRun(path: String)
    /// The files belong to runs with different numbers of shards.
    case differentCounts(String, Int, String, Int)
    /// Files of runs without shards contain the same tests.
    case notSharded([String])

    package var description: String {
        switch self {
        case .cannotRead(let error): error.description
        case .damaged(let path, let line, let reason): "\(path):\(line): not an event: \(reason)"
        case .incomplete(let path, let line, let reason): "\(path):\(line): \(reason)"
        case .noRun(let path):
            "'\(path)' has no event of a run\nhint: 'lane test --shard 1/4 --events FILE' writes them"
        case .differentCounts(let one, let count, let other, let otherCount):
            "'\(one)' is one of \(count) shards, and '\(other)' is one of \(otherCount)"
        case .notSharded(let paths):
            paths.map { "'\($0)'" }.joined(separator: " and ") + (paths.count == 1 ? " is a run" : " are runs")
                + " without shards\nhint: merge the files of one run with '--shard'"
        }
    }
}
