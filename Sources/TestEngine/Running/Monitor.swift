#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A value that several threads change in turn, and on whose changes they can wait.
///
/// `@unchecked Sendable`: every access to the value goes through the lock.
final class Monitor<Value>: @unchecked Sendable {
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var value: Value

    init(_ value: sending Value) {
        self.value = value
        pthread_mutex_init(lock, nil)
        pthread_cond_init(changed, nil)
    }

    deinit {
        pthread_cond_destroy(changed)
        pthread_mutex_destroy(lock)
        changed.deallocate()
        lock.deallocate()
    }

    /// Changes the value and wakes whoever waits for it.
    func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
        pthread_mutex_lock(lock)
        defer {
            pthread_cond_broadcast(changed)
            pthread_mutex_unlock(lock)
        }
        return body(&value)
    }

    /// Waits until `body`, which may change the value, gives a result; it is asked again after every change.
    func wait<Result>(for body: (inout Value) -> Result?) -> Result {
        pthread_mutex_lock(lock)
        defer {
            pthread_cond_broadcast(changed)
            pthread_mutex_unlock(lock)
        }
        while true {
            if let result = body(&value) { return result }
            pthread_cond_wait(changed, lock)
        }
    }
}
