import Arguments
import Text
import Diagnostics
import Files
import JSON
import LaneRun
import Reports

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The command `lane history`.
enum HistoryCommand: Subcommand {
    static let name = "history"

    private static let lane = Key<String?>.positional(
        "lane",
        help: "The lane whose runs are shown; all lanes by default. Or 'tests', or 'import'.",
        completion: .dynamic(LaneCatalog.topicName))
    private static let limit = Key<Int>.option(
        "limit", short: "n", value: "count", default: 20, help: "The number of runs to show.")
    private static let failed = Key<Bool>.flag("failed", help: "Show only runs that failed.")
    private static let json = Key<Bool>.flag("json", help: "Print the runs or the tests as JSON.")

    static let spec = CommandSpec(
        name, abstract: "Show the last runs with their time, lane, duration and result.",
        discussion: """
              tests    show flaky tests with their rates, and tests that fail or are slower since some commit
              import   add the results of other machines to the history of the tests
            """,
        parameters: [lane.spec, TestHistoryCommand.files.spec, limit.spec, failed.spec, json.spec]
            + TestHistoryCommand.options)

    static func run(_ arguments: ParsedArguments, in world: World) throws(CommandFailure) -> ExitStatus {
        switch arguments[lane] {
        case TestHistoryCommand.tests:
            return try TestHistoryCommand.show(arguments, isJSON: arguments[json], in: world)
        case TestHistoryCommand.importing: return try TestHistoryCommand.add(arguments, in: world)
        default: return try showRuns(arguments, in: world)
        }
    }

    private static func showRuns(_ arguments: ParsedArguments, in world: World) throws(CommandFailure) -> ExitStatus {
        let root = try Project.root(around: world.directory)
        let style = world.style(for: world.output)
        guard arguments[limit] > 0 else {
            throw CommandFailure(
                .usage, "expected a number from 1 for '--limit', found \(arguments[limit])")
        }
        let runs = RunHistory(root: root).entries().filter { entry in
            arguments[lane].map { $0 == entry.lane } ?? true
        }
        // The runs of a deleted lane are shown. A name without runs must be that of a lane.
        if let name = arguments[lane], runs.isEmpty { _ = try LaneCatalog.load(in: world).lane(name) }
        let wanted = arguments[failed] ? runs.filter { $0.status != 0 } : runs
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

    private static func text(_ entries: [RunHistory.Entry], style: TextStyle) -> String {
        let lanes = entries.map { TerminalText.columns($0.lane) }.max() ?? 0
        let durations = entries.map(\.duration.text)
        let width = durations.map { TerminalText.columns($0) }.max() ?? 0
        return zip(entries, durations).map { entry, duration in
            let isGood = entry.status == 0
            let mark = style.apply(
                isGood ? .green : .red, to: isGood ? style.symbol("✔", orElse: "ok") : style.symbol("✘", orElse: "--"))
            let name = style.apply(.bold, to: TerminalText.padded(entry.lane, to: lanes))
            let time = TerminalText.rightAligned(duration, to: width)
            let end = ending(of: entry)
            return "\(mark) \(localTime(entry.startedAt))  \(name)  \(time)"
                + (end.isEmpty ? "" : "  \(end)") + "\n"
        }.joined()
    }

    /// Returns the result, or an empty string for a successful run.
    private static func ending(of entry: RunHistory.Entry) -> String {
        let place = entry.failedStep.map { " at \($0)" } ?? ""
        switch ExitStatus(rawValue: entry.status) {
        case .done: return ""
        case .timedOut: return "timed out\(place)"
        case let status where status.isInterruption: return "cancelled"
        default: return "failed\(place), exit status \(entry.status)"
        }
    }

    private static func jsonText(_ entries: [RunHistory.Entry]) -> String {
        var writer = JSONWriter(.indented)
        writer.object { writer in
            writer.member("version", 1)
            writer.array("runs") { writer in
                for entry in entries {
                    writer.object { writer in
                        writer.member("lane", entry.lane)
                        writer.member("startedAt", Instant(secondsSince1970: entry.startedAt).description)
                        writer.member("milliseconds", Int(entry.duration / .milliseconds(1)))
                        writer.member("status", Int(entry.status))
                        if let step = entry.failedStep { writer.member("failedStep", step) }
                    }
                }
            }
        }
        return writer.text + "\n"
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
