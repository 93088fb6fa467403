#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A value that several threads share, and on whose changes they may wait.
package final class Monitor<State>: @unchecked Sendable {
    // Safe to share: `state` is touched only between locking and unlocking, which is also all the exclusivity it needs.
    @exclusivity(unchecked)
    private var state: State
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let changed: UnsafeMutablePointer<pthread_cond_t>

    package init(_ state: sending State) {
        self.state = state
        mutex = .allocate(capacity: 1)
        changed = .allocate(capacity: 1)
        var attributes = pthread_mutexattr_t()
        pthread_mutexattr_init(&attributes)
        #if canImport(Glibc)
            // Tries for a moment before it sleeps: threads stay here for less time than waking one takes.
            pthread_mutexattr_settype(&attributes, CInt(PTHREAD_MUTEX_ADAPTIVE_NP))
        #endif
        pthread_mutex_init(mutex, &attributes)
        pthread_mutexattr_destroy(&attributes)
        pthread_cond_init(changed, nil)
    }

    deinit {
        pthread_cond_destroy(changed)
        pthread_mutex_destroy(mutex)
        changed.deallocate()
        mutex.deallocate()
    }

    /// Lends the state to one thread at a time. Does not wake who waits: that is `signal`.
    package func withLock<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&state)
    }

    /// Calls `body` again after each `signal` until it gives something.
    @discardableResult
    package func wait<Result>(for body: (inout State) -> Result?) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = body(&state) { return result }
            pthread_cond_wait(changed, mutex)
        }
    }

    /// Lets one waiter look again.
    package func signal() {
        pthread_cond_signal(changed)
    }

    /// Lets all waiters look again.
    package func signalAll() {
        pthread_cond_broadcast(changed)
    }
}
