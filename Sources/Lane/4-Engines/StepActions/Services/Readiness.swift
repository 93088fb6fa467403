import Actions
import LaneModel
import OperatingSystem
import Synchronization
import Text
import ToolOutput

/// The condition for a service to be ready: a line of output and an open port, as far as it has them, or a successful
/// command.
struct Readiness {
    private static let pause = Duration.milliseconds(50)
    private static let unfinished = "'ready-command' did not end"

    /// The line to find, or `nil` without this condition.
    let line: LineSearch?
    private let command: String?
    private let port: Int?
    private let limit: Duration
    /// The limit as in the lane file, for messages.
    private let limitText: String
    private let environment: [String: String]
    private let container: Container?

    /// - Parameters:
    ///   - environment: The environment of the command.
    ///   - container: The container, if the service runs in one.
    init(_ settings: Settings, port: Int?, environment: [String: String], _ container: Container?) {
        self.container = container
        line = settings.string("ready-line").map { LineSearch($0) }
        command = settings.string("ready-command")
        self.port = command == nil ? port : nil
        limit = settings.duration("ready-timeout") ?? .seconds(60)
        limitText = settings.string("ready-timeout") ?? "60s"
        self.environment = environment
    }

    /// Waits until the service is ready. Stops it if it is not ready in time.
    ///
    /// - Throws: A `OperationFailure` with the last output if the service has ended or was stopped.
    func wait(for service: BackgroundProcess, in context: StepContext) throws(OperationFailure) {
        let deadline = Monotonic.now + limit
        var obstacle = ""
        while true {
            if let end = service.end { throw failure(Self.reason(of: end), service) }
            if let found = try self.obstacle(context, until: deadline) {
                // The deadline ends the last check, but the ones before it may have a reason.
                if found != Self.unfinished || obstacle.isEmpty { obstacle = found }
            } else if service.markReady() {
                return
            }
            if let limit = context.deadline, Monotonic.now >= limit.moment {
                service.stop()
                throw OperationFailure(
                    status: ExitStatus.timedOut.rawValue, "timed out", cause: .timedOut(after: limit.length))
            }
            guard Monotonic.now < deadline else {
                service.stop()
                throw failure("was not ready within \(limitText): \(obstacle)", service)
            }
            if context.cancellation.wait(Self.pause) { throw OperationFailure("cancelled", cause: .cancelled) }
        }
    }

    /// Returns the reason why the service is not ready, or `nil` if it is.
    private func obstacle(_ context: StepContext, until deadline: Duration) throws(OperationFailure) -> String? {
        if let line, !line.isFound { return "no line of its output contains '\(line.text)'" }
        if let command {
            let limits = RunLimits(timeout: max(.milliseconds(1), deadline - Monotonic.now))
            let check = Command(
                "sh", ["-euc", command], environment: environment, directory: context.workingDirectory)
            let run = try convertingSpawnErrors(of: context.processes.capture(check, limits: limits))
            if run.report.succeeded { return nil }
            if run.report.stoppedBy == .timeout { return Self.unfinished }
            return "'ready-command' failed" + (run.errorText.lines.last.map { ": \($0)" } ?? "")
        }
        if let container, !container.isRunning { return "the container did not start" }
        // A server may print its line before it listens, and PostgreSQL also prints it for a temporary server.
        guard let port, !Port.accepts(port) else { return nil }
        return "no connection to port \(container?.port ?? port)" + (container == nil ? "" : " of the container")
    }

    private func failure(_ reason: String, _ service: BackgroundProcess) -> OperationFailure {
        let excerpt = service.takeExcerpt()
        return OperationFailure("the service \(reason)" + (excerpt.isEmpty ? "; it printed nothing" : "\n\(excerpt)"))
    }

    private static func reason(of end: Result<ExitReport, SpawnError>) -> String {
        switch end {
        case .success(let report): "ended before it was ready: \(OperationFailure(report).message)"
        case .failure(let error): "did not start: \(error.description)"
        }
    }
}

/// A search for a text in the lines of growing output.
final class LineSearch: Sendable {
    /// The number of bytes of an unfinished line that are searched again when more follow.
    private static let longestLine = 16_384

    private enum State {
        case searching(unfinishedLine: [UInt8])
        case found
    }

    /// The text to find.
    let text: String
    private let state = Mutex(State.searching(unfinishedLine: []))

    init(_ text: String) {
        self.text = text
    }

    /// A Boolean value that indicates whether a line contained the text.
    var isFound: Bool {
        state.withLock { if case .found = $0 { true } else { false } }
    }

    /// Searches the next bytes of the output.
    func receive(_ bytes: [UInt8]) {
        state.withLock { state in
            guard case .searching(let start) = state else { return }
            let output = start + bytes
            // A program may color a part of the line.
            if String(decoding: withoutEscapes(output), as: UTF8.self).contains(text) {
                state = .found
                return
            }
            let line = output.lastIndex(of: UInt8(ascii: "\n")).map { output[($0 + 1)...] } ?? output[...]
            state = .searching(unfinishedLine: Array(line.suffix(Self.longestLine)))
        }
    }
}
