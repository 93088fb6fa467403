#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The type of a directory entry.
package enum FileKind: Sendable, Equatable {
    case file, directory, link, other
}

/// Returns the type of the entry at `path` without following symbolic links, or `nil` if there is none.
package func fileKind(_ path: String) -> FileKind? {
    var status = stat()
    guard withSystemPath(path, { lstat($0, &status) }) == 0 else { return nil }
    return switch status.st_mode & S_IFMT {
    case S_IFREG: .file
    case S_IFDIR: .directory
    case S_IFLNK: .link
    default: .other
    }
}

/// Returns a Boolean value that indicates whether `path` exists, after following symbolic links.
package func fileExists(_ path: String) -> Bool {
    withSystemPath(path) { access($0, F_OK) } == 0
}

/// Returns a Boolean value that indicates whether `path` is a directory, after following symbolic links.
package func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return withSystemPath(path) { stat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFDIR
}

/// The device and inode of a directory, which are the same for every path to it.
package struct DirectoryIdentity: Hashable, Sendable {
    /// An identifier of a file system.
    package typealias Device = UInt64

    /// The file system of the directory.
    package let device: Device
    private let inode: UInt64

    /// Creates the identity of the directory at `path`, after following symbolic links; `nil` if there is none.
    package init?(_ path: String) {
        var status = stat()
        guard withSystemPath(path, { stat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFDIR else { return nil }
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(status.st_ino)
    }

    /// Returns the identities of a directory and of all its parents.
    package static func ancestors(of path: String) -> Set<DirectoryIdentity> {
        var found: Set<DirectoryIdentity> = []
        var next = resolvedPath(path) ?? path
        while let directory = DirectoryIdentity(next), found.insert(directory).inserted { next = parentDirectory(next) }
        return found
    }
}

/// Returns the names of the entries of a directory, sorted by their bytes, without `.` and `..`.
package func listDirectory(_ path: String) throws(FileError) -> [String] {
    try listEntries(path).map(\.name)
}

/// An entry of a directory, as `readdir` reports it.
package struct DirectoryEntry: Sendable, Comparable {
    /// The name, without the path of the directory.
    package let name: String
    /// A Boolean value that indicates whether the entry is a regular file; `false` for a symbolic link, and if the file
    /// system doesn't report types.
    package let isFile: Bool
    /// The first eight bytes of the name as a big-endian number, which decides most comparisons in a large directory.
    private let sortKey: UInt64

    fileprivate init(_ name: String, isFile: Bool) {
        self.name = name
        self.isFile = isFile
        sortKey = name.utf8.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } << UInt64(8 * max(0, 8 - name.utf8.count))
    }

    package static func < (one: DirectoryEntry, other: DirectoryEntry) -> Bool {
        one.sortKey == other.sortKey ? precedes(one.name, other.name) : one.sortKey < other.sortKey
    }
}

/// Returns the entries of a directory, sorted by the bytes of their names, without `.` and `..`.
package func listEntries(_ path: String) throws(FileError) -> [DirectoryEntry] {
    var entries: [DirectoryEntry] = []
    let isRead = withSystemPath(path) { path in
        forEachEntry(of: path) { name, isFile in
            let bytes = UnsafeRawBufferPointer(start: name, count: strlen(name))
            entries.append(DirectoryEntry(String(pathBytes: bytes), isFile: isFile))
        }
    }
    guard isRead else { throw FileError("read", path) }
    return entries.sorted()
}

/// Returns the number of entries of a directory without `.` and `..`, or 0 if it cannot be read.
package func countEntries(_ path: String) -> Int {
    var count = 0
    _ = withSystemPath(path) { forEachEntry(of: $0) { _, _ in count += 1 } }
    return count
}

/// Calls `body` with the name of each entry of a directory, in the system's order. Returns `false` and sets `errno` if
/// the directory cannot be opened.
func forEachEntry(
    of path: UnsafePointer<CChar>, _ body: (_ name: UnsafePointer<CChar>, _ isFile: Bool) -> Void
) -> Bool {
    guard let directory = opendir(path) else { return false }
    defer { closedir(directory) }
    while let entry = readdir(directory) {
        let isFile = Int(entry.pointee.d_type) == Int(DT_REG)
        withUnsafePointer(to: &entry.pointee.d_name) {
            $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { name in
                if strcmp(name, ".") != 0, strcmp(name, "..") != 0 { body(name, isFile) }
            }
        }
    }
    return true
}

/// Returns the paths sorted by their bytes, without duplicates. Keeps all of several paths that are canonically
/// equivalent in Unicode: they are equal as `String`, but different names to the system.
package func distinctPaths(_ paths: [String]) -> [String] {
    var distinct: [String] = []
    distinct.reserveCapacity(paths.count)
    for path in paths.sorted(by: precedes) {
        if let last = distinct.last, !precedes(last, path) { continue }
        distinct.append(path)
    }
    return distinct
}

/// Returns a Boolean value that indicates whether `one` precedes `other` in byte order. Uses `memcmp`, which is fast
/// for large directories.
private func precedes(_ one: String, _ other: String) -> Bool {
    var (one, other) = (one, other)
    return one.withUTF8 { one in
        other.withUTF8 { other in
            guard let first = one.baseAddress, let second = other.baseAddress else { return one.count < other.count }
            let order = memcmp(first, second, min(one.count, other.count))
            return order == 0 ? one.count < other.count : order < 0
        }
    }
}

/// Returns the target of a symbolic link as the link contains it, which may be relative.
package func linkTarget(_ path: String) throws(FileError) -> String {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = withSystemPath(path) { readlink($0, &bytes, bytes.count) }
    guard count >= 0 else { throw FileError("read", path) }
    return String(pathBytes: bytes[..<count].map(UInt8.init(bitPattern:)))
}

/// Creates a directory and its missing parents. Does nothing if the directory exists.
package func makeDirectories(_ path: String) throws(FileError) {
    if isDirectory(path) { return }
    var created = path.isAbsolutePath ? "" : "."
    for part in path.pathComponents {
        created += "/\(part)"
        guard mkdir(created, 0o777) != 0, errno != EEXIST else { continue }
        let failure = FileError("create", path)
        if !isDirectory(created) { throw failure }
    }
    guard isDirectory(path) else { throw FileError("create", path, code: ENOTDIR) }
}

/// Removes a file, or a directory with its contents, without following symbolic links. Does nothing if the file doesn't
/// exist.
package func removeTree(_ path: String) throws(FileError) {
    try removeTree(path.pathBytes.map(CChar.init(bitPattern:)) + [0])
}

/// Removes the tree at `path`, a null-terminated C string: not every file name is valid UTF-8.
private func removeTree(_ path: [CChar]) throws(FileError) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFDIR else {
        return try checkRemoved(path, unlink(path))
    }
    // The entries of a read-only directory could not be removed.
    chmod(path, 0o700)
    let slash = CChar(bitPattern: UInt8(ascii: "/"))
    var names: [[CChar]] = []
    let isRead = forEachEntry(of: path) { name, _ in
        names.append(Array(UnsafeBufferPointer(start: name, count: strlen(name) + 1)))
    }
    guard isRead else { throw FileError("remove", text(path)) }
    for name in names { try removeTree(path.dropLast() + [slash] + name) }
    try checkRemoved(path, rmdir(path))
}

private func checkRemoved(_ path: [CChar], _ result: Int32) throws(FileError) {
    let code = errno
    if result != 0, code != ENOENT { throw FileError("remove", text(path), code: code) }
}

private func text(_ path: [CChar]) -> String {
    String(decoding: path.dropLast().lazy.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

/// Moves a file or directory within a file system, replacing an existing file.
package func moveFile(_ path: String, to target: String) throws(FileError) {
    let result = withSystemPath(path) { path in withSystemPath(target) { rename(path, $0) } }
    if result != 0 { throw FileError("move", path) }
}

/// Creates a directory in `parent` with a unique name that starts with `prefix`, and returns its path.
package func makeTemporaryDirectory(in parent: String, prefix: String) throws(FileError) -> String {
    var template = Array("\(parent)/\(prefix).XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw FileError("create a directory in", parent) }
    return template.withUnsafeBufferPointer { buffer in
        String(decoding: buffer.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

/// Returns the size of a file in bytes, after following symbolic links.
package func fileSize(_ path: String) throws(FileError) -> Int {
    var status = stat()
    guard withSystemPath(path, { stat($0, &status) }) == 0 else { throw FileError("read", path) }
    return Int(status.st_size)
}
