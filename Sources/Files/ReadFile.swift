#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The whole of a file.
package func readFile(_ path: String) throws(FileError) -> [UInt8] {
    let file = try OpenFile(path)
    defer { file.close() }
    return try file.readAll()
}

/// The whole of a file; what is none, such as a folder or a pipe, is refused without waiting for it.
package func readRegularFile(_ path: String) throws(FileError) -> [UInt8] {
    let file = try OpenFile(path, O_NONBLOCK | O_NOCTTY)
    defer { file.close() }
    guard file.isRegular else { throw FileError("read", path, code: EINVAL) }
    return try file.readAll()
}

/// The whole of a file as text, repaired where it is not UTF-8.
package func readText(_ path: String) throws(FileError) -> String {
    String(decoding: try readFile(path), as: UTF8.self)
}

/// Hands on a file in pieces, in constant memory.
package func readFile(_ path: String, pieces: (UnsafeRawBufferPointer) -> Void) throws(FileError) {
    let file = try OpenFile(path)
    defer { file.close() }
    try file.readRest(pieces)
}

/// A file that is being read.
private struct OpenFile {
    /// How much is expected at most before any of it was read, as some files that are none have fantastic sizes.
    private static let largestGuess = 1 << 26

    private let path: String
    private let descriptor: Int32
    private let status: stat

    init(_ path: String, _ flags: Int32 = 0) throws(FileError) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC | flags)
        guard descriptor >= 0 else { throw FileError("read", path) }
        var status = stat()
        // An empty one when it is refused: then nothing is known of the file but what reading it gives.
        fstat(descriptor, &status)
        self.status = status
    }

    func close() {
        #if canImport(Glibc)
            _ = Glibc.close(descriptor)
        #else
            _ = Darwin.close(descriptor)
        #endif
    }

    var isRegular: Bool { status.st_mode & S_IFMT == S_IFREG }

    func readAll() throws(FileError) -> [UInt8] {
        let size = min(Int(status.st_size), Self.largestGuess)
        // With room for one byte more, a file that gives as many as it has needs not be asked for its end.
        var bytes = [UInt8](unsafeUninitializedCapacity: size + 1) { buffer, count in
            count = max(0, readSome(UnsafeMutableRawBufferPointer(buffer)))
        }
        if bytes.isEmpty || bytes.count != size { try readRest { bytes.append(contentsOf: $0) } }
        return bytes
    }

    func readRest(_ pieces: (UnsafeRawBufferPointer) -> Void) throws(FileError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            let count = readSome(buffer)
            guard count >= 0 else { throw FileError("read", path) }
            if count == 0 { return }
            pieces(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
    }

    /// How many bytes were read; -1 for a failure.
    private func readSome(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        while true {
            let count = read(descriptor, buffer.baseAddress, buffer.count)
            if count >= 0 || errno != EINTR { return count }
        }
    }
}
