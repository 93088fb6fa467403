#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// `path` as seen from `directory` when it is relative; `.` and `..` and double slashes are worked out as text.
package func absolutePath(_ path: String, from directory: String) -> String {
    let whole = path.hasPrefix("/") ? path : "\(directory)/\(path)"
    var parts: [Substring] = []
    for part in whole.split(separator: "/") where part != "." {
        if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return "/" + parts.joined(separator: "/")
}

/// `path` without `directory` in front where it lies below it, else as it is.
package func relativePath(_ path: String, to directory: String) -> String {
    guard path.hasPrefix(directory + "/") else { return path == directory ? "." : path }
    return String(path.dropFirst(directory.count + 1))
}

/// The real path with every link followed; `nil` when there is nothing.
package func resolvedPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
}

/// The last part of a path.
package func lastPathComponent(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
}

/// All but the last part of a path; `.` for a bare name.
package func parentDirectory(_ path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
}
