import Events
import OperatingSystem
import Records
import Text

/// The recorded events of runs. A run is given by its number or by the path of a file.
struct RecordedEvents {
    /// The root of the package.
    let root: String

    /// Reads the events of a run.
    ///
    /// - Parameter run: The number of a run in the history, where 1 is the last run, or the path of a file.
    func read(_ run: String, in world: World) throws(CommandFailure) -> [LaneEvent] {
        guard let number = Int(run) else { return try Self.read(file: run, in: world) }
        let runs = try convertingFileErrors(to: CommandFailure.self, of: RunStore(root: root).records())
        guard (1...max(1, runs.count)).contains(number), !runs.isEmpty else {
            let known = runs.isEmpty ? "no run is recorded" : "the history has runs 1 to \(runs.count)"
            throw CommandFailure(.fileNotFound, "there is no run \(number): \(known)")
        }
        let wanted = runs[runs.count - number]
        let events = try Self.read(file: wanted.path, in: world)
        let isLast = !runs.suffix(number - 1).contains { $0.lane == wanted.lane }
        let logs = relativePath(parentDirectory(wanted.path), to: root) + "/logs"
        let names = Set((try? listDirectory("\(root)/\(logs)")) ?? [])
        return isLast ? events : events.map { $0.ofEarlierRun(logs: logs, names) }
    }

    /// Reads the events in a file of `--events`.
    static func read(file: String, in world: World) throws(CommandFailure) -> [LaneEvent] {
        var events: [LaneEvent] = []
        let path = file == "-" ? "/dev/stdin" : absolutePath(file, from: world.directory)
        do throws(MergeError) {
            try EventFile(path).read { events.append($0) }
        } catch {
            if case .cannotRead = error {
                throw CommandFailure(
                    .fileNotFound, error.description,
                    hint: "a run is a number in the list of 'lane history', or a file of '--events'")
            }
            throw CommandFailure(.refused, error.description, hint: hint)
        }
        guard !events.isEmpty else { throw CommandFailure(.refused, "'\(file)' contains no events", hint: hint) }
        return events
    }

    private static let hint = "'lane NAME --events FILE' writes a file of events"
}

extension LaneEvent {
    /// Returns the event of a run that a later run of its lane has replaced: without the command for failed tests, and
    /// with its own log.
    fileprivate func ofEarlierRun(logs directory: String, _ names: Set<String>) -> LaneEvent {
        guard case .stepStarted(var start) = kind else { return self }
        let log = start.log.map(lastPathComponent)
        start.log = log.flatMap { names.contains($0) ? "\(directory)/\($0)" : nil }
        start.repeatFailedCommand = nil
        var event = self
        event.kind = .stepStarted(start)
        return event
    }
}
