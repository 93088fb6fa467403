import Files
import Processes
import Synchronization
import Threads

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A named pipe through which a test process tells what happens, read in a thread of its own.
///
/// It ends when `finish` says so and not at the end of the stream: a grandchild may hold the pipe open, and a process
/// that dies early may never open it.
final class EventPipe: Sendable {
    /// Records come in crowds: after some, the next may gather for so long before the thread wakes again.
    private static let gathering = Duration.milliseconds(2)

    let path: String
    private let reading: Int32
    /// Our own writing end, so that the pipe has no end as long as it is read.
    private let writing: Int32
    private let finished = Cancellation()
    private let thread = Mutex<Thread?>(nil)
    /// One reader at a time, so that records stay in their order.
    private let take: Mutex<(@Sendable (UnsafeRawBufferPointer) -> Void)?>

    init(path: String) throws(TestEngineFailure) {
        self.path = path
        take = Mutex(nil)
        guard mkfifo(path, 0o600) == 0 else { throw .cannotPrepare("\(FileError("make a pipe at", path))") }
        reading = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        writing = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
        // From here on `deinit` sees to what is open.
        guard reading >= 0, writing >= 0 else { throw .cannotPrepare("\(FileError("open", path))") }
    }

    deinit {
        for descriptor in [reading, writing] where descriptor >= 0 { close(descriptor) }
        unlink(path)
    }

    /// Begins to hand on what is written, in another thread.
    func start(_ take: @escaping @Sendable (UnsafeRawBufferPointer) -> Void) throws(TestEngineFailure) {
        self.take.withLock { $0 = take }
        let thread = Thread { [unowned self] in follow() }
        if thread == nil { throw .cannotPrepare("could not start a thread") }
        self.thread.withLock { $0 = thread }
    }

    /// Returns when all that was written before is handed on.
    func finish() {
        finished.cancel()
        thread.withLock { $0.take() }?.join()
    }

    /// Hands on in this thread what is there already, and returns whether anything was.
    @discardableResult
    func catchUp() -> Bool {
        take.withLock { take in
            var didRead = false
            withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
                while true {
                    #if canImport(Glibc)
                        let count = Glibc.read(reading, buffer.baseAddress, buffer.count)
                    #else
                        let count = Darwin.read(reading, buffer.baseAddress, buffer.count)
                    #endif
                    guard count > 0 else { return }
                    didRead = true
                    take?(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                }
            }
            return didRead
        }
    }

    private func follow() {
        while true {
            // Asked before reading: what was written before `finish` is there to be read then.
            let isLast = finished.isCancelled
            let didRead = catchUp()
            if isLast { return }
            if didRead {
                finished.wait(Self.gathering)
            } else {
                var waiting = [
                    pollfd(fd: reading, events: Int16(POLLIN), revents: 0),
                    pollfd(fd: finished.descriptor, events: Int16(POLLIN), revents: 0),
                ]
                poll(&waiting, 2, -1)
            }
        }
    }
}
