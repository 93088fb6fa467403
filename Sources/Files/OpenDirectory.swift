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
        do throws(FileError) {
            // Should it be a pipe by now, nobody waits for it.
            let file = try ReadableFile(name, in: descriptor, O_NONBLOCK | O_NOCTTY)
            return try file.whole(in: buffer, endsShort: true)
        } catch {
            throw FileError(error.operation, "\(path)/\(name)", code: error.code)
        }
    }
}
