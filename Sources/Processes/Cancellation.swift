import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Asks whatever is running to stop: first politely, then at once. Threads may wait for it on a descriptor.
///
/// Cheap enough for one per step: a pipe is made only when somebody asks for the descriptor, and a follower is forgotten
/// by its parent when it goes away.
package final class Cancellation: Sendable {
    /// How urgently to stop.
    package enum Level: Int, Sendable, Comparable {
        case none
        /// TERM now, KILL after the grace.
        case graceful
        /// KILL now.
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
        /// As many as steps run at once.
        var followers: [Follower] = []
        /// Made when somebody first waits on it.
        var pipe: Pipe?
    }

    private let state = Mutex(State())
    private let parent: Cancellation?

    package init() {
        parent = nil
    }

    /// One that also follows `parent` from some level on: cancelling the parent cancels it, not the other way round.
    package init(following parent: Cancellation, from lowest: Level = .graceful) {
        self.parent = parent
        let (level, signal) = parent.state.withLock { state in
            state.followers.append(Follower(id: ObjectIdentifier(self), cancellation: self, lowest: lowest))
            return (state.level, state.signal)
        }
        if level >= lowest { cancel(level, signal: signal ?? SIGINT) }
    }

    deinit {
        if let parent {
            let id = ObjectIdentifier(self)
            parent.state.withLock { state in state.followers.removeAll { $0.id == id } }
        }
    }

    var level: Level { state.withLock { $0.level } }

    /// Whether anybody has asked for an end, at whatever level; never false again after that.
    package var isCancelled: Bool { level > .none }

    /// Readable from the first cancelling on and never drained, so that any number of threads may `poll` it.
    /// Negative, which `poll` passes over, when the process has no descriptor left.
    package var descriptor: Int32 {
        state.withLock { state in
            if state.pipe == nil {
                state.pipe = try? Pipe()
                if state.level > .none { Self.wake(state.pipe) }
            }
            return state.pipe?.reading?.number ?? -1
        }
    }

    /// The signal that asked for it first.
    package var signal: Int32 { state.withLock { $0.signal } ?? SIGINT }

    /// Raises the level; a lower one than the present changes nothing.
    package func cancel(_ level: Level = .graceful, signal: Int32 = SIGINT) {
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

    /// Waits until it is cancelled or the time is over, whichever comes first; true when it was cancelled.
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
