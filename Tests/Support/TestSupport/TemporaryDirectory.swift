package import CLibrary
import OperatingSystem

/// A private temporary directory, which is removed with this value.
package final class TemporaryDirectory: Sendable {
    /// The absolute path, without a trailing slash.
    package let path: String
    /// The lock of a directory that is kept.
    private let lock: Int32?

    /// Creates a directory whose directories `.build` are kept for the next run of the tests, under a name that no other
    /// test uses. All else is new.
    ///
    /// The times of its sources come from their content, so that unchanged ones are not compiled again. While another run
    /// of the tests uses it, the directory is a new one.
    package convenience init(keepingBuildsAs name: String) throws {
        let kept = "\(Self.parent)/lane-fixtures-\(getuid())/builds"
        for directory in [parentDirectory(kept), kept, "\(kept)/\(name)"] { mkdir(directory, 0o755) }
        let lock = open("\(kept)/\(name).lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        guard lock >= 0, flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            close(lock)
            try self.init()
            return
        }
        self.init(path: "\(kept)/\(name)", lock: lock)
        clear()
    }

    /// The absolute path of the directory of all temporary files, without a trailing slash.
    package static var parent: String {
        var path = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        while path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/") { path.removeLast() }
        return path
    }

    private init(path: String, lock: Int32?) {
        self.path = path
        self.lock = lock
    }

    package convenience init() throws {
        var template = Array("\(Self.parent)/lane-test.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw POSIXFailure("mkdtemp", errno) }
        let path = template.withUnsafeBufferPointer { buffer in
            buffer.withMemoryRebound(to: UInt8.self) { String(decoding: $0.dropLast(), as: UTF8.self) }
        }
        self.init(path: path, lock: nil)
    }

    deinit {
        if let lock { close(lock) } else { remove(path) }
    }

    /// Removes all but build directories.
    private func clear() {
        func clear(_ directory: String) {
            chmod(directory, 0o755)
            for name in (try? entries(of: directory)) ?? [] {
                let entry = "\(directory)/\(name)"
                var status = stat()
                guard name != ".build", lstat(entry, &status) == 0 else { continue }
                if name != ".git", status.st_mode & S_IFMT == S_IFDIR { clear(entry) } else { remove(entry) }
            }
            rmdir(directory)
        }
        clear(path)
        mkdir(path, 0o755)
    }

    /// Writes a file in the directory, and creates missing directories.
    @discardableResult
    package func write(_ text: String, to relativePath: String, mode: mode_t = 0o644) throws -> String {
        let target = "\(path)/\(relativePath)"
        var parent = path
        for part in relativePath.utf8.split(separator: UInt8(ascii: "/")).dropLast() {
            parent += "/\(Substring(part))"
            mkdir(parent, 0o755)
        }
        let descriptor = open(target, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw POSIXFailure("open \(target)", errno) }
        do {
            defer { close(descriptor) }
            let bytes = Array(text.utf8)
            var written = 0
            while written < bytes.count {
                let count = bytes[written...].withUnsafeBytes { Self.writeBytes(descriptor, $0) }
                guard count > 0 else { throw POSIXFailure("write \(target)", errno) }
                written += count
            }
        }
        if lock != nil {
            // Seconds of the years from 2001 on, by FNV-1a.
            let hash = text.utf8.reduce(0x811C_9DC5 as UInt32) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
            let time = timespec(tv_sec: 1_000_000_000 + Int(hash % 600_000_000), tv_nsec: 0)
            utimensat(AT_FDCWD, target, [time, time], 0)
        }
        if mode & 0o111 != 0 { try Self.waitUntilExecutable(target) }
        return target
    }

    /// Waits until no process has a file open for writing.
    ///
    /// A child that another test starts now has a copy of the descriptor until its program is loaded. Until then, the file
    /// cannot be run (ETXTBSY).
    private static func waitUntilExecutable(_ path: String) throws {
        #if os(Linux)
            let descriptor = open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw POSIXFailure("open \(path)", errno) }
            defer { close(descriptor) }
            // A read lease requires that no process writes the file. Not every file system supports leases.
            let (setLease, readLease): (Int32, Int32) = (1024, Int32(F_RDLCK))
            while fcntl(descriptor, setLease, readLease) < 0, errno == EAGAIN { usleep(1_000) }
        #endif
    }

    /// Returns the text of a file in the directory.
    package func read(_ relativePath: String) throws -> String {
        String(decoding: try contents(of: "\(path)/\(relativePath)"), as: UTF8.self)
    }

    private static func writeBytes(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        CLibrary.write(descriptor, bytes.baseAddress, bytes.count)
    }

    private func remove(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            unlink(path)
            return
        }
        chmod(path, 0o700)
        for name in (try? entries(of: path)) ?? [] { remove("\(path)/\(name)") }
        rmdir(path)
    }
}

/// The error of a failed system call.
package struct POSIXFailure: Error, CustomStringConvertible {
    package let description: String

    package init(_ call: String, _ code: Int32) {
        description = "\(call): \(String(cString: strerror(code)))"
    }
}

/// Returns the contents of the file at an absolute path.
package func contents(of path: String) throws -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw POSIXFailure("open \(path)", errno) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
        let count = read(descriptor, &buffer, buffer.count)
        guard count >= 0 else { throw POSIXFailure("read \(path)", errno) }
        if count == 0 { return bytes }
        bytes += buffer[..<count]
    }
}

/// Returns the sorted names in a directory, without `.` and `..`.
package func entries(of path: String) throws -> [String] {
    guard let directory = opendir(path) else { throw POSIXFailure("opendir \(path)", errno) }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
            $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
        }
        if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
}
