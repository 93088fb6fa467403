#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A value protected by a mutex, with a condition variable for threads that wait for the value to change.
package final class Monitor<State>: @unchecked Sendable {
    // Sharing is safe because `state` is accessed only while the mutex is locked, which also enforces exclusive access.
    @exclusivity(unchecked)
    private var state: State
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>

    package init(_ state: sending State) {
        self.state = state
        mutex = .allocate(capacity: 1)
        condition = .allocate(capacity: 1)
        var attributes = pthread_mutexattr_t()
        pthread_mutexattr_init(&attributes)
        #if canImport(Glibc)
            // An adaptive mutex spins before it sleeps, because waking a thread takes longer than most critical
            // sections.
            pthread_mutexattr_settype(&attributes, CInt(PTHREAD_MUTEX_ADAPTIVE_NP))
        #endif
        pthread_mutex_init(mutex, &attributes)
        pthread_mutexattr_destroy(&attributes)
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Calls `body` with the state while the mutex is locked. Doesn't wake waiting threads; call `signal()` for that.
    package func withLock<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&state)
    }

    /// Calls `body` with the state until it returns a value other than `nil`, and returns this value. Waits for a
    /// signal between the calls.
    @discardableResult
    package func wait<Result>(for body: (inout State) -> Result?) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = body(&state) { return result }
            pthread_cond_wait(condition, mutex)
        }
    }

    /// Wakes one waiting thread.
    package func signal() {
        pthread_cond_signal(condition)
    }

    /// Wakes all waiting threads.
    package func signalAll() {
        pthread_cond_broadcast(condition)
    }
}
