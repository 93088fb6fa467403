import Arguments
import CLibrary
import Events
import OperatingSystem
import Records
import Reports
import Text

/// The command `lane history`.
enum HistoryCommand: Subcommand {
    static let name = "history"

    private static let lane = Key<String?>.positional(
        "lane",
        help: "The lane whose runs are listed (all lanes by default), or 'show', 'diff', 'tests' or 'import'.",
        completion: .dynamic(LaneCatalog.topicName))
    /// The runs of 'show' and 'diff', and the files of 'import'.
    private static let operands = TestHistoryCommand.files
    private static let limit = Key<Int>.option(
        "limit", short: "n", value: "count", default: 20, help: "The number of runs to show.")
    private static let failed = Key<Bool>.flag("failed", help: "Show only runs that failed.")
    private static let json = Key<Bool>.flag("json", help: "Print the runs as JSON.")
    private static let words = ["show", "diff", TestHistoryCommand.tests, TestHistoryCommand.importing]

    static let spec = CommandSpec(
        name, abstract: "Show the last runs with their time, lane, duration and result.",
        discussion: """
              show [N]     print run N or a file of its events, or write its reports; the last run by default
              diff [A B]   print what differs between runs A and B; by default the last run and the one before
                           of the same lane
              tests        show flaky tests with their rates, and tests that fail since a commit
              import       add the results of other machines to the history of the tests

            Runs are numbered from the last, which is 1. The last hundred runs are kept in .lane/runs, \
            up to 64 MiB of events and 64 MiB of logs.
            """,
        parameters: [lane.spec, operands.spec, limit.spec, failed.spec, json.spec] + TestHistoryCommand.options
            + (LaneOptions.screen + LaneOptions.reports).map { $0.inSection("Reports of 'show'") })

    static func run(_ arguments: ParsedArguments, in world: World) throws(CommandFailure) -> ExitStatus {
        if arguments[lane] != "show",
            let report = LaneOptions.reports.first(where: { !arguments.words($0.name).isEmpty })
        {
            throw CommandFailure(.usage, "'--\(report.name)' goes with 'lane history show'")
        }
        switch arguments[lane] {
        case let word? where arguments[json] && words.contains(word):
            throw CommandFailure(.usage, "'--json' prints only the list of runs")
        case TestHistoryCommand.tests: return try TestHistoryCommand.show(arguments, in: world)
        case TestHistoryCommand.importing: return try TestHistoryCommand.add(arguments, in: world)
        case "show": return try show(arguments, in: world)
        case "diff": return try diff(arguments[operands], in: world)
        default: return try listRuns(arguments, in: world)
        }
    }

    private static func listRuns(_ arguments: ParsedArguments, in world: World) throws(CommandFailure) -> ExitStatus {
        let root = try Project.root(around: world.directory)
        let style = world.style(for: world.output)
        guard arguments[operands].isEmpty else {
            throw CommandFailure(
                .usage, "unexpected word '\(arguments[operands][0])'", hint: "use 'show' or 'diff' before a run")
        }
        guard arguments[limit] > 0 else {
            throw CommandFailure(
                .usage, "expected a number from 1 for '--limit', found \(arguments[limit])")
        }
        let all = try records(below: root)
        let runs = all.enumerated().map { (number: all.count - $0.offset, entry: $0.element) }.filter { run in
            arguments[lane].map { $0 == run.entry.lane } ?? true
        }
        // The history may contain runs of a deleted lane. A name without runs must be the name of a lane.
        if let name = arguments[lane], runs.isEmpty {
            guard Int(name) == nil else {
                throw CommandFailure(.usage, "expected a lane, found '\(name)'", hint: "lane history show \(name)")
            }
            _ = try LaneCatalog.load(in: world).lane(name)
        }
        let wanted = arguments[failed] ? runs.filter { $0.entry.status != 0 } : runs
        let entries = Array(wanted.suffix(arguments[limit]).reversed())
        if arguments[json] {
            world.output.write(jsonText(entries))
        } else if entries.isEmpty {
            let kind = arguments[failed] ? "failed run" : "run"
            let lane = arguments[lane].map { " of '\($0)'" } ?? ""
            world.errors.writeLine("no \(kind)\(lane) is recorded")
        } else {
            world.output.write(text(entries, style: style))
        }
        return .done
    }

    /// Replays a run.
    private static func show(
        _ arguments: ParsedArguments, in world: World
    ) throws(CommandFailure) -> ExitStatus {
        guard arguments[operands].count < 2 else {
            throw CommandFailure(.usage, "expected one run, found \(arguments[operands].count)")
        }
        let run = arguments[operands].first ?? "1"
        var root = world.directory
        do {
            root = try Project.root(around: world.directory)
        } catch {
            // The events of another machine can be shown anywhere.
            guard Int(run) == nil else { throw error }
        }
        if Int(run) == nil { try RunReports.requireApart(from: [run], arguments, in: world) }
        let events = try RecordedEvents(root: root).read(run, in: world)
        return try RunReplay(events: events).run(arguments, root: root, in: world)
    }

    /// Prints the differences between two runs.
    private static func diff(
        _ words: [String], in world: World
    ) throws(CommandFailure) -> ExitStatus {
        let files = RecordedEvents(root: try Project.root(around: world.directory))
        let words = words.isEmpty ? ["\(try previousRun(root: files.root))", "1"] : words
        guard words.count == 2 else {
            throw CommandFailure(
                .usage, "expected two runs, found \(words.count)",
                hint: "'lane history diff 2 1' compares the last two runs")
        }
        let (before, after) = (try files.read(words[0], in: world), try files.read(words[1], in: world))
        for (word, events) in [(words[0], before), (words[1], after)] {
            guard case .runStarted(let start)? = events.first?.kind else { continue }
            let name = Int(word) == nil ? word : "run \(word)"
            world.output.writeLine("\(name)  \(localTime(start.startedAt))  \(start.lane)")
        }
        let comparison = RunComparison(before: before, after: after)
        guard comparison.hasCommonParts else {
            throw CommandFailure(
                .usage, "the runs have no test and no step in common",
                hint: "'lane history LANE' lists the runs of one lane")
        }
        world.output.write("\n" + comparison.text(style: world.style(for: world.output)))
        return .done
    }

    /// Returns the number of the run before the last one that has the same lane, or 2 if there is none.
    private static func previousRun(root: String) throws(CommandFailure) -> Int {
        let entries = Array(try records(below: root).reversed())
        return entries.indices.dropFirst().first { entries[$0].lane == entries[0].lane }.map { $0 + 1 } ?? 2
    }

    private static func records(below root: String) throws(CommandFailure) -> [RunRecord] {
        try convertingFileErrors(to: CommandFailure.self, of: RunStore(root: root).records())
    }

    private typealias Run = (number: Int, entry: RunRecord)

    private static func text(_ runs: [Run], style: TextStyle) -> String {
        let lanes = runs.map { TerminalText.columns($0.entry.lane) }.max() ?? 0
        let durations = runs.map(\.entry.duration.text)
        let width = durations.map { TerminalText.columns($0) }.max() ?? 0
        let digits = runs.map { String($0.number).utf8.count }.max() ?? 0
        return zip(runs, durations).map { run, duration in
            let entry = run.entry
            let isGood = entry.status == 0
            let mark = style.apply(
                isGood ? .green : .red, to: isGood ? style.symbol("✔", orElse: "ok") : style.symbol("✘", orElse: "--"))
            let name = style.apply(.bold, to: TerminalText.padded(entry.lane, to: lanes))
            let time = TerminalText.rightAligned(duration, to: width)
            let end = ending(of: entry)
            let number = TerminalText.rightAligned(String(run.number), to: digits)
            return "\(number)  \(mark) \(localTime(entry.startedAt))  \(name)  \(time)"
                + (end.isEmpty ? "" : "  \(end)") + "\n"
        }.joined()
    }

    /// Returns the result, or an empty string for a successful run.
    private static func ending(of entry: RunRecord) -> String {
        let place = entry.failedStep.map { " at \($0)" } ?? ""
        switch ExitStatus(rawValue: entry.status) {
        case .done: return ""
        case .timedOut: return "timed out\(place)"
        case let status where status.isInterruption: return "cancelled"
        default: return "failed\(place), exit status \(entry.status)"
        }
    }

    private static func jsonText(_ runs: [Run]) -> String {
        JSONWriter.document { writer in
            writer.member("version", 1)
            writer.array("runs") { writer in
                for (number, entry) in runs {
                    writer.object { writer in
                        writer.member("number", number)
                        writer.member("lane", entry.lane)
                        writer.member("startedAt", Instant(secondsSince1970: entry.startedAt).description)
                        writer.member("milliseconds", Int(entry.duration / .milliseconds(1)))
                        writer.member("status", Int(entry.status))
                        if let step = entry.failedStep { writer.member("failedStep", step) }
                    }
                }
            }
        }
    }

    /// Returns the local time, such as `2026-11-21 09:41:07`.
    private static func localTime(_ secondsSince1970: Double) -> String {
        var seconds = time_t(secondsSince1970)
        var parts = tm()
        localtime_r(&seconds, &parts)
        var text = [CChar](repeating: 0, count: 32)
        let count = strftime(&text, text.count, "%Y-%m-%d %H:%M:%S", &parts)
        return String(decoding: text[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
