import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A thread of the system that runs one closure; join it once, or never, if it is to run until the process ends.
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
    /// Released by whoever joins: the first memory that a thread itself takes or gives back costs it an arena of its own.
    private let body: Unmanaged<Body>

    /// Starts the thread; `nil` when the system has none left to give.
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
