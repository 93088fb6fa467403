#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The whole of a file.
package func readFile(_ path: String) throws(FileError) -> [UInt8] {
    var bytes: [UInt8] = []
    try readFile(path) { bytes.append(contentsOf: $0) }
    return bytes
}

/// The whole of a file as text, repaired where it is not UTF-8.
package func readText(_ path: String) throws(FileError) -> String {
    String(decoding: try readFile(path), as: UTF8.self)
}

/// Hands on a file in pieces, in constant memory.
package func readFile(_ path: String, pieces: (UnsafeRawBufferPointer) -> Void) throws(FileError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileError("read", path) }
    defer { close(descriptor) }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { buffer.deallocate() }
    while true {
        let count = read(descriptor, buffer.baseAddress, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else { throw FileError("read", path) }
        if count == 0 { return }
        pieces(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
}
