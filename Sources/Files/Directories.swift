#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// What a path leads to.
package enum FileKind: Sendable, Equatable {
    case file, directory, link, other
}

/// What stands at `path` itself, without following a link; `nil` when there is nothing.
package func fileKind(_ path: String) -> FileKind? {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    return switch status.st_mode & S_IFMT {
    case S_IFREG: .file
    case S_IFDIR: .directory
    case S_IFLNK: .link
    default: .other
    }
}

/// Whether `path`, links followed, is a file or folder that is there.
package func fileExists(_ path: String) -> Bool {
    access(path, F_OK) == 0
}

/// Whether `path`, links followed, is a folder.
package func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
}

/// The names in a folder, sorted by bytes, without `.` and `..`.
package func listDirectory(_ path: String) throws(FileError) -> [String] {
    try listEntries(path).map(\.name)
}

/// What a folder's list says of one thing in it.
package struct FolderEntry: Sendable, Comparable {
    /// Without the folder.
    package let name: String
    /// A file, and no link to one; false also where the file system does not say.
    package let isFile: Bool
    /// The first bytes of the name as a number, which tells nearly all names of a large folder apart.
    private let beginning: UInt64

    fileprivate init(_ name: String, isFile: Bool) {
        self.name = name
        self.isFile = isFile
        beginning = name.utf8.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } << UInt64(8 * max(0, 8 - name.utf8.count))
    }

    package static func < (one: FolderEntry, other: FolderEntry) -> Bool {
        one.beginning == other.beginning ? precedes(one.name, other.name) : one.beginning < other.beginning
    }
}

/// What is in a folder, sorted by the bytes of the names, without `.` and `..`.
package func listEntries(_ path: String) throws(FileError) -> [FolderEntry] {
    var entries: [FolderEntry] = []
    let isRead = readFolder(path) { name, isFile in
        entries.append(FolderEntry(String(cString: name), isFile: isFile))
    }
    guard isRead else { throw FileError("read", path) }
    return entries.sorted()
}

/// Hands on the names in a folder as the system has them; false, with `errno`, for one that cannot be opened.
private func readFolder(
    _ path: UnsafePointer<CChar>, _ take: (_ name: UnsafePointer<CChar>, _ isFile: Bool) -> Void
) -> Bool {
    guard let directory = opendir(path) else { return false }
    defer { closedir(directory) }
    while let entry = readdir(directory) {
        let isFile = Int(entry.pointee.d_type) == Int(DT_REG)
        withUnsafePointer(to: &entry.pointee.d_name) {
            $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { name in
                if strcmp(name, ".") != 0, strcmp(name, "..") != 0 { take(name, isFile) }
            }
        }
    }
    return true
}

/// The paths sorted by their bytes, each once: two spellings of one letter are one text to `String`, but two names to the
/// system.
package func distinctPaths(_ paths: [String]) -> [String] {
    var distinct: [String] = []
    distinct.reserveCapacity(paths.count)
    for path in paths.sorted(by: precedes) {
        if let last = distinct.last, !precedes(last, path) { continue }
        distinct.append(path)
    }
    return distinct
}

/// Whether a name comes first by its bytes; whole blocks at a time, as folders may be large.
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

/// What a symbolic link says, as it stands.
package func linkTarget(_ path: String) throws(FileError) -> String {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &bytes, bytes.count)
    guard count >= 0 else { throw FileError("read", path) }
    return String(decoding: bytes[..<count].lazy.map(UInt8.init(bitPattern:)), as: UTF8.self)
}

/// Makes a folder and those above it; one that is there is fine.
package func makeDirectories(_ path: String) throws(FileError) {
    if isDirectory(path) { return }
    var made = path.isAbsolutePath ? "" : "."
    for part in path.pathComponents {
        made += "/\(part)"
        guard mkdir(made, 0o777) != 0, errno != EEXIST else { continue }
        let failure = FileError("make", path)
        if !isDirectory(made) { throw failure }
    }
    guard isDirectory(path) else { throw FileError("make", path, code: ENOTDIR) }
}

/// Removes a file or a whole folder, never following links; one that is not there is fine.
package func removeTree(_ path: String) throws(FileError) {
    try removeTree(Array(path.utf8CString))
}

/// Here a path is bytes with a NUL at the end: not every name is UTF-8.
private func removeTree(_ path: [CChar]) throws(FileError) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFDIR else {
        return try expectGone(path, unlink(path))
    }
    // A folder that its owner made read-only would keep its entries.
    chmod(path, 0o700)
    let slash = CChar(bitPattern: UInt8(ascii: "/"))
    var names: [[CChar]] = []
    let isRead = readFolder(path) { name, _ in
        names.append(Array(UnsafeBufferPointer(start: name, count: strlen(name) + 1)))
    }
    guard isRead else { throw FileError("remove", text(path)) }
    for name in names { try removeTree(path.dropLast() + [slash] + name) }
    try expectGone(path, rmdir(path))
}

private func expectGone(_ path: [CChar], _ result: Int32) throws(FileError) {
    let code = errno
    if result != 0, code != ENOENT { throw FileError("remove", text(path), code: code) }
}

private func text(_ path: [CChar]) -> String {
    String(decoding: path.dropLast().lazy.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

/// Moves a file or folder within one file system, over a file that is there.
package func moveFile(_ path: String, to target: String) throws(FileError) {
    if rename(path, target) != 0 { throw FileError("move", path) }
}

/// A new folder of one's own where an environment wants such folders: below `TMPDIR`, or `/tmp` where that says nothing.
package func makeTemporaryDirectory(
    for environment: [String: String], prefix: String
) throws(FileError) -> String {
    let parent = environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    return try makeTemporaryDirectory(in: parent, prefix: prefix)
}

/// A new folder of one's own below `parent`, named after `prefix`.
package func makeTemporaryDirectory(in parent: String, prefix: String) throws(FileError) -> String {
    var template = Array("\(parent)/\(prefix).XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw FileError("make a folder in", parent) }
    return template.withUnsafeBufferPointer { buffer in
        String(decoding: buffer.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

/// The size in bytes of a file, links followed.
package func fileSize(_ path: String) throws(FileError) -> Int {
    var status = stat()
    guard stat(path, &status) == 0 else { throw FileError("read", path) }
    return Int(status.st_size)
}
