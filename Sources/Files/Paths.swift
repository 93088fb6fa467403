#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

// The system knows bytes: a slash with a combining mark behind it is one `Character` to Swift, but a slash to everybody
// else. So paths are taken apart by their bytes.

extension String {
    /// Whether a path begins at the root.
    package var isAbsolutePath: Bool { utf8.first == UInt8(ascii: "/") }

    /// What stands between the slashes of a path, without what is empty.
    package var pathComponents: [Substring] { utf8.split(separator: UInt8(ascii: "/")).map { Substring($0) } }
}

/// `path` behind `directory` when it is relative; nothing in it is worked out, so `..` leaves the folder that a link leads
/// to.
package func path(_ path: String, below directory: String) -> String {
    path.isAbsolutePath ? path : "\(directory)/\(path)"
}

/// `path` as seen from `directory` when it is relative; `.` and `..` and double slashes are worked out as text.
package func absolutePath(_ path: String, from directory: String) -> String {
    let whole = Files.path(path, below: directory)
    var parts: [Substring] = []
    for part in whole.pathComponents where part != "." {
        if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return "/" + parts.joined(separator: "/")
}

/// `path` without `directory` in front where it lies below it, else as it is.
package func relativePath(_ path: String, to directory: String) -> String {
    guard path.utf8.starts(with: "\(directory)/".utf8) else { return path == directory ? "." : path }
    return String(Substring(path.utf8.dropFirst(directory.utf8.count + 1)))
}

/// The real path with every link followed; `nil` when there is nothing.
package func resolvedPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
}

/// The last part of a path.
package func lastPathComponent(_ path: String) -> String {
    let slash = UInt8(ascii: "/")
    guard let end = path.utf8.lastIndex(where: { $0 != slash }) else { return path }
    let whole = path.utf8[...end]
    let start = whole.lastIndex(of: slash).map { whole.index(after: $0) } ?? whole.startIndex
    return String(Substring(whole[start...]))
}

/// All but the last part of a path; `.` for a bare name.
package func parentDirectory(_ path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
}
