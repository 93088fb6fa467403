import CLibrary
import CSpawn

/// An open file descriptor that is closed when the object is deinitialized.
final class Descriptor: Sendable {
    let number: Int32

    init(_ number: Int32) {
        self.number = number
    }

    deinit {
        close(number)
    }

    /// Returns a descriptor of the same file with a number above the three standard descriptors, which may be closed at
    /// the start of `lane`.
    func raised() throws(SystemError) -> Descriptor {
        guard number <= 2 else { return self }
        let higher = fcntl(number, F_DUPFD_CLOEXEC, 3)
        guard higher >= 0 else { throw SystemError(errno) }
        return Descriptor(higher)
    }
}

/// A pipe that children do not inherit. Its ends are never standard descriptors, which the setup of a child would
/// overwrite.
struct Pipe: Sendable {
    var reading: Descriptor?
    var writing: Descriptor?

    /// Creates a pipe. Throws the error of the system call.
    init() throws(SystemError) {
        var ends: [Int32] = [-1, -1]
        #if os(Linux)
            guard pipe2(&ends, O_CLOEXEC) == 0 else { throw SystemError(errno) }
        #else
            guard pipe(&ends) == 0 else { throw SystemError(errno) }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        #endif
        // Both descriptors have an owner before an error can be thrown.
        let (first, second) = (Descriptor(ends[0]), Descriptor(ends[1]))
        reading = try first.raised()
        writing = try second.raised()
    }
}

/// Opens the standard descriptors that are closed, because the next opened files would get their numbers.
///
/// Reads from these descriptors and writes to them still fail.
package func openStandardStreams() {
    for (number, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
    where fcntl(number, F_GETFD) < 0 {
        // The system assigns the lowest free number.
        _ = open("/dev/null", mode)
    }
}

/// The error number of a failed system call.
struct SystemError: Error {
    let number: Int32

    init(_ number: Int32) {
        self.number = number
    }
}
