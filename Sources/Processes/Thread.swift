import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A thread of the system that runs one closure; join it exactly once.
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
        private nonisolated(unsafe) let handle: pthread_t  // a pointer there, which is never followed
    #endif

    /// Starts it; `nil` when the system has no thread left to give.
    package init?(_ body: @escaping @Sendable () -> Void) {
        let context = Unmanaged.passRetained(Body(body)).toOpaque()
        #if os(Linux)
            var started = pthread_t()
            let code = pthread_create(
                &started, nil,
                { context in
                    guard let context else { return nil }
                    Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
                    return nil
                }, context)
        #else
            var started: pthread_t?
            let code = pthread_create(
                &started, nil,
                { context in
                    Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
                    return nil
                }, context)
        #endif
        #if os(Linux)
            guard code == 0 else {
                Unmanaged<Body>.fromOpaque(context).release()
                return nil
            }
            handle = started
        #else
            guard code == 0, let started else {
                Unmanaged<Body>.fromOpaque(context).release()
                return nil
            }
            handle = started
        #endif
    }

    /// Waits for the end of the closure.
    package func join() {
        pthread_join(handle, nil)
    }
}
