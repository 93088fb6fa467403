import OperatingSystem
package import Text

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The records of a package's runs in the directory `.lane/runs`, with one file for each run.
///
/// A file has the format of `--events`. `RunRecorder` writes it during the run, so the file of a run that was killed
/// ends earlier. Besides events, it contains notes for later runs, and a `RunRecord` as its last line.
///
/// The store keeps the last hundred files, of at most 64 MiB in total, and the last file of each lane. The oldest are
/// removed ten at a time.
package struct RunStore: Sendable {
    private static let countLimit = 100
    private static let removedAtOnce = 10
    private static let sizeLimit = 64 << 20
    /// The size in bytes from which a file counts. A short run therefore does not read the sizes of all files.
    private static let largeSize = 256 << 10
    /// The maximum length of a `RunRecord` in bytes.
    private static let recordSize = 16 << 10

    /// The number of digits for the start of a run in the name of its file, in milliseconds.
    private static let digits = 15
    private static let suffix = ".jsonl"
    /// The start of a note in a file.
    private static let noteStart = Array(#"{"event":"note""#.utf8)

    private let directory: String

    package init(root: String) { directory = "\(root)/.lane/runs" }

    /// Returns the runs that have ended, oldest first.
    package func records() -> [RunRecord] {
        names.compactMap { name in
            let path = "\(directory)/\(name)"
            let lines = try? readEnd(of: path, Self.recordSize).split(separator: UInt8(ascii: "\n"))
            return lines?.last.flatMap { RunRecord(line: $0, path: path) }
        }
    }

    /// Returns the notes of each run of a lane, newest run first. Ignores incomplete lines.
    package func notes(of lane: String) -> some Sequence<[JSONNode]> {
        let ending = Self.ending(of: lane)
        return names.reversed().lazy.filter { $0.dropFirst(Self.digits) == ending }.map { name in
            let bytes = (try? readRegularFile("\(directory)/\(name)")) ?? []
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

    /// Creates the file of a run. Its name sorts after those of all earlier runs, also after the clock went back.
    func makeFile(lane: String, startedAt: Double) throws(FileError) -> LogFile {
        try makeDirectories(directory)
        let last = names.last.flatMap { Int($0.prefix(Self.digits)) } ?? 0
        let now = Int(min(max(startedAt, RunRecord.times.lowerBound), RunRecord.times.upperBound) * 1000)
        var start = max(now, last + 1)
        while true {
            let digits = String(start)
            let zeros = String(repeating: "0", count: max(0, Self.digits - digits.utf8.count))
            let path = "\(directory)/\(zeros)\(digits)\(Self.ending(of: lane))"
            do throws(FileError) {
                return try LogFile(path, isNew: true)
            } catch {
                guard error.code == EEXIST else { throw error }
                start += 1
            }
        }
    }

    /// Removes the oldest files until the limits are met.
    ///
    /// - Parameter size: The size of the newest file in bytes.
    func prune(afterAdding size: Int) {
        // Most runs only count the files.
        guard size > Self.largeSize || countEntries(directory) >= Self.countLimit + Self.removedAtOnce else { return }
        var total = 0
        var lanes: Set<Substring> = []
        for (index, name) in names.reversed().enumerated() {
            total += (try? fileSize("\(directory)/\(name)")) ?? 0
            // A later run of the lane may resume its last run.
            let isLast = lanes.insert(name.dropFirst(Self.digits)).inserted
            if !isLast, index >= Self.countLimit || total > Self.sizeLimit { try? removeTree("\(directory)/\(name)") }
        }
    }

    /// The names of the files, which sort by time.
    private var names: [String] { ((try? listDirectory(directory)) ?? []).sorted() }

    /// Returns the end of the file names of a lane's runs. The name of a lane contains no `~`.
    private static func ending(of lane: String) -> String {
        "-" + String(lane.map { $0 == "/" ? "~" : $0 }) + suffix
    }
}
