#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Puts `bytes` at `path` as a whole or not at all: written beside it, then renamed over it.
///
/// A file that is there keeps its mode, a new one gets `mode` less the umask; the folder must exist.
package func writeFile(_ bytes: [UInt8], to path: String, mode: Int = 0o666) throws(FileError) {
    let beside = "\(path).\(getpid()).new"
    var status = stat()
    let isThere = stat(path, &status) == 0
    let descriptor = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode_t(mode))
    guard descriptor >= 0 else { throw FileError("write", path) }
    var failure: FileError?
    do throws(FileError) {
        try bytes.withUnsafeBufferPointer { (buffer) throws(FileError) in
            try writeAll(UnsafeRawBufferPointer(buffer), to: descriptor, named: path)
        }
    } catch {
        failure = error
    }
    if isThere { fchmod(descriptor, status.st_mode & 0o7777) }
    // Network file systems and full disks may only tell at close.
    if close(descriptor) != 0, failure == nil { failure = FileError("write", path) }
    if failure == nil, rename(beside, path) != 0 { failure = FileError("write", path) }
    if let failure {
        unlink(beside)
        throw failure
    }
}

/// Puts `text` at `path` as a whole or not at all.
package func writeFile(_ text: String, to path: String, mode: Int = 0o666) throws(FileError) {
    try writeFile(Array(text.utf8), to: path, mode: mode)
}

/// Writes every byte to an open descriptor, however many calls that takes; `name` is for the message.
package func writeAll(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, named name: String
) throws(FileError) {
    var rest = bytes[...]
    while !rest.isEmpty {
        let piece = UnsafeRawBufferPointer(rebasing: rest)
        let count = write(descriptor, piece.baseAddress, piece.count)
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

/// Adds `bytes` to the end of a file, made when it is not there.
package func appendToFile(_ bytes: [UInt8], _ path: String) throws(FileError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw FileError("write", path) }
    defer { close(descriptor) }
    try bytes.withUnsafeBufferPointer { (buffer) throws(FileError) in
        try writeAll(UnsafeRawBufferPointer(buffer), to: descriptor, named: path)
    }
}
