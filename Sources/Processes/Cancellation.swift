import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Asks whatever is running to stop: first politely, then at once. Threads may wait for it on a descriptor.
package final class Cancellation: Sendable {
    package enum Level: Int, Sendable, Comparable {
        case none
        /// TERM now, KILL after the grace.
        case graceful
        /// KILL now.
        case immediate

        package static func < (one: Level, other: Level) -> Bool { one.rawValue < other.rawValue }
    }

    private struct State {
        var level = Level.none
        var children: [Cancellation] = []
    }

    private let state = Mutex(State())
    private let ends: (read: Int32, write: Int32)

    package init() {
        var descriptors: [Int32] = [-1, -1]
        pipe(&descriptors)
        for descriptor in descriptors {
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        }
        ends = (descriptors[0], descriptors[1])
    }

    /// One that also follows `parent`: cancelling the parent cancels it, not the other way round.
    package convenience init(following parent: Cancellation) {
        self.init()
        let level = parent.state.withLock { state in
            state.children.append(self)
            return state.level
        }
        if level > .none { cancel(level) }
    }

    deinit {
        close(ends.read)
        close(ends.write)
    }

    package var level: Level { state.withLock { $0.level } }

    package var isCancelled: Bool { level > .none }

    /// Readable from the first cancelling on and never drained, so that any number of threads may `poll` it.
    package var descriptor: Int32 { ends.read }

    /// Raises the level; a lower one than the present changes nothing.
    package func cancel(_ level: Level = .graceful) {
        let children: [Cancellation]? = state.withLock { state in
            guard level > state.level else { return nil }
            state.level = level
            return state.children
        }
        guard let children else { return }
        var byte: UInt8 = 0
        _ = write(ends.write, &byte, 1)
        for child in children { child.cancel(level) }
    }
}
