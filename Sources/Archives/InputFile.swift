import Files

/// A file that goes into an archive, open for reading.
final class InputFile {
    /// In bytes, when it was opened.
    let size: Int
    private let file: ReadableFile

    init(_ path: String) throws(ArchiveError) {
        do throws(FileError) { file = try ReadableFile(path) } catch { throw .file(error) }
        size = file.size
    }

    /// Hands the content to `body` in pieces, in order.
    func readAll(_ body: (UnsafeRawBufferPointer) throws(ArchiveError) -> Void) throws(ArchiveError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
        defer { buffer.deallocate() }
        while let piece = try next(in: buffer) { try body(piece) }
    }

    private func next(in buffer: UnsafeMutableRawBufferPointer) throws(ArchiveError) -> UnsafeRawBufferPointer? {
        do throws(FileError) { return try file.next(in: buffer) } catch { throw .file(error) }
    }
}

/// Does file work, and turns its error into an archive's.
func onFiles<Result>(_ body: () throws(FileError) -> Result) throws(ArchiveError) -> Result {
    do throws(FileError) { return try body() } catch { throw .file(error) }
}
