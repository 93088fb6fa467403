#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Puts `bytes` at `path` as a whole or not at all: written beside it, then renamed over it.
///
/// A file that is there keeps its mode, a new one gets `mode` less the umask; the folder must exist. Links are followed,
/// also to a file that is not there yet; what is no file, such as a device or a pipe, gets the bytes and stays as it is.
package func writeFile(_ bytes: [UInt8], to path: String, mode: Int = 0o666) throws(FileError) {
    switch try WriteTarget(path) {
    case .file(let target): try replace(target, with: bytes, mode: mode, named: path)
    case .stream(let target): try add(bytes, to: open(target, O_WRONLY | O_NOCTTY | O_CLOEXEC), named: path)
    case .descriptor(let number): try add(bytes, to: fcntl(number, F_DUPFD_CLOEXEC, 0), named: path)
    }
}

private func add(_ bytes: [UInt8], to descriptor: Int32, named name: String) throws(FileError) {
    guard descriptor >= 0 else { throw FileError("write", name) }
    if let failure = writeAndClose(bytes, to: descriptor, named: name) { throw failure }
}

private func replace(_ target: String, with bytes: [UInt8], mode: Int, named name: String) throws(FileError) {
    let beside = "\(target).\(getpid()).new"
    var status = stat()
    let isThere = stat(target, &status) == 0
    let descriptor = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode_t(mode))
    guard descriptor >= 0 else { throw FileError("write", name) }
    var failure = writeAndClose(bytes, to: descriptor, mode: isThere ? status.st_mode & 0o7777 : nil, named: name)
    if failure == nil, rename(beside, target) != 0 { failure = FileError("write", name) }
    if let failure {
        unlink(beside)
        throw failure
    }
}

private func writeAndClose(
    _ bytes: [UInt8], to descriptor: Int32, mode: mode_t? = nil, named name: String
) -> FileError? {
    var failure: FileError?
    do throws(FileError) {
        try bytes.withUnsafeBufferPointer { (buffer) throws(FileError) in
            try writeAll(UnsafeRawBufferPointer(buffer), to: descriptor, named: name)
        }
    } catch {
        failure = error
    }
    if let mode { fchmod(descriptor, mode) }
    // Network file systems and full disks may only tell at close.
    if close(descriptor) != 0, failure == nil { failure = FileError("write", name) }
    return failure
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
