import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// `body` of `0..<count` in order, worked out by that many threads; the caller's is one of them.
func concurrentMap(_ count: Int, threads: Int, _ body: @escaping @Sendable (Int) -> [UInt8]) -> [[UInt8]] {
    let work = SharedWork(count: count, body: body)
    var started: [pthread_t] = []
    for _ in 1..<max(1, threads) {
        let retained = Unmanaged.passRetained(work)
        #if canImport(Glibc)
            var thread = pthread_t()
            let status = pthread_create(&thread, nil, { runWork($0) }, retained.toOpaque())
            if status == 0 { started.append(thread) } else { retained.release() }
        #else
            var thread: pthread_t?
            let status = pthread_create(&thread, nil, { runWork($0) }, retained.toOpaque())
            if status == 0, let thread { started.append(thread) } else { retained.release() }
        #endif
    }
    work.run()
    for thread in started { pthread_join(thread, nil) }
    return work.results()
}

private func runWork(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    Unmanaged<SharedWork>.fromOpaque(argument).takeRetainedValue().run()
    return nil
}

/// Threads take one index after the other until none is left.
private final class SharedWork: Sendable {
    private let count: Int
    private let body: @Sendable (Int) -> [UInt8]
    private let next = Atomic(0)
    private let done: Mutex<[[UInt8]]>

    init(count: Int, body: @escaping @Sendable (Int) -> [UInt8]) {
        self.count = count
        self.body = body
        done = Mutex(Array(repeating: [], count: count))
    }

    func run() {
        while true {
            let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
            guard index < count else { return }
            let result = body(index)
            done.withLock { $0[index] = result }
        }
    }

    func results() -> [[UInt8]] { done.withLock { $0 } }
}
