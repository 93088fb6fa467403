import Files

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A file in the making: it is written beside its place and takes it only when it is whole. Hashes what goes through.
package final class OutputFile {
    let path: String
    private let partial: String
    private let descriptor: Int32
    private var hash = SHA256()
    private var size = 0
    private var isFinished = false

    /// Mode 0644 whatever the umask, or 0755.
    init(_ path: String, isExecutable: Bool = false) throws(ArchiveError) {
        self.path = path
        partial = "\(parentDirectory(path))/.\(lastPathComponent(path)).\(getpid()).partial"
        unlink(partial)
        descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .file(FileError("write", path)) }
        _ = fchmod(descriptor, isExecutable ? 0o755 : 0o644)
    }

    deinit {
        close(descriptor)
        if !isFinished { unlink(partial) }
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(ArchiveError) {
        hash.update(bytes)
        size += bytes.count
        try onFiles { () throws(FileError) in try writeAll(bytes, to: descriptor, named: path) }
    }

    func write(_ bytes: [UInt8]) throws(ArchiveError) {
        try bytes.withUnsafeBufferPointer { (buffer) throws(ArchiveError) in
            try write(UnsafeRawBufferPointer(buffer))
        }
    }

    /// Puts the file in its place, on disk for good.
    func finish() throws(ArchiveError) -> WrittenFile {
        guard fsync(descriptor) == 0, rename(partial, path) == 0 else {
            throw .file(FileError("write", path))
        }
        isFinished = true
        return WrittenFile(path: path, size: size, sha256: hash.digest())
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
    /// Its final name.
    package let path: String
    /// In bytes.
    package let size: Int
    /// Of the bytes as written.
    package let sha256: SHA256Digest

    /// The same file under another name.
    package func moved(to path: String) -> WrittenFile {
        WrittenFile(path: path, size: size, sha256: sha256)
    }
}
