#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Our ends of a child's streams: hands on what it prints, and feeds it what it shall read.
final class ChildStreams {
    private static let bufferSize = 65_536
    /// A child that prints line by line would wake us for each: after a small piece the next may gather for so long.
    private static let gathering = Duration.milliseconds(2)
    private static let smallPiece = bufferSize / 4

    private var output: Pipe?
    private var error: Pipe?
    /// Both ends stay open until all is written: with a reader left, writing to a child that is gone raises no SIGPIPE.
    private var input: Pipe?
    private let inputBytes: [UInt8]
    private var inputWritten = 0
    private var gatherUntil = Duration.zero
    private let buffer: UnsafeMutableRawPointer

    init(for command: Command) throws(SystemError) {
        inputBytes = if case .bytes(let bytes) = command.input { bytes } else { [] }
        if case .bytes = command.input {
            input = try Pipe()
            if let writing = input?.writing?.number { _ = fcntl(writing, F_SETFL, O_NONBLOCK) }
        }
        if command.output == .piped {
            output = try Pipe()
            error = try Pipe()
        }
        buffer = .allocate(byteCount: Self.bufferSize, alignment: 16)
    }

    deinit {
        buffer.deallocate()
    }

    /// What the child gets.
    func childEnds(for command: Command) -> ChildEnds {
        let source: ChildEnds.Input =
            switch command.input {
            case .nothing: .null
            case .inherited: .inherited
            case .bytes: input?.reading.map { .descriptor($0.number) } ?? .null
            }
        return ChildEnds(input: source, output: output?.writing?.number, error: error?.writing?.number)
    }

    /// Lets go of an input that holds nothing, so that the child sees its end.
    func childHasStarted() {
        if inputBytes.isEmpty { input = nil }
    }

    /// Lets go of the child's ends, so that the last writer's end is seen. As long as they are here, the pipes of a child
    /// that ends do not wake us one after the other before its end itself does.
    func letGoOfOutput() {
        Self.letGoOfWriting(&output)
        Self.letGoOfWriting(&error)
    }

    /// Not as `pipe?.writing = nil`: Swift 6.3 may then never release the descriptor, and the stream has no end.
    private static func letGoOfWriting(_ pipe: inout Pipe?) {
        guard var rest = pipe else { return }
        rest.writing = nil
        pipe = rest
    }

    /// Whether something may still come.
    var isOpen: Bool { output?.reading != nil || error?.reading != nil }

    /// Waits for any of the streams and the two other descriptors, and moves what can be moved.
    ///
    /// Standard output gathers for a moment while the first of the others says that the child lives; standard error
    /// ends that, so that the order of the two is kept as well as it is known.
    ///
    /// - Returns: whether the first of the others is ready, and whether anything was read.
    func pump(
        until others: (Int32, Int32), timeout: Duration, handle: (OutputSource, UnsafeRawBufferPointer) -> Void
    ) -> (isReady: Bool, didRead: Bool) {
        var timeout = timeout
        if others.0 >= 0, gatherUntil > .zero {
            let pause = min(gatherUntil - Monotonic.now, timeout)
            gatherUntil = .zero
            if pause > .zero {
                // Whatever ends the pause is still there to be met below.
                _ = wait(pause, until: others, forOutput: false)
                timeout -= pause
            }
        }
        guard let found = wait(timeout, until: others, forOutput: true) else { return (false, false) }
        if found.input { feed() }
        if found.output, let reading = output?.reading?.number {
            if let count = read(reading, .standardOutput, handle) {
                if count < Self.smallPiece { gatherUntil = Monotonic.now + Self.gathering }
            } else {
                output = nil
            }
        }
        if found.error, let reading = error?.reading?.number, read(reading, .standardError, handle) == nil {
            error = nil
        }
        return (found.other, found.output || found.error)
    }

    /// What is ready, or broken; `nil` when time ran out.
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

    /// Reads once, and returns how much; `nil` at the end of the stream.
    private func read(
        _ descriptor: Int32, _ source: OutputSource, _ handle: (OutputSource, UnsafeRawBufferPointer) -> Void
    ) -> Int? {
        #if canImport(Glibc)
            let count = Glibc.read(descriptor, buffer, Self.bufferSize)
        #else
            let count = Darwin.read(descriptor, buffer, Self.bufferSize)
        #endif
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
