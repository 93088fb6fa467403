import CLibrary

/// Returns the contents of a regular file. Throws without blocking for anything else, such as a directory or a pipe.
package func readFile(_ path: String) throws(FileError) -> [UInt8] {
    try openRegularFile(path).readAll()
}

/// Returns the contents of a regular file as text, with U+FFFD in place of invalid UTF-8.
package func readText(_ path: String) throws(FileError) -> String {
    String(decoding: try readFile(path), as: UTF8.self)
}

/// Returns the first `count` bytes of a regular file, or all if there are fewer.
package func readStart(of path: String, _ count: Int) throws(FileError) -> [UInt8] {
    try openRegularFile(path).readStart(count)
}

/// Returns the last `count` bytes of a regular file, or all if there are fewer.
package func readEnd(of path: String, _ count: Int) throws(FileError) -> [UInt8] {
    try openRegularFile(path).readEnd(count)
}

/// Calls `body` with each chunk of a regular file in turn, in constant memory.
package func readFile(_ path: String, _ body: (_ chunk: UnsafeRawBufferPointer) -> Void) throws(FileError) {
    try openRegularFile(path).forEachChunk(body)
}

private func openRegularFile(_ path: String) throws(FileError) -> ReadableFile {
    let file = try ReadableFile(path, O_NONBLOCK | O_NOCTTY)
    guard file.isRegular else { throw FileError("read", path, code: isDirectory(path) ? EISDIR : EINVAL) }
    return file
}

/// Returns everything that can be read at a path, which may be a pipe such as `/dev/stdin`. Waits for the end of a pipe.
package func readStream(_ path: String) throws(FileError) -> [UInt8] {
    try ReadableFile(path).readAll()
}

/// Calls `body` with each chunk that is read at a path, which may be a pipe, in constant memory.
package func readStream(_ path: String, _ body: (_ chunk: UnsafeRawBufferPointer) -> Void) throws(FileError) {
    try ReadableFile(path).forEachChunk(body)
}

/// Returns what is written to a pipe until it is closed.
///
/// - Parameter limit: The time for which to wait for a writer. Throws `ETIMEDOUT` after it.
package func readPipe(_ path: String, limit: Duration) throws(FileError) -> [UInt8] {
    let pipe = try ReadableFile(path, O_NONBLOCK | O_NOCTTY)
    try pipe.waitForWriter(limit)
    return try pipe.readAll()
}

/// A file that is open for reading.
package struct ReadableFile: ~Copyable {
    private let path: String
    private let descriptor: Int32

    package init(_ path: String) throws(FileError) { try self.init(path, in: AT_FDCWD) }

    /// - Parameter directory: The descriptor of the directory that `path` is relative to; by default the current
    ///   directory.
    init(_ path: String, in directory: Int32 = AT_FDCWD, _ flags: Int32 = 0) throws(FileError) {
        self.path = path
        descriptor = withSystemPath(path) { openat(directory, $0, O_RDONLY | O_CLOEXEC | flags) }
        guard descriptor >= 0 else { throw FileError("read", path) }
    }

    deinit { close(descriptor) }

    var isRegular: Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    func forEachChunk(_ body: (UnsafeRawBufferPointer) -> Void) throws(FileError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { buffer.deallocate() }
        while let chunk = try next(in: buffer) { body(chunk) }
    }

    func readAll() throws(FileError) -> [UInt8] {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { buffer.deallocate() }
        return try readAll(in: buffer)
    }

    /// Waits for the first bytes in a pipe, or for a writer to close it. Later reads then wait for the writer.
    fileprivate func waitForWriter(_ limit: Duration) throws(FileError) {
        let end = Monotonic.now + limit
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while true {
            let count = poll(&waiting, 1, max(.zero, end - Monotonic.now).pollMilliseconds)
            if count > 0 { break }
            guard count < 0, errno == EINTR else { throw FileError("read", path, code: count < 0 ? errno : ETIMEDOUT) }
        }
        _ = fcntl(descriptor, F_SETFL, 0)
    }

    fileprivate func readStart(_ count: Int) throws(FileError) -> [UInt8] {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
        defer { buffer.deallocate() }
        return try next(in: buffer).map(Array.init) ?? []
    }

    fileprivate func readEnd(_ count: Int) throws(FileError) -> [UInt8] {
        _ = lseek(descriptor, off_t(max(0, size - count)), SEEK_SET)
        return try readAll()
    }

    /// The maximum number of bytes to reserve in advance. The reported size of a file can be wrong, as in `/proc`.
    private static let maximumReservation = 64 << 20

    /// Returns the contents of the file from the current offset to the end.
    ///
    /// - Parameter stopsAtShortRead: Pass `true` for a regular file. POSIX guarantees that a read of a regular file
    ///   that returns fewer bytes than requested has reached the end.
    func readAll(
        in buffer: UnsafeMutableRawBufferPointer, stopsAtShortRead: Bool = false
    ) throws(FileError) -> [UInt8] {
        var bytes: [UInt8] = []
        while let chunk = try next(in: buffer) {
            // Without this, copies of the growing array take most of the time for a long file.
            if bytes.isEmpty, chunk.count == buffer.count { bytes.reserveCapacity(min(size, Self.maximumReservation)) }
            bytes.append(contentsOf: chunk)
            if stopsAtShortRead, chunk.count < buffer.count { break }
        }
        return bytes
    }

    /// The size in bytes; 0 if the system doesn't report it, as for a pipe.
    package var size: Int {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Reads the next chunk into `buffer` and returns the part of `buffer` that was filled, or `nil` at the end of the
    /// file.
    package func next(in buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> UnsafeRawBufferPointer? {
        while true {
            let count = CLibrary.read(descriptor, buffer.baseAddress, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw FileError("read", path) }
            return count == 0 ? nil : UnsafeRawBufferPointer(rebasing: buffer[..<count])
        }
    }
}

/// A directory that stays open while many of its files are read. The system resolves its path only once.
package struct OpenDirectory: ~Copyable {
    private let path: String
    private let descriptor: Int32
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)

    package init(_ path: String) throws(FileError) {
        self.path = path
        descriptor = withSystemPath(path) { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard descriptor >= 0 else { throw FileError("read", path) }
    }

    deinit {
        close(descriptor)
        buffer.deallocate()
    }

    /// Returns the contents of a file that `listEntries` reported as a regular file.
    ///
    /// - Parameter name: The path of the file, relative to the directory.
    package func readFile(_ name: String) throws(FileError) -> [UInt8] {
        do throws(FileError) {
            // With `O_NONBLOCK`, opening a pipe that has replaced the file does not wait for a writer.
            let file = try ReadableFile(name, in: descriptor, O_NONBLOCK | O_NOCTTY)
            return try file.readAll(in: buffer, stopsAtShortRead: true)
        } catch {
            throw FileError(error.operation, "\(path)/\(name)", code: error.code)
        }
    }
}
