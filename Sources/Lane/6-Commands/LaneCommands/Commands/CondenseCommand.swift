import Arguments
import CLibrary
import Events
import OperatingSystem
import Reports
import TestActions
import TestEngine
import Text
import ToolOutput

/// The command `lane condense`.
enum CondenseCommand: Subcommand {
    static let name = "condense"

    private static let logs = Key<[String]>.positionals(
        "log", help: "The logs to read; standard input by default.", completion: .file)
    private static let exitZero = Key<Bool>.flag(
        "exit-zero", help: "Exit with status 0 even if the log contains failures.")
    private static let unknown = Key<Bool>.flag(
        "unknown", help: "Print unrecognized lines on standard error.")
    private static let root = Key<String?>.option(
        "root", value: "path", help: "The directory of the package in the log; paths are shown relative to it.",
        completion: .directory)

    static let spec = CommandSpec(
        name, abstract: "Condense the log of swift test, swift build or xcodebuild.",
        discussion: """
            Reads the output of these tools from a pipe or from files, and prints one line for each suite \
            and each failure in full. The reports are those of 'lane test'.
            """,
        parameters: [
            logs.spec, exitZero.spec, unknown.spec, root.spec,
        ] + LaneOptions.screen + LaneOptions.reports)

    static func run(_ arguments: ParsedArguments, in world: World) throws(CommandFailure) -> ExitStatus {
        let root = (try? Project.root(around: world.directory)) ?? world.directory
        let paths = (arguments[logs].isEmpty ? ["-"] : arguments[logs]).map { $0 == "-" ? "/dev/stdin" : $0 }
        try RunReports.requireApart(from: paths, arguments, in: world)
        let xcodebuild = Monitor<String?>(nil)
        let reports = RunReports(
            arguments, root: root, in: world, forgetsPassing: true, xcodebuild: { xcodebuild.withLock { $0 } })
        let showsUnknown = arguments[unknown]
        var reader = LogReader(
            root: arguments[Self.root] ?? root, sources: SourceIndex(root: root),
            namesPassing: reports.needsEveryTest
        ) { line in
            if showsUnknown { world.errors.write(Array(line) + [UInt8(ascii: "\n")]) }
        }
        reports.stream.send(.runStarted(RunStart(lane: "condense", steps: [], startedAt: world.now())))
        for path in paths {
            do throws(FileError) {
                try readStream(absolutePath(path, from: world.directory)) { bytes in
                    reader.consume(bytes) { reports.stream.send($0) }
                }
            } catch {
                throw CommandFailure(
                    .fileNotFound, FileError(error.operation, path, code: error.code).description)
            }
        }
        reader.finish { reports.stream.send($0) }
        xcodebuild.withLock { $0 = reader.verdict.xcodebuild }
        let unnamed = reader.verdict.unnamed
        if unnamed > 0 {
            let more = count(unnamed, "more test")
            let text = "the log counts \(more) without names, which is normal for quiet runs"
            reports.stream.send(.message(Message(.note, text)))
        }
        if reader.verdict.isForeign {
            let text =
                "the log contains no line of swift test, swift build or xcodebuild\nhint: use '--unknown' to print its lines"
            reports.stream.send(.message(Message(.error, text)))
        }
        let status = status(of: reader.verdict, reports.summary)
        if status == .nothingRan, reader.verdict.hasRunNothing {
            reports.stream.send(.message(Message(.error, "the log contains a test run without tests")))
        }
        reports.stream.send(.runEnded(RunEnd(status: status.rawValue, duration: world.elapsed())))
        if let failure = reports.files.finish().first { throw CommandFailure(.cannotWrite, failure.description) }
        return arguments[exitZero] ? .done : status
    }

    /// Returns the more severe exit status of the reports' totals and the log's result.
    private static func status(of verdict: LogVerdict, _ summary: RunSummary) -> ExitStatus {
        if summary.hasFailures || verdict.isFailure { return .failed }
        return verdict.hasRunNothing || verdict.isForeign ? .nothingRan : .done
    }
}
