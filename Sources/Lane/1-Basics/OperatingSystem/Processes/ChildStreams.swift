import CLibrary

/// The parent's ends of a child's streams, which pass output to the caller and input to the child.
final class ChildStreams {
    private static let bufferSize = 65_536
    /// The delay after a small read. Without it, a child that prints line by line would wake the parent for each line.
    private static let coalescingDelay = Duration.milliseconds(2)
    private static let smallRead = bufferSize / 4

    private let isMerged: Bool
    private var output: Pipe?
    private var error: Pipe?
    /// The pipe of the input. Both ends stay open until all input is written, because writing without a reader raises
    /// SIGPIPE.
    private var input: Pipe?
    private let inputBytes: [UInt8]
    private var inputWritten = 0
    private var coalesceUntil = Duration.zero
    private let buffer: UnsafeMutableRawPointer

    init(for command: Command) throws(SystemError) {
        inputBytes = if case .bytes(let bytes) = command.input { bytes } else { [] }
        if case .bytes = command.input {
            input = try Pipe()
            if let writing = input?.writing?.number { _ = fcntl(writing, F_SETFL, O_NONBLOCK) }
        }
        isMerged = command.output == .merged
        if command.output != .inherited { output = try Pipe() }
        if command.output == .piped { error = try Pipe() }
        buffer = .allocate(byteCount: Self.bufferSize, alignment: 16)
    }

    deinit {
        buffer.deallocate()
    }

    /// Returns the child's ends of the streams.
    func childEnds(for command: Command) -> ChildEnds {
        let source: ChildEnds.Input =
            switch command.input {
            case .nothing: .null
            case .inherited: .inherited
            case .bytes: input?.reading.map { .descriptor($0.number) } ?? .null
            }
        let errors = isMerged ? output : error
        return ChildEnds(input: source, output: output?.writing?.number, error: errors?.writing?.number)
    }

    /// Closes an empty input, from which the child then reads the end of the file.
    func childHasStarted() {
        if inputBytes.isEmpty { input = nil }
    }

    /// Closes the child's ends of the output. Until then, reads do not detect the end of the last writer.
    func closeOutput() {
        Self.closeWriting(&output)
        Self.closeWriting(&error)
    }

    /// Closes the writing end. Does not assign `pipe?.writing = nil`, after which Swift 6.3 may never release the
    /// descriptor.
    private static func closeWriting(_ pipe: inout Pipe?) {
        guard var rest = pipe else { return }
        rest.writing = nil
        pipe = rest
    }

    var isOpen: Bool { output?.reading != nil || error?.reading != nil }

    /// Waits for a stream or for one of two other descriptors, and transfers data.
    ///
    /// Delays reads of standard output for a moment while the child runs, unless standard error is ready. This
    /// preserves the order of the two streams as far as possible.
    ///
    /// - Returns: Two Boolean values that indicate whether the first of the other descriptors is ready, and whether
    ///   data was read.
    func pump(
        until others: (Int32, Int32), timeout: Duration, handle: (OutputSource, UnsafeRawBufferPointer) -> Void
    ) -> (isReady: Bool, didRead: Bool) {
        var timeout = timeout
        if others.0 >= 0, coalesceUntil > .zero {
            let pause = min(coalesceUntil - Monotonic.now, timeout)
            coalesceUntil = .zero
            if pause > .zero {
                // The events that end the pause are handled below.
                _ = wait(pause, until: others, forOutput: false)
                timeout -= pause
            }
        }
        guard let found = wait(timeout, until: others, forOutput: true) else { return (false, false) }
        if found.input { feed() }
        if found.output, let reading = output?.reading?.number {
            if let count = read(reading, .standardOutput, handle) {
                if count < Self.smallRead { coalesceUntil = Monotonic.now + Self.coalescingDelay }
            } else {
                output = nil
            }
        }
        if found.error, let reading = error?.reading?.number, read(reading, .standardError, handle) == nil {
            error = nil
        }
        return (found.other, found.output || found.error)
    }

    /// Returns the descriptors that are ready or broken, or `nil` after the timeout.
    private func wait(
        _ timeout: Duration, until others: (Int32, Int32), forOutput: Bool
    ) -> (other: Bool, output: Bool, error: Bool, input: Bool)? {
        let readable = Int16(POLLIN)
        var waiting = (
            pollfd(fd: others.0, events: readable, revents: 0), pollfd(fd: others.1, events: readable, revents: 0),
            pollfd(fd: forOutput ? Self.number(output?.reading) : -1, events: readable, revents: 0),
            pollfd(fd: Self.number(error?.reading), events: readable, revents: 0),
            pollfd(fd: Self.number(input?.writing), events: Int16(POLLOUT), revents: 0)
        )
        let ready = withUnsafeMutableBytes(of: &waiting) { bytes in
            poll(bytes.assumingMemoryBound(to: pollfd.self).baseAddress, 5, timeout.pollMilliseconds)
        }
        guard ready > 0 else { return nil }
        return (waiting.0.revents != 0, waiting.2.revents != 0, waiting.3.revents != 0, waiting.4.revents != 0)
    }

    private static func number(_ descriptor: Descriptor?) -> Int32 {
        descriptor?.number ?? -1
    }

    /// Reads once. Returns the number of bytes, or `nil` at the end of the stream.
    private func read(
        _ descriptor: Int32, _ source: OutputSource, _ handle: (OutputSource, UnsafeRawBufferPointer) -> Void
    ) -> Int? {
        let count = CLibrary.read(descriptor, buffer, Self.bufferSize)
        if count > 0 { handle(source, UnsafeRawBufferPointer(start: buffer, count: count)) }
        if count < 0, errno == EINTR || errno == EAGAIN { return 0 }
        return count > 0 ? count : nil
    }

    private func feed() {
        guard let writing = input?.writing?.number else { return }
        let count = inputBytes[inputWritten...].withUnsafeBytes { write(writing, $0.baseAddress, $0.count) }
        if count > 0 { inputWritten += count }
        let isOver = count < 0 && errno != EAGAIN && errno != EINTR
        if isOver || inputWritten == inputBytes.count { input = nil }
    }
}
