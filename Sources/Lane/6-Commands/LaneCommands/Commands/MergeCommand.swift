import Arguments
import CI
import Events
import LaneModel
import OperatingSystem
import Records
import Reports
import Synchronization
import TestActions
import TestEngine
import Text

/// The command `lane merge`.
enum MergeCommand: Subcommand {
    static let name = "merge"

    private static let files = Key<[String]>.positionals(
        "file",
        help: "The event files of all shards, which 'lane test --shard 1/4 --events FILE' writes.",
        completion: .file)
    private static let timings = Key<String?>.option(
        "timings", value: "file",
        help: "Update the recorded times in this file, for 'lane test --timings'.",
        completion: .file)

    private static let lane = Key<String?>.option(
        "lane", value: "name",
        help: "Also write the report and coverage files in the settings of this lane's test step.",
        completion: .dynamic(LaneCatalog.topicName))

    /// The options for coverage files, with the names of the settings of `test`.
    private static let coverage = CoverageFiles.settings.map {
        Key<String?>.option($0.name, value: "file", help: "\($0.help).", completion: .file).spec
    }

    static let spec = CommandSpec(
        name, abstract: "Merge the event files of several machines into the reports of one run.",
        discussion: """
            Prints the failures and the totals of all shards. The run fails if a shard has not \
            reported, or if no shard has run a test. If the shards ran with '--coverage', the run has \
            the coverage of all, and fails below the thresholds that the shards were given.
            """,
        parameters: [files.spec, timings.spec, lane.spec] + LaneOptions.screen + LaneOptions.reports + coverage)

    static func run(_ arguments: ParsedArguments, in world: World) throws(CommandFailure) -> ExitStatus {
        let paths = arguments[files]
        guard !paths.isEmpty else {
            throw CommandFailure(.usage, "there are no event files to merge", hint: "pass those of all shards")
        }
        try RunReports.requireApart(from: paths, arguments, in: world)
        let files = try arguments[lane].map { (name) throws(CommandFailure) in try reportPaths(of: name, in: world) }
        return try merge(paths, timings: arguments[timings], alsoAt: files ?? [:], arguments, in: world)
    }

    /// Returns the absolute paths of the report and coverage files of a lane, by their settings.
    private static func reportPaths(of name: String, in world: World) throws(CommandFailure) -> [String: String] {
        let catalog = try LaneCatalog.load(in: world)
        let lane = try catalog.lane(name)
        try catalog.requireSound(lane.name)
        guard !lane.reportPaths.isEmpty else {
            throw CommandFailure(
                .usage,
                "no test step of lane '\(lane.name)' has a report or coverage file at a path without expressions")
        }
        return lane.reportPaths.mapValues { absolutePath($0, from: catalog.project.root) }
    }

    /// Merges event files, and writes the reports of the arguments.
    ///
    /// - Parameters:
    ///   - timings: The file of recorded times to update, if any.
    ///   - files: The absolute paths of report and coverage files besides those of the arguments, by their settings.
    private static func merge(
        _ paths: [String], timings: String?, alsoAt files: [String: String],
        _ arguments: ParsedArguments, in world: World
    ) throws(CommandFailure) -> ExitStatus {
        let root = (try? Project.root(around: world.directory)) ?? world.directory
        let now = Mutex(Duration.zero)
        let reports = RunReports(
            arguments, root: root, in: world, alsoAt: files, forgetsPassing: true,
            level: arguments[LaneOptions.verbose] ? .verbose : .quiet, elapsed: { now.withLock { $0 } })
        let times = timings.map { TestHistory(path: absolutePath($0, from: world.directory)) }
        let results = TestHistory()
        var unfinished: Set<TestID> = []
        var coverage: ShardCoverage?
        let isComplete: Bool
        let status: Int32
        do throws(MergeError) {
            let run = try MergedRun(paths.map { EventFile(absolutePath($0, from: world.directory)) })
            isComplete = run.isComplete
            status = try run.replay { kind, step, offset in
                now.withLock { $0 = offset }
                reports.stream.send(kind, step: step)
                if case .coverage(let all) = kind { coverage = all }
                guard times != nil else { return }
                switch kind {
                case .test(.planned(let planned)): unfinished.formUnion(planned.map(\.id))
                case .test(.ended(let result)):
                    results.record(result)
                    unfinished.remove(result.test)
                default: break
                }
            }
        } catch {
            throw failure(error)
        }
        var failures = reports.files.finish().map { (ExitStatus.cannotWrite, $0.description) }
        failures += write(coverage, alsoAt: files, root: root, arguments, in: world)
        times?.add(results, keeping: isComplete ? unfinished : nil)
        do throws(FileError) {
            try times?.save()
        } catch {
            failures.append((.cannotWrite, error.description))
        }
        if let first = failures.first {
            throw CommandFailure(Diagnostics(failures.map { Diagnostic(.error, $0.1) }), first.0)
        }
        return ExitStatus(rawValue: status)
    }

    /// Prints the coverage of all shards, and writes its files. Returns the errors.
    private static func write(
        _ coverage: ShardCoverage?, alsoAt files: [String: String], root: String, _ arguments: ParsedArguments,
        in world: World
    ) -> [(ExitStatus, String)] {
        let paths = CoverageFormat.all.reduce(into: [:]) { paths, format in
            paths[format.name] = arguments.words("coverage-\(format.name)").last.map {
                absolutePath($0, from: world.directory)
            }
        }
        guard let coverage else {
            guard !paths.isEmpty else { return [] }
            return [(.refused, "no shard has measured the coverage\nhint: run all shards with '--coverage'")]
        }
        if arguments[LaneOptions.report] == nil, !arguments[LaneOptions.quiet] {
            for table in coverage.tables { world.output.writeLine(table) }
        }
        let others = CoverageFormat.all.reduce(into: [:]) { $0[$1.name] = files["coverage-\($1.name)"] }
        return [paths, others].flatMap { CoverageFiles($0, package: root).write(coverage, date: world.now()) }.map {
            (.cannotWrite, $0.description)
        }
    }

    private static func failure(_ error: MergeError) -> CommandFailure {
        switch error {
        case .cannotRead: CommandFailure(.fileNotFound, error.description)
        case .damaged, .incomplete: CommandFailure(.refused, error.description)
        case .noRun, .differentCounts, .notSharded: CommandFailure(.usage, error.description)
        }
    }
}
