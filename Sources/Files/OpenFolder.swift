#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A folder that is kept open while many of its files are read: the system then need not find the way to it for each.
package struct OpenFolder: ~Copyable {
    private let path: String
    private let descriptor: Int32
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)

    package init(_ path: String) throws(FileError) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError("read", path) }
    }

    deinit {
        close(descriptor)
        buffer.deallocate()
    }

    /// The whole of a file that the folder's list has as one.
    ///
    /// - Parameter name: A name in the folder, or a path below it.
    package func readFile(_ name: String) throws(FileError) -> [UInt8] {
        // Should it be a pipe by now, nobody waits for it.
        let file = openat(descriptor, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard file >= 0 else { throw FileError("read", "\(path)/\(name)") }
        defer { close(file) }
        var bytes: [UInt8] = []
        while true {
            let count = read(file, buffer.baseAddress, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw FileError("read", "\(path)/\(name)") }
            bytes.append(contentsOf: buffer[..<count])
            // POSIX: of a file, a read gives fewer bytes than asked for only where it ends.
            if count < buffer.count { return bytes }
        }
    }
}
