import CLibrary
import Synchronization

/// A request to stop that threads can check, or wait for with a descriptor.
///
/// Each step has its own cancellation. The pipe is created on the first access to the descriptor, so most cancellations
/// need none.
package final class Cancellation: Sendable {
    /// The urgency of a cancellation.
    package enum Level: Int, Sendable, Comparable {
        case none
        /// Send `stopSignal` now, and SIGKILL after the grace period.
        case graceful
        /// Send SIGKILL now.
        case immediate

        package static func < (one: Level, other: Level) -> Bool { one.rawValue < other.rawValue }
    }

    private struct Follower {
        let id: ObjectIdentifier
        weak var cancellation: Cancellation?
        let lowest: Level
    }

    private struct State {
        var level = Level.none
        var signal: Int32?
        /// The cancellations that are cancelled together with this one, at most one for each running step.
        var followers: [Follower] = []
        /// The pipe, created on the first access to the descriptor.
        var pipe: Pipe?
    }

    private let state = Mutex(State())
    private let parent: Cancellation?

    package init() {
        parent = nil
    }

    /// Creates a cancellation that is cancelled together with its parent if the parent's level is at least `lowest`.
    package init(following parent: Cancellation, from lowest: Level = .graceful) {
        self.parent = parent
        let (level, signal) = parent.state.withLock { state in
            state.followers.append(Follower(id: ObjectIdentifier(self), cancellation: self, lowest: lowest))
            return (state.level, state.signal)
        }
        if level >= lowest { cancel(level, signal: signal) }
    }

    deinit {
        if let parent {
            let id = ObjectIdentifier(self)
            parent.state.withLock { state in state.followers.removeAll { $0.id == id } }
        }
    }

    var level: Level { state.withLock { $0.level } }

    /// A Boolean value that indicates whether a stop was requested. A cancellation cannot be withdrawn.
    package var isCancelled: Bool { level > .none }

    /// A descriptor that is readable after the first cancellation and never drained. Any number of threads can `poll`
    /// it.
    ///
    /// The descriptor is negative, which `poll` ignores, if the process has no free descriptor.
    package var descriptor: Int32 {
        state.withLock { state in
            if state.pipe == nil {
                state.pipe = try? Pipe()
                if state.level > .none { Self.wake(state.pipe) }
            }
            return state.pipe?.reading?.number ?? -1
        }
    }

    /// The signal that caused the first cancellation.
    package var signal: Int32 { state.withLock { $0.signal } ?? SIGINT }

    /// The signal that child processes get: SIGINT after Ctrl-C, as in a shell, and SIGTERM otherwise.
    var stopSignal: Int32 {
        let signal = state.withLock { $0.signal } ?? parent?.state.withLock { $0.signal }
        return signal == SIGINT ? SIGINT : SIGTERM
    }

    /// Raises the level. A lower level than the current one has no effect.
    ///
    /// - Parameter signal: The signal that `lane` received, or `nil` if the request has another cause.
    package func cancel(_ level: Level = .graceful, signal: Int32? = nil) {
        let followers: [Follower] = state.withLock { state in
            guard level > state.level else { return [] }
            if state.level == .none {
                state.signal = signal
                Self.wake(state.pipe)
            }
            state.level = level
            return state.followers.filter { level >= $0.lowest }
        }
        for follower in followers { follower.cancellation?.cancel(level, signal: signal) }
    }

    /// Waits for the cancellation or for the end of a period. Returns a Boolean value that indicates whether the
    /// cancellation was requested.
    @discardableResult
    package func wait(_ time: Duration) -> Bool {
        let end = Monotonic.now + time
        while !isCancelled {
            let left = end - Monotonic.now
            guard left > .zero else { return false }
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            _ = poll(&waiting, 1, left.pollMilliseconds)
        }
        return true
    }

    private static func wake(_ pipe: Pipe?) {
        guard let descriptor = pipe?.writing?.number else { return }
        var byte: UInt8 = 0
        _ = write(descriptor, &byte, 1)
    }
}
