import Actions
import Arguments
import Events
import OperatingSystem
import Records
import Reports
import TestActions
import Text

/// The reports of a run: the terminal, the CI service and the report files.
struct RunReports {
    let stream: EventStream
    let files: ReportFiles
    /// A Boolean value that indicates whether a report lists all tests.
    let needsEveryTest: Bool

    /// The summary of the run.
    var summary: RunSummary { stream.summary }

    /// - Parameters:
    ///   - paths: The absolute paths of further report files, by the names of their formats.
    ///   - forgetsPassing: A Boolean value that indicates whether passed tests are discarded, unless a report needs all
    ///     tests.
    ///   - sharesTerminal: A Boolean value that indicates whether steps have the terminal, so that there are no live rows.
    ///   - level: The amount of output on the screen, or `nil` to read it from the arguments.
    ///   - elapsed: A closure that returns the time since the start of the run, or `nil` for the time since the start
    ///     of the program.
    ///   - xcodebuild: A closure that returns the `xcodebuild` command of the log, or `nil` for other logs.
    ///   - recorder: A receiver that records the events of the run.
    init(
        _ arguments: ParsedArguments, root: String, in world: World, alsoAt paths: [String: String] = [:],
        forgetsPassing: Bool = false, sharesTerminal: Bool = false,
        level: ReportLevel? = nil, elapsed: (@Sendable () -> Duration)? = nil,
        xcodebuild: @escaping @Sendable () -> String? = { nil }, recorder: sending RunRecorder? = nil
    ) {
        let (environment, processes) = (world.environment, world.processes)
        let files = ReportFiles(directory: world.directory, package: root) {
            RunOrigin(directory: root, environment: environment, processes: processes)
        }
        let level = level ?? LaneOptions.level(arguments)
        let isForAgent = arguments[LaneOptions.report] != nil
        var receivers: [any EventReceiver] = [
            isForAgent
                ? AgentReport(xcodebuild: xcodebuild, write: { world.output.write($0) })
                : Self.screen(level, isShared: sharesTerminal, in: world)
        ]
        // If the events of a shard are merged, only the merged run writes annotations and summaries.
        let isPart = !arguments.words("shard").isEmpty && arguments[LaneOptions.events] != nil
        if !isPart, !isForAgent, let report = world.failureReport(root: root) { receivers.append(report) }
        receivers += files.reports { LaneOptions.file(for: $0, in: arguments) } + files.reports { paths[$0.name] }
        if !isPart, let path = world.jobSummary, !path.isEmpty {
            receivers.append(MarkdownSummary(write: files.sink(path, isAppended: true)))
        }
        let passed = ReportFormat.all.filter { LaneOptions.file(for: $0, in: arguments) ?? paths[$0.name] != nil }
            .map(\.passed).max()
        needsEveryTest =
            (passed ?? .counts) > .counts || !forgetsPassing || arguments[LaneOptions.events] != nil
            || level == .verbose
        if let path = arguments[LaneOptions.events] { receivers.append(files.eventLog(path)) }
        if let recorder { receivers.append(recorder) }
        self.files = files
        stream = EventStream(
            elapsed: elapsed ?? world.elapsed, passed: forgetsPassing ? passed ?? .counts : .records,
            receivers: receivers)
    }

    /// Throws an error if a report would replace one of the files that the command reads. An event log is written from
    /// the start, so the file would be empty before it is read.
    static func requireApart(
        from inputs: [String], _ arguments: ParsedArguments, in world: World
    ) throws(CommandFailure) {
        let options = [(LaneOptions.events.spec.name, arguments[LaneOptions.events])]
        let read = inputs.compactMap { FileIdentity(absolutePath($0, from: world.directory)) }
        for (name, target) in options + ReportFormat.all.map({ ($0.name, LaneOptions.file(for: $0, in: arguments)) }) {
            guard let target, let identity = FileIdentity(absolutePath(target, from: world.directory)),
                identity.isRegular, read.contains(identity)
            else { continue }
            throw CommandFailure(.usage, "'--\(name)' would replace '\(target)', which the command reads")
        }
    }

    private static func screen(_ level: ReportLevel, isShared: Bool, in world: World) -> any EventReceiver {
        let style = world.style(for: world.output)
        if world.isInteractive, !isShared {
            return TerminalReport(
                style: style, level: level, size: { world.screenSize }, write: { world.output.write($0) })
        }
        return PlainReport(style: style, level: level, commands: world.logCommands, write: { world.output.write($0) })
    }
}

extension World {
    /// Returns the report of failures for the CI service.
    fileprivate func failureReport(root: String) -> (any EventReceiver)? {
        logCommands.map { AnnotationReport($0, root: directoryInCheckout(root), write: { output.write($0) }) }
    }

    /// Returns the path of the package in the checkout of the CI service, empty or with a trailing slash.
    private func directoryInCheckout(_ root: String) -> String {
        guard let checkout = ciService?.checkoutVariable.flatMap({ environment[$0] }) else { return "" }
        let (repository, root) = (resolvedPath(checkout) ?? checkout, resolvedPath(root) ?? root)
        guard root.hasPrefix(repository + "/") else { return "" }
        return relativePath(root, to: repository) + "/"
    }

    /// Prints commands with which the CI service masks values, including in logs that `lane` does not print.
    func announce(secrets: some Collection<String>) {
        let lines = Set(secrets.flatMap { $0.split(whereSeparator: \.isNewline).map(String.init) })
        guard let logCommands else { return }
        for line in lines.sorted() where line.utf8.count >= SecretMask.minimumLength {
            output.write(logCommands.mask(line))
        }
    }

    fileprivate var logCommands: (any LogCommands)? { ciService?.commands }
}
