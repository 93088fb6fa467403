import Files

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A file open for reading.
final class InputFile {
    let path: String
    /// Its size when it was opened.
    let size: Int
    private let descriptor: Int32

    init(_ path: String) throws(ArchiveError) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .file(FileError("read", path)) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let failure = FileError("read", path)
            close(descriptor)
            throw .file(failure)
        }
        size = Int(status.st_size)
    }

    deinit {
        close(descriptor)
    }

    /// Hands the content to `body` in pieces, in order.
    func readAll(_ body: (UnsafeRawBufferPointer) throws(ArchiveError) -> Void) throws(ArchiveError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            let count = read(descriptor, buffer.baseAddress, buffer.count)
            if count == 0 { return }
            if count < 0 {
                if errno == EINTR { continue }
                throw .file(FileError("read", path))
            }
            try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
    }

    func readAll() throws(ArchiveError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size)
        try readAll { bytes.append(contentsOf: $0) }
        return bytes
    }
}
