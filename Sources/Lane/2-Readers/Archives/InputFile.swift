package import OperatingSystem

/// A file to read into an archive.
final class InputFile {
    /// The size in bytes at the time of opening.
    let size: Int
    private let file: ReadableFile

    init(_ path: String) throws(ArchiveError) {
        do throws(FileError) { file = try ReadableFile(path) } catch { throw .file(error) }
        size = file.size
    }

    /// Calls `body` with each chunk of the file in turn.
    func readAll(_ body: (UnsafeRawBufferPointer) throws(ArchiveError) -> Void) throws(ArchiveError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
        defer { buffer.deallocate() }
        while let chunk = try next(in: buffer) { try body(chunk) }
    }

    private func next(in buffer: UnsafeMutableRawBufferPointer) throws(ArchiveError) -> UnsafeRawBufferPointer? {
        do throws(FileError) { return try file.next(in: buffer) } catch { throw .file(error) }
    }
}

extension ArchiveError: FileErrorConvertible {
    package init(_ error: FileError) { self = .file(error) }
}
