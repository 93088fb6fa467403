import CSpawn

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// An open file descriptor, closed when nobody holds it any more.
final class Descriptor: Sendable {
    let number: Int32

    init(_ number: Int32) {
        self.number = number
    }

    deinit {
        close(number)
    }

    /// The same file by a number that is not one of the three standard ones: `lane` itself may have been started with
    /// those closed.
    func raised() throws(SystemError) -> Descriptor {
        guard number <= 2 else { return self }
        let higher = fcntl(number, F_DUPFD_CLOEXEC, 3)
        guard higher >= 0 else { throw SystemError(errno) }
        return Descriptor(higher)
    }
}

/// The two ends of a pipe, closed in children, and never one of the three standard descriptors: a child's set-up would
/// then overwrite one end with the other.
struct Pipe: Sendable {
    var reading: Descriptor?
    var writing: Descriptor?

    /// Fails with the number of the system's error.
    init() throws(SystemError) {
        var ends: [Int32] = [-1, -1]
        #if os(Linux)
            guard pipe2(&ends, O_CLOEXEC) == 0 else { throw SystemError(errno) }
        #else
            guard pipe(&ends) == 0 else { throw SystemError(errno) }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        #endif
        // Both are held before anything can fail.
        let (first, second) = (Descriptor(ends[0]), Descriptor(ends[1]))
        reading = try first.raised()
        writing = try second.raised()
    }
}

/// Fills those of the three standard descriptors that this process was started without, so that no file it opens takes
/// their place and gets what is printed. They can be used as little as before: reading and writing fail.
package func openStandardStreams() {
    for (number, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
    where fcntl(number, F_GETFD) < 0 {
        // The lowest free number is given, and those below are taken.
        _ = open("/dev/null", mode)
    }
}

/// A system call's failure by its number.
struct SystemError: Error {
    let number: Int32

    init(_ number: Int32) {
        self.number = number
    }
}
