import CLibrary
package import OperatingSystem
package import Text

/// The records of a package's runs in `.lane/runs`. Each run has a directory, which its `RunRecorder` writes:
///
/// - `events.jsonl` has the format of `--events`. The recorder writes it during the run, so the file of a run that was
///   killed ends earlier. Besides events, it contains notes for later runs, and a `RunRecord` as its last line.
/// - `logs` has the output of each step, see `StepLogs`.
///
/// The store keeps the last hundred runs and the last run of each lane. Their events have at most 64 MiB in total, and
/// so have their logs. The oldest runs are removed ten at a time.
package struct RunStore: Sendable {
    private static let countLimit = 100
    private static let removedAtOnce = 10
    private static let sizeLimit = 64 << 20
    /// The size in bytes from which a run counts. A short run therefore does not read the sizes of all runs.
    private static let largeSize = 256 << 10
    /// The maximum length of a `RunRecord` in bytes.
    private static let recordSize = 16 << 10

    /// The number of digits for the start of a run in the name of its directory, in milliseconds.
    private static let digits = 15
    /// The path of the directory, relative to the root.
    private static let path = ".lane/runs"
    /// The start of a note in a file of events.
    private static let noteStart = Array(#"{"event":"note""#.utf8)

    let root: String
    private var directory: String { "\(root)/\(Self.path)" }

    package init(root: String) { self.root = root }

    /// Returns the runs that have ended, oldest first.
    package func records() throws(FileError) -> [RunRecord] {
        try listNames().compactMap { name in
            let path = Self.events(in: "\(directory)/\(name)")
            let lines = try? readEnd(of: path, Self.recordSize).split(separator: UInt8(ascii: "\n"))
            return lines?.last.flatMap { RunRecord(line: $0, path: path) }
        }
    }

    /// Returns the notes of each run of a lane, newest run first. Ignores incomplete lines.
    package func notes(of lane: String) -> some Sequence<[JSONNode]> {
        let ending = Self.ending(of: lane)
        return names.reversed().lazy.filter { $0.dropFirst(Self.digits) == ending }.map { name in
            let bytes = (try? readFile(Self.events(in: "\(directory)/\(name)"))) ?? []
            return bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
                line.starts(with: Self.noteStart) ? try? JSONParser.parse(Array(line)) : nil
            }
        }
    }

    /// Returns the line of a note, with its line feed.
    static func line(ofNote members: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("event", "note")
            members(&writer)
        }
        return writer.bytes + [UInt8(ascii: "\n")]
    }

    /// Returns the path of the file with the events of a run.
    static func events(in run: String) -> String { "\(run)/events.jsonl" }

    /// Creates the directory of a run, and returns its path relative to the root. Its name sorts after those of all
    /// earlier runs, also after the clock went back.
    func makeDirectory(lane: String, startedAt: Double) throws(FileError) -> String {
        try makeDirectories(directory)
        let last = names.last.flatMap { Int($0.prefix(Self.digits)) } ?? 0
        let now = Int(min(max(startedAt, RunRecord.times.lowerBound), RunRecord.times.upperBound) * 1000)
        var start = max(now, last + 1)
        while true {
            let digits = String(start)
            let zeros = String(repeating: "0", count: max(0, Self.digits - digits.utf8.count))
            let path = "\(Self.path)/\(zeros)\(digits)\(Self.ending(of: lane))"
            if withSystemPath("\(root)/\(path)", { mkdir($0, 0o777) }) == 0 { return path }
            guard errno == EEXIST else { throw FileError("create", "\(root)/\(path)") }
            start += 1
        }
    }

    /// Removes the oldest runs, and the logs of others, until the limits are met.
    ///
    /// - Parameters:
    ///   - lane: The lane of the newest run.
    ///   - size: The size of the newest run in bytes.
    func prune(afterAdding size: Int, of lane: String) {
        let names = self.names
        // Most runs only count the runs. The logs of a lane's last run are kept, so the next run must look at them.
        let previous = names.dropLast().last { $0.dropFirst(Self.digits) == Self.ending(of: lane) }
        guard
            max(size, previous.map(logSize) ?? 0) > Self.largeSize
                || names.count >= Self.countLimit + Self.removedAtOnce
        else { return }
        var (total, logTotal) = (0, 0)
        var lanes: Set<Substring> = []
        for (index, name) in names.reversed().enumerated() {
            let path = "\(directory)/\(name)"
            total += (try? fileSize(Self.events(in: path))) ?? 0
            logTotal += logSize(of: name)
            // A later run of the lane may resume its last run.
            if lanes.insert(name.dropFirst(Self.digits)).inserted { continue }
            if index >= Self.countLimit || total > Self.sizeLimit {
                try? removeTree(path)
            } else if logTotal > Self.sizeLimit {
                try? removeTree("\(path)/logs")
            }
        }
    }

    /// Returns the size of a run's logs in bytes.
    private func logSize(of name: String) -> Int {
        let logs = "\(directory)/\(name)/logs"
        return ((try? listDirectory(logs)) ?? []).reduce(0) { $0 + ((try? fileSize("\(logs)/\($1)")) ?? 0) }
    }

    /// The names of the directories, which sort by time.
    private var names: [String] { (try? listNames()) ?? [] }

    private func listNames() throws(FileError) -> [String] {
        do throws(FileError) { return try listDirectory(directory) } catch {
            guard error.isMissing else { throw error }
            return []
        }
    }

    /// Returns the end of the names of a lane's runs.
    private static func ending(of lane: String) -> String { "-" + fileName(of: lane) }

    /// Returns the name of a lane as that of a file. The name of a lane contains no `~`.
    static func fileName(of lane: String) -> String { String(lane.map { $0 == "/" ? "~" : $0 }) }
}
