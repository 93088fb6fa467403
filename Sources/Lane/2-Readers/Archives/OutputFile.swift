import CLibrary
import OperatingSystem

/// A file that is written atomically: `finish()` renames a temporary file in the same directory.
final class OutputFile {
    let path: String
    private let partial: String
    private let descriptor: Int32
    private var isFinished = false

    /// Creates the temporary file, with mode 0755 if `isExecutable`, else 0644, regardless of the umask.
    init(_ path: String, isExecutable: Bool = false) throws(ArchiveError) {
        self.path = path
        partial = temporaryPath(beside: path)
        descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .file(FileError("write", path)) }
        _ = fchmod(descriptor, isExecutable ? 0o755 : 0o644)
    }

    deinit {
        close(descriptor)
        if !isFinished { unlink(partial) }
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(ArchiveError) {
        try convertingFileErrors(to: ArchiveError.self, of: writeAll(bytes, to: descriptor, named: path))
    }

    /// Moves the file to its path. Flushes it to disk first if `isDurable` is `true`.
    func finish(isDurable: Bool = true) throws(ArchiveError) {
        guard !isDurable || fsync(descriptor) == 0, rename(partial, path) == 0 else {
            throw .file(FileError("write", path))
        }
        isFinished = true
    }
}

/// An `OutputFile` whose size and SHA-256 are computed during the write.
package final class HashedOutputFile {
    private let file: OutputFile
    private var hash = SHA256()
    private var size = 0

    init(_ path: String, isExecutable: Bool = false) throws(ArchiveError) {
        file = try OutputFile(path, isExecutable: isExecutable)
    }

    func write(_ bytes: [UInt8]) throws(ArchiveError) {
        try bytes.withUnsafeBufferPointer { (buffer) throws(ArchiveError) in
            let bytes = UnsafeRawBufferPointer(buffer)
            hash.update(bytes)
            size += bytes.count
            try file.write(bytes)
        }
    }

    /// Flushes the file to disk and moves it to its path.
    func finish() throws(ArchiveError) -> WrittenFile {
        try file.finish()
        return WrittenFile(path: file.path, size: size, sha256: hash.digest())
    }

    /// Writes a file atomically.
    @discardableResult
    package static func write(
        _ bytes: [UInt8], to path: String, isExecutable: Bool = false
    ) throws(ArchiveError) -> WrittenFile {
        let file = try HashedOutputFile(path, isExecutable: isExecutable)
        try file.write(bytes)
        return try file.finish()
    }
}

/// A completely written file.
package struct WrittenFile: Sendable, Equatable {
    /// The final path.
    package let path: String
    /// The size in bytes.
    package let size: Int
    /// The digest of the contents.
    package let sha256: SHA256Digest

    /// Returns a copy with another path. Does not move the file on disk.
    package func moved(to path: String) -> WrittenFile {
        WrittenFile(path: path, size: size, sha256: sha256)
    }
}
