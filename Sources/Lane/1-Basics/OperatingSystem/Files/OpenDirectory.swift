#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

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
