import CLibrary

/// A temporary directory that is removed even if its process is killed. The next process that uses the same prefix
/// removes it.
///
/// A lock on the directory marks it as in use, and the system releases the lock when the process ends. A process in
/// another container that shares the parent directory sees the lock, too.
package final class ScratchDirectory: Sendable {
    package let path: String
    private let descriptor: Int32

    /// Creates a directory in the `TMPDIR` of `environment`, or in `/tmp` if that is unset or empty. Removes unused
    /// directories with the same prefix, which no other program may use.
    package convenience init(for environment: [String: String], prefix: String) throws(FileError) {
        let parent = environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
        try self.init(in: parent, prefix: prefix)
    }

    /// Creates a directory in `parent`, and removes unused directories with the same prefix from `parent`.
    package init(in parent: String, prefix: String) throws(FileError) {
        // The directory has another name until it is locked, so no process finds it without its lock.
        let fresh = try makeTemporaryDirectory(in: parent, prefix: ".\(prefix)")
        let path = "\(parent)/\(lastPathComponent(fresh).dropFirst())"
        descriptor = Self.lock(fresh)
        self.path = rename(fresh, path) == 0 ? path : fresh
        Self.removeUnused(in: parent, prefix: "\(prefix).")
    }

    /// Removes the directory and its contents.
    package func remove() { try? removeTree(path) }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    private static func removeUnused(in parent: String, prefix: String) {
        // Directories of temporary files may have many other entries.
        var names: [String] = []
        _ = forEachEntry(of: parent) { name, _ in
            if strncmp(name, prefix, prefix.utf8.count) == 0 { names.append(String(cString: name)) }
        }
        for name in names {
            let descriptor = lock("\(parent)/\(name)")
            guard descriptor >= 0 else { continue }
            try? removeTree("\(parent)/\(name)")
            close(descriptor)
        }
    }

    /// Returns a descriptor that holds the directory's lock, or -1 if another process holds the lock or another user
    /// owns the directory.
    private static func lock(_ path: String) -> Int32 {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return -1 }
        var status = stat()
        if fstat(descriptor, &status) == 0, status.st_uid == getuid(), flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
            return descriptor
        }
        close(descriptor)
        return -1
    }
}
