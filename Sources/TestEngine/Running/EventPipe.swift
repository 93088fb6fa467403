import Files
import Processes

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A named pipe through which a test process tells what happens, read in a thread of its own.
///
/// It ends when `finish` says so and not at the end of the stream: a grandchild may hold the pipe open, and a process
/// that dies early may never open it.
final class EventPipe {
    let path: String
    private let reading: Int32
    /// Our own writing end, so that the pipe has no end as long as it is read.
    private let writing: Int32
    private let finished = Cancellation()
    private var thread: Thread?

    init(path: String) throws(FileError) {
        self.path = path
        guard mkfifo(path, 0o600) == 0 else { throw FileError("make a pipe at", path) }
        reading = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard reading >= 0 else {
            let error = FileError("open", path)
            unlink(path)
            throw error
        }
        writing = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
    }

    deinit {
        close(reading)
        close(writing)
        unlink(path)
    }

    /// Begins to hand on what is written, in another thread.
    func start(_ take: @escaping @Sendable (UnsafeRawBufferPointer) -> Void) throws(TestEngineFailure) {
        let (reading, finished) = (reading, finished)
        thread = Thread { Self.read(reading, until: finished, take) }
        if thread == nil { throw .cannotPrepare("could not start a thread") }
    }

    /// Returns when all that was written before is handed on.
    func finish() {
        finished.cancel()
        thread?.join()
        thread = nil
    }

    private static func read(
        _ descriptor: Int32, until finished: Cancellation, _ take: (UnsafeRawBufferPointer) -> Void
    ) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            // Asked before reading: what was written before `finish` is there to be read then.
            let isLast = finished.isCancelled
            while true {
                #if canImport(Glibc)
                    let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                #else
                    let count = Darwin.read(descriptor, buffer.baseAddress, buffer.count)
                #endif
                guard count > 0 else { break }
                take(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            }
            if isLast { return }
            var waiting = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: finished.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            poll(&waiting, 2, -1)
        }
    }
}
