#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Writes `bytes` to the file at `path` atomically: writes a temporary file in the same directory, then renames it.
///
/// An existing file keeps its mode; a new one gets `mode` minus the umask. The directory must exist. Symbolic links are
/// followed, even to a file that doesn't exist yet. A device or a pipe is written to and not replaced.
package func writeFile(_ bytes: [UInt8], to path: String, mode: Int = 0o666) throws(FileError) {
    let file = try FileReplacement(path, mode: mode)
    try file.append(bytes)
    try file.commit()
}

/// Writes `text` to the file at `path` atomically, as `writeFile(_:to:mode:)` does with bytes.
package func writeFile(_ text: String, to path: String, mode: Int = 0o666) throws(FileError) {
    try writeFile(Array(text.utf8), to: path, mode: mode)
}

/// Writes all bytes to an open descriptor, with several system calls if necessary. The error message contains `name`.
package func writeAll(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, named name: String
) throws(FileError) {
    var rest = bytes[...]
    while !rest.isEmpty {
        let chunk = UnsafeRawBufferPointer(rebasing: rest)
        let count = write(descriptor, chunk.baseAddress, chunk.count)
        if count < 0, errno == EINTR { continue }
        if count < 0, errno == EAGAIN {
            var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            poll(&ready, 1, -1)
            continue
        }
        guard count > 0 else { throw FileError("write", name) }
        rest = rest.dropFirst(count)
    }
}

/// Appends `bytes` to a file. Creates the file if it doesn't exist.
package func appendToFile(_ bytes: [UInt8], _ path: String) throws(FileError) {
    let descriptor = withSystemPath(path) { open($0, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o666) }
    guard descriptor >= 0 else { throw FileError("write", path) }
    defer { close(descriptor) }
    try bytes.withUnsafeBufferPointer { (buffer) throws(FileError) in
        try writeAll(UnsafeRawBufferPointer(buffer), to: descriptor, named: path)
    }
}
