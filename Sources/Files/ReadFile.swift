#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The whole of a file.
package func readFile(_ path: String) throws(FileError) -> [UInt8] {
    var bytes: [UInt8] = []
    try readFile(path) { bytes.append(contentsOf: $0) }
    return bytes
}

/// The whole of a file; what is none, such as a folder or a pipe, is refused without waiting for it.
package func readRegularFile(_ path: String) throws(FileError) -> [UInt8] {
    let file = try ReadableFile(path, O_NONBLOCK | O_NOCTTY)
    guard file.isRegular else { throw FileError("read", path, code: EINVAL) }
    var bytes: [UInt8] = []
    try file.read { bytes.append(contentsOf: $0) }
    return bytes
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
struct ReadableFile: ~Copyable {
    private let path: String
    private let descriptor: Int32

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

    /// What comes next, in the memory that is lent; `nil` at the end.
    func next(in buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> UnsafeRawBufferPointer? {
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
