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
        guard descriptor >= 0 else { throw .file(path, doing: "open", errno: errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let code = errno
            close(descriptor)
            throw .file(path, doing: "look at", errno: code)
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
                throw .file(path, doing: "read", errno: errno)
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

/// A file in the making: it is written beside its place and takes it only when it is whole. Hashes what goes through.
package final class OutputFile {
    package let path: String
    private let partial: String
    private let descriptor: Int32
    private var hash = SHA256()
    private var size = 0
    private var isFinished = false

    /// Mode 0644 whatever the umask, or 0755.
    package init(_ path: String, isExecutable: Bool = false) throws(ArchiveError) {
        self.path = path
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8.index(after: $0) } ?? path.startIndex
        partial = "\(path[..<slash]).\(path[slash...]).\(getpid()).partial"
        unlink(partial)
        descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .file(path, doing: "write", errno: errno) }
        _ = fchmod(descriptor, isExecutable ? 0o755 : 0o644)
    }

    deinit {
        close(descriptor)
        if !isFinished { unlink(partial) }
    }

    package func write(_ bytes: UnsafeRawBufferPointer) throws(ArchiveError) {
        hash.update(bytes)
        size += bytes.count
        var rest = bytes
        while !rest.isEmpty {
            #if canImport(Glibc)
                let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
            #else
                let count = Darwin.write(descriptor, rest.baseAddress, rest.count)
            #endif
            if count < 0 {
                if errno == EINTR { continue }
                throw .file(path, doing: "write", errno: errno)
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }

    package func write(_ bytes: [UInt8]) throws(ArchiveError) {
        let result: Result<Void, ArchiveError> = bytes.withUnsafeBytes { buffer in
            do throws(ArchiveError) { return .success(try write(buffer)) } catch { return .failure(error) }
        }
        try result.get()
    }

    /// Puts the file in its place, on disk for good.
    package func finish() throws(ArchiveError) -> WrittenFile {
        guard fsync(descriptor) == 0, rename(partial, path) == 0 else {
            throw .file(path, doing: "write", errno: errno)
        }
        isFinished = true
        let whole = hash
        hash = SHA256()
        return WrittenFile(path: path, size: size, sha256: whole.digest())
    }

    /// Writes a whole file at once.
    @discardableResult
    package static func write(
        _ bytes: [UInt8], to path: String, isExecutable: Bool = false
    ) throws(ArchiveError) -> WrittenFile {
        let file = try OutputFile(path, isExecutable: isExecutable)
        try file.write(bytes)
        return try file.finish()
    }
}

/// A file that is in its place, whole.
package struct WrittenFile: Sendable, Equatable {
    package let path: String
    package let size: Int
    package let sha256: SHA256Digest
}
