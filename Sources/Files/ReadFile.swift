#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The whole of a file.
package func readFile(_ path: String) throws(FileError) -> [UInt8] {
    try ReadableFile(path).whole()
}

/// The whole of a file; what is none, such as a folder or a pipe, is refused without waiting for it.
package func readRegularFile(_ path: String) throws(FileError) -> [UInt8] {
    let file = try ReadableFile(path, O_NONBLOCK | O_NOCTTY)
    guard file.isRegular else { throw FileError("read", path, code: EINVAL) }
    return try file.whole()
}

/// The whole of a file as text, repaired where it is not UTF-8.
package func readText(_ path: String) throws(FileError) -> String {
    String(decoding: try readFile(path), as: UTF8.self)
}

/// Hands on a file in pieces, in constant memory.
package func readFile(_ path: String, pieces: (UnsafeRawBufferPointer) -> Void) throws(FileError) {
    try ReadableFile(path).read(pieces)
}

/// A file that is open for reading.
package struct ReadableFile: ~Copyable {
    private let path: String
    private let descriptor: Int32

    package init(_ path: String) throws(FileError) { try self.init(path, in: AT_FDCWD) }

    /// - Parameter folder: The descriptor of the folder that a relative path begins at; the current one else.
    init(_ path: String, in folder: Int32 = AT_FDCWD, _ flags: Int32 = 0) throws(FileError) {
        self.path = path
        descriptor = openat(folder, path, O_RDONLY | O_CLOEXEC | flags)
        guard descriptor >= 0 else { throw FileError("read", path) }
    }

    deinit { close(descriptor) }

    var isRegular: Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    func read(_ pieces: (UnsafeRawBufferPointer) -> Void) throws(FileError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { buffer.deallocate() }
        while let piece = try next(in: buffer) { pieces(piece) }
    }

    func whole() throws(FileError) -> [UInt8] {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { buffer.deallocate() }
        return try whole(in: buffer)
    }

    /// Reserved at once, in bytes: what the system says of a size is not always so, as in `/proc`.
    private static let longestReservation = 64 << 20

    /// All that it holds, in an array of that size.
    ///
    /// - Parameter endsShort: Whether a read that gives less than was asked for is the last, as of files it is (POSIX).
    func whole(in buffer: UnsafeMutableRawBufferPointer, endsShort: Bool = false) throws(FileError) -> [UInt8] {
        var bytes: [UInt8] = []
        while let piece = try next(in: buffer) {
            // An array that grows touches memory of twice its size, and of a long file that is what takes the time.
            if bytes.isEmpty, piece.count == buffer.count { bytes.reserveCapacity(min(size, Self.longestReservation)) }
            bytes.append(contentsOf: piece)
            if endsShort, piece.count < buffer.count { break }
        }
        return bytes
    }

    /// In bytes; 0 where the system does not tell it, as of a pipe.
    package var size: Int {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    }

    /// What comes next, in the memory that is lent; `nil` at the end.
    package func next(in buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> UnsafeRawBufferPointer? {
        while true {
            #if canImport(Glibc)
                let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            #else
                let count = Darwin.read(descriptor, buffer.baseAddress, buffer.count)
            #endif
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw FileError("read", path) }
            return count == 0 ? nil : UnsafeRawBufferPointer(rebasing: buffer[..<count])
        }
    }
}
