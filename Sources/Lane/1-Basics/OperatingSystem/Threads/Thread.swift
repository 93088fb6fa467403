import CLibrary
import CSpawn
import Synchronization

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

/// Returns the results of calling `body` with each index in `0..<count`, in order.
///
/// Distributes the calls over up to `threads` threads, including the calling thread. Uses fewer threads if the system
/// cannot create that many.
package func concurrentMap<Element: Sendable>(
    _ count: Int, threads: Int, _ body: @escaping @Sendable (Int) -> Element
) -> [Element] {
    guard count > 1, threads > 1 else { return (0..<count).map(body) }
    let work = SharedWork(count: count, body: body)
    let started = (1..<min(threads, count)).compactMap { _ in Thread { work.run() } }
    work.run()
    for thread in started { thread.join() }
    return work.results()
}

/// A queue of indices. Each thread takes the next index until the queue is empty.
private final class SharedWork<Element: Sendable>: Sendable {
    private let count: Int
    private let body: @Sendable (Int) -> Element
    private let next = Atomic(0)
    private let done: Mutex<[Element?]>

    init(count: Int, body: @escaping @Sendable (Int) -> Element) {
        self.count = count
        self.body = body
        done = Mutex(Array(repeating: nil, count: count))
    }

    func run() {
        while true {
            let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
            guard index < count else { return }
            let result = body(index)
            done.withLock { $0[index] = result }
        }
    }

    func results() -> [Element] { done.withLock { $0.compactMap(\.self) } }
}

/// The number of processors that this process can use, at least one. `taskset` or a container may limit it.
package var availableProcessors: Int {
    #if os(Linux)
        let allowed = Int(lane_allowed_processors())
        if allowed > 0 { return allowed }
    #endif
    return max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
}
