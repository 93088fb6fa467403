import Synchronization
import Threads

/// A process that runs until it is stopped.
///
/// The last of its output is kept for messages.
package final class BackgroundProcess: Sendable {
    /// The number of bytes at the end of the output that are kept.
    private static let keptCount = 16_384

    private struct State {
        var output: [UInt8] = []
        var end: Result<ExitReport, SpawnError>?
        var isReady = false
        var isStopping = false
        /// A Boolean value that indicates whether a message has contained the last output.
        var isShown = false
    }

    private let state = Monitor(State())
    private let cancellation: Cancellation
    private let thread = Mutex<Thread?>(nil)
    private let cleanUp: @Sendable () -> Void
    /// The path of the log, relative to the root; `nil` if no logs are kept.
    package let log: String?

    /// Starts a process.
    ///
    /// - Parameters:
    ///   - cancellation: A cancellation of its own, which `stop` uses.
    ///   - write: Appends output to the log.
    ///   - cleanUp: Is called once the process has ended, by itself or by `stop`.
    ///   - didEnd: Is called if it ends after `noteReady` and before it is stopped.
    package init(
        _ command: Command, by processes: any ProcessRunner, cancellation: Cancellation, log: String?,
        write: @escaping @Sendable ([UInt8]) -> Void, cleanUp: @escaping @Sendable () -> Void,
        didEnd: @escaping @Sendable (BackgroundProcess) -> Void
    ) {
        self.cancellation = cancellation
        self.cleanUp = cleanUp
        self.log = log
        let started = Thread { [self] in
            let end = Result { () throws(SpawnError) in
                try processes.run(command, limits: RunLimits(cancellation: cancellation)) { _, bytes in
                    let bytes = Array(bytes)
                    write(bytes)
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

    /// Notes that the process does its work, so that its end is unexpected from now on. Returns `false` if it has ended.
    package func noteReady() -> Bool {
        state.withLock { state in
            state.isReady = true
            return state.end == nil
        }
    }

    /// The last output, in whole lines as far as possible.
    package var lastOutput: String { String(decoding: state.withLock { $0.output }, as: UTF8.self) }

    /// The end of the process; `nil` while it runs.
    package var end: Result<ExitReport, SpawnError>? { state.withLock { $0.end } }

    /// Returns the last lines of output and the place of the rest for a message; empty without output, and if a message
    /// has contained them.
    package func takeExcerpt() -> String {
        let isNew = state.withLock { state in
            defer { state.isShown = true }
            return !state.isShown
        }
        let lines = lastOutput.split(whereSeparator: \.isNewline).suffix(20)
        guard isNew, !lines.isEmpty else { return "" }
        return "its last output" + (log.map { ", all of which is in \($0)" } ?? "") + ":\n"
            + lines.map { "  \($0)" }.joined(separator: "\n")
    }

    /// Ends the process with those that it started. Returns `false` if it had ended before.
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
