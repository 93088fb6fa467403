import CLibrary
import Synchronization

/// A process that runs until it is stopped.
///
/// The end of its output is kept for messages.
package final class BackgroundProcess: Sendable {
    /// The number of bytes at the end of the output that are kept.
    private static let keptCount = 16_384

    private struct State {
        var output: [UInt8] = []
        var end: Result<ExitReport, SpawnError>?
        var isReady = false
        var isStopping = false
        /// A Boolean value that indicates whether a message contained the end of the output.
        var isShown = false
    }

    private let state = Monitor(State())
    private let cancellation: Cancellation
    private let thread = Mutex<Thread?>(nil)
    private let cleanUp: @Sendable () -> Void
    /// The path of the log, relative to the root, or `nil` if there is none.
    let log: String?

    /// Starts a process.
    ///
    /// - Parameters:
    ///   - cancellation: The cancellation that `stop` uses. No other process may use it.
    ///   - receive: A closure for the output.
    ///   - cleanUp: A closure that is called when the process has ended.
    ///   - didEnd: A closure that is called if the process ends after `markReady()` and before `stop()`.
    package init(
        _ command: Command, by processes: any ProcessRunner, cancellation: Cancellation, log: String?,
        receive: @escaping @Sendable ([UInt8]) -> Void, cleanUp: @escaping @Sendable () -> Void,
        didEnd: @escaping @Sendable (BackgroundProcess) -> Void
    ) {
        self.cancellation = cancellation
        self.cleanUp = cleanUp
        self.log = log
        let started = Thread { [self] in
            let end = Result { () throws(SpawnError) in
                try processes.run(command, limits: RunLimits(cancellation: cancellation)) { _, bytes in
                    let bytes = Array(bytes)
                    receive(bytes)
                    state.withLock { $0.output = ($0.output + bytes).suffix(Self.keptCount) }
                }
            }
            let isUnexpected = state.withLock { state in
                state.end = end
                return state.isReady && !state.isStopping
            }
            if isUnexpected { didEnd(self) }
        }
        if started == nil {
            state.withLock { $0.end = .success(ExitReport(termination: .exited(1), duration: .zero)) }
        }
        thread.withLock { $0 = started }
    }

    /// Marks the process as ready, after which its end is an error. Returns `false` if the process has already ended.
    package func markReady() -> Bool {
        state.withLock { state in
            state.isReady = true
            return state.end == nil
        }
    }

    /// The result of the process, or `nil` while it runs.
    package var end: Result<ExitReport, SpawnError>? { state.withLock { $0.end } }

    /// Returns the last lines of output and the path of the log for a message. Returns an empty string if there is no
    /// output or a message contained it already.
    package func takeExcerpt() -> String {
        let (isNew, output) = state.withLock { state in
            defer { state.isShown = true }
            return (!state.isShown, state.output)
        }
        var lines = String(decoding: output, as: UTF8.self).split(whereSeparator: \.isNewline)
        // The first line may be incomplete.
        if output.count == Self.keptCount, lines.count > 1 { lines.removeFirst() }
        lines = lines.suffix(20)
        guard isNew, !lines.isEmpty else { return "" }
        return "its last output" + (log.map { ", all of which is in \($0)" } ?? "") + ":\n"
            + lines.map { "  \($0)" }.joined(separator: "\n")
    }

    /// Ends the process and its descendants. Returns `false` if the process had already ended.
    @discardableResult
    package func stop() -> Bool {
        let wasRunning = state.withLock { state in
            state.isStopping = true
            return state.end == nil
        }
        cancellation.cancel()
        guard let thread = thread.withLock({ $0.take() }) else { return false }
        thread.join()
        cleanUp()
        return wasRunning
    }
}
