import CLibrary

/// Creates a directory and its missing parents. Does nothing if the directory exists.
package func makeDirectories(_ path: String) throws(FileError) {
    if isDirectory(path) || withSystemPath(path, { mkdir($0, 0o777) }) == 0 { return }
    var created = path.isAbsolutePath ? "" : "."
    for part in path.pathComponents {
        created += "/\(part)"
        guard withSystemPath(created, { mkdir($0, 0o777) }) != 0, errno != EEXIST else { continue }
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
    guard lstat(path, &status) == 0 else { return try checkRemoved(path, -1) }
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
    guard result != 0 else { return }
    let failure = FileError("remove", text(path))
    if !failure.isMissing { throw failure }
}

private func text(_ path: [CChar]) -> String {
    String(decoding: path.dropLast().lazy.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

/// Removes a directory if it is empty. Another process may create a file in it at the same time.
package func removeEmptyDirectory(_ path: String) { withSystemPath(path) { _ = rmdir($0) } }

/// Moves a file or directory within a file system, replacing an existing file.
package func moveFile(_ path: String, to target: String) throws(FileError) {
    let result = withSystemPath(path) { path in withSystemPath(target) { rename(path, $0) } }
    if result != 0 { throw FileError("move", path) }
}

/// Creates a directory in `parent` with a unique name that starts with `prefix`, and returns its path.
package func makeTemporaryDirectory(in parent: String, prefix: String) throws(FileError) -> String {
    var template = Array("\(parent)/\(prefix).XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw FileError("create a temporary directory in", parent) }
    return template.withUnsafeBufferPointer { buffer in
        String(decoding: buffer.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
