import CLibrary
import Synchronization

/// A file whose new contents are written in parts to a temporary file in the same directory. `commit()` replaces the
/// file with the temporary file.
///
/// An existing file keeps its mode. Symbolic links are followed, even to a file that doesn't exist yet. A device or a
/// pipe is written to and not replaced. Without `commit()`, an existing file is unchanged.
package final class FileReplacement: Sendable {
    private let name: String
    /// The file to replace and the temporary one, or `nil` for a device or a pipe.
    private let paths: (target: String, temporary: String)?
    private let mode: mode_t?
    /// The open descriptor; `nil` once it is closed.
    private let descriptor: Mutex<Int32?>

    /// Creates the temporary file. The directory of the path must exist.
    ///
    /// - Parameter mode: The mode of a new file, from which the umask is subtracted.
    package init(_ path: String, mode: Int = 0o666) throws(FileError) {
        name = path
        let opened: Int32
        switch try WriteTarget(path) {
        case .file(let target):
            self.mode = fileStatus(target).map { $0.st_mode & 0o7777 }
            let temporary = temporaryPath(beside: target)
            paths = (target, temporary)
            opened = withSystemPath(temporary) { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(mode)) }
        case .stream(let target):
            (paths, self.mode) = (nil, nil)
            opened = withSystemPath(target) { open($0, O_WRONLY | O_NOCTTY | O_CLOEXEC) }
        case .descriptor(let number):
            (paths, self.mode) = (nil, nil)
            opened = fcntl(number, F_DUPFD_CLOEXEC, 0)
        }
        descriptor = Mutex(opened < 0 ? nil : opened)
        guard opened >= 0 else { throw FileError("write", path) }
    }

    /// Appends all of `bytes`.
    package func append(_ bytes: [UInt8]) throws(FileError) {
        guard let descriptor = descriptor.withLock({ $0 }) else { return }
        try writeAll(bytes, to: descriptor, named: name)
    }

    /// Replaces the file at the path.
    package func commit() throws(FileError) {
        guard let descriptor = descriptor.withLock({ $0.take() }) else { return }
        if let mode { fchmod(descriptor, mode) }
        // A network file system or a full disk may report the error only at close.
        var isWritten = close(descriptor) == 0
        if isWritten, let paths {
            isWritten =
                withSystemPath(paths.temporary) { temporary in
                    withSystemPath(paths.target) { rename(temporary, $0) }
                } == 0
        }
        guard isWritten else {
            let failure = FileError("write", name)
            removeTemporary()
            throw failure
        }
    }

    private func removeTemporary() {
        if let paths { withSystemPath(paths.temporary) { _ = unlink($0) } }
    }

    deinit {
        guard let descriptor = descriptor.withLock({ $0.take() }) else { return }
        close(descriptor)
        removeTemporary()
    }
}

/// Returns the path for a temporary file in the directory of another file. Its name is short, because that of the other
/// file may have the maximum length.
package func temporaryPath(beside path: String) -> String {
    "\(parentDirectory(path))/.lane-\(String(UInt64.random(in: 0 ... .max), radix: 36)).new"
}

/// The destination of a write to a path.
enum WriteTarget {
    /// The path of a regular or missing file, after all links. A write replaces the file atomically.
    case file(String)
    /// The path of a device or a pipe. A write does not replace it.
    case stream(String)
    /// An open descriptor of this process, such as `/dev/stdout`. A write appends to it, because other code writes to
    /// it as well.
    case descriptor(Int32)

    /// The number of links that Linux follows before it fails with `ELOOP`.
    private static let maximumLinks = 40

    init(_ path: String) throws(FileError) {
        var target = path
        for _ in 0...Self.maximumLinks {
            guard let link = try? linkTarget(target) else {
                let isOther = fileStatus(target).map { $0.st_mode & S_IFMT != S_IFREG } ?? false
                self = isOther ? .stream(target) : .file(target)
                return
            }
            let directory = parentDirectory(target)
            if let number = Int32(lastPathComponent(target)), resolvedPath(directory) == "/proc/\(getpid())/fd" {
                self = .descriptor(number)
                return
            }
            target = link.isAbsolutePath ? link : "\(directory)/\(link)"
        }
        throw FileError("write", path, code: ELOOP)
    }
}

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

/// Writes all of `bytes` to an open descriptor.
func writeAll(_ bytes: [UInt8], to descriptor: Int32, named name: String) throws(FileError) {
    try bytes.withUnsafeBufferPointer { (buffer) throws(FileError) in
        try writeAll(UnsafeRawBufferPointer(buffer), to: descriptor, named: name)
    }
}

/// Appends `bytes` to a file. Creates the file if it doesn't exist.
package func appendToFile(_ bytes: [UInt8], _ path: String) throws(FileError) {
    try LogFile(path, O_CREAT).append(bytes)
}
