import CLibrary

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

/// Returns the paths of the files below a directory, relative to the directory and sorted by their bytes.
///
/// Follows symbolic links to directories and lists each directory once. Skips directories that cannot be read.
///
/// - Parameter isIncluded: Returns a Boolean value that indicates whether the result contains files with a name.
package func files(below root: String, where isIncluded: (_ name: String) -> Bool) -> [String] {
    var found: [String] = []
    var directories = [""]
    var visited: Set<FileIdentity> = []
    while let directory = directories.popLast() {
        let location = directory.isEmpty ? root : "\(root)/\(directory)"
        guard let identity = FileIdentity(directory: location), visited.insert(identity).inserted else { continue }
        for name in (try? listDirectory(location)) ?? [] {
            let path = directory.isEmpty ? name : "\(directory)/\(name)"
            if isDirectory("\(root)/\(path)") {
                directories.append(path)
            } else if isIncluded(name) {
                found.append(path)
            }
        }
    }
    return distinctPaths(found)
}
