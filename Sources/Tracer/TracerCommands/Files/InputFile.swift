import OperatingSystem

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The maximum size of an input file in bytes.
private let maximumInput = 256 << 20

/// Returns the contents of a file or pipe.
///
/// - Throws: `FileError` if the input cannot be read. Input of more than 256 MB, such as `/dev/zero`, is the error
///   `EFBIG`.
func readInput(_ path: String) throws(FileError) -> [UInt8] {
    let file = try ReadableFile(path)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { buffer.deallocate() }
    var bytes: [UInt8] = []
    while let chunk = try file.next(in: buffer) {
        guard bytes.count + chunk.count <= maximumInput else { throw FileError("read", path, code: EFBIG) }
        bytes.append(contentsOf: chunk)
    }
    return bytes
}
