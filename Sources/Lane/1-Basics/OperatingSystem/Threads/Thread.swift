import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A POSIX thread that runs one closure.
///
/// Call `join()` at most once. A thread that is never joined runs until its closure returns or the process exits.
package final class Thread: Sendable {
    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }

    #if os(Linux)
        private let handle: pthread_t
    #else
        private nonisolated(unsafe) let handle: pthread_t  // a pointer that is never dereferenced here
    #endif
    /// The closure. `join()` releases it and not the thread, because malloc creates an arena for a thread on its first
    /// allocation or deallocation.
    private let body: Unmanaged<Body>

    /// Starts a thread that runs `body`; returns `nil` if the system cannot create one.
    package init?(_ body: @escaping @Sendable () -> Void) {
        let body = Unmanaged.passRetained(Body(body))
        #if os(Linux)
            var started = pthread_t()
            let code = pthread_create(
                &started, nil,
                { context in
                    guard let context else { return nil }
                    Unmanaged<Body>.fromOpaque(context).takeUnretainedValue().run()
                    return nil
                }, body.toOpaque())
        #else
            var started: pthread_t?
            let code = pthread_create(
                &started, nil,
                { context in
                    Unmanaged<Body>.fromOpaque(context).takeUnretainedValue().run()
                    return nil
                }, body.toOpaque())
        #endif
        #if os(Linux)
            guard code == 0 else {
                body.release()
                return nil
            }
            handle = started
        #else
            guard code == 0, let started else {
                body.release()
                return nil
            }
            handle = started
        #endif
        self.body = body
    }

    /// Waits for the end of the closure.
    package func join() {
        pthread_join(handle, nil)
        body.release()
    }
}
