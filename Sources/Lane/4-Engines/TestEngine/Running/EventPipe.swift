import CLibrary
import Events
import OperatingSystem
import Synchronization
import ToolOutput

/// A named pipe for the events of a test process, which a separate thread reads.
///
/// The thread ends after `finish`, and not at the end of the stream. A descendant may keep the pipe open, and a process
/// that crashes early may never open it.
final class EventPipe: Sendable {
    /// The pause after reading records, so that the thread does not wake up for each record.
    private static let gathering = Duration.milliseconds(2)

    let path: String
    private let reading: Int32
    /// The writing end, which prevents the end of the stream.
    private let writing: Int32
    private let finished = Cancellation()
    private let thread = Mutex<Thread?>(nil)
    /// The receiver. Only one thread reads at a time, so that records stay in order.
    private let take: Mutex<(@Sendable (UnsafeRawBufferPointer) -> Void)?>

    init(path: String) throws(TestEngineFailure) {
        self.path = path
        take = Mutex(nil)
        guard mkfifo(path, 0o600) == 0 else { throw .cannotPrepare("\(FileError("make a pipe at", path))") }
        reading = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        writing = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
        // After this, `deinit` closes the descriptors.
        guard reading >= 0, writing >= 0 else { throw .cannotPrepare("\(FileError("open", path))") }
    }

    deinit {
        for descriptor in [reading, writing] where descriptor >= 0 { close(descriptor) }
        unlink(path)
    }

    /// Starts to pass records to a receiver on another thread.
    func start(_ take: @escaping @Sendable (UnsafeRawBufferPointer) -> Void) throws(TestEngineFailure) {
        self.take.withLock { $0 = take }
        let thread = Thread { [unowned self] in follow() }
        if thread == nil { throw .cannotPrepare("could not start a thread") }
        self.thread.withLock { $0 = thread }
    }

    /// Returns when all records that were written before the call are passed.
    func finish() {
        finished.cancel()
        thread.withLock { $0.take() }?.join()
    }

    /// Passes available records on the calling thread. Returns `true` if there were any.
    @discardableResult
    func catchUp() -> Bool {
        take.withLock { take in
            var didRead = false
            withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
                while true {
                    let count = CLibrary.read(reading, buffer.baseAddress, buffer.count)
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
            // Checked before reading, because records that were written before `finish` are available then.
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

/// A parser of the event stream for two threads: the thread of the pipe, and the thread of the process.
final class SharedParser: Sendable {
    private let parser: Mutex<SwiftTestingEventParser>

    init(_ parser: SwiftTestingEventParser) { self.parser = Mutex(parser) }

    func consume(_ bytes: UnsafeRawBufferPointer, _ emit: (TestEvent) -> Void) {
        parser.withLock { $0.consume(bytes, emit: emit) }
    }

    func finish(_ emit: (TestEvent) -> Void) { parser.withLock { $0.finish(emit: emit) } }

    var suiteDisplayNames: [String: String] { parser.withLock { $0.suiteDisplayNames } }
}
