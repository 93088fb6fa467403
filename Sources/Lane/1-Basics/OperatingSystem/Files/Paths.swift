import CLibrary
import Text

// Paths are split by their bytes, as the system does: Swift combines a slash and a combining mark into one `Character`.

extension String {
    /// A Boolean value that indicates whether the path starts at the root directory.
    package var isAbsolutePath: Bool { utf8.first == UInt8(ascii: "/") }

    /// The components of the path, without empty ones.
    package var pathComponents: [Substring] { utf8.split(separator: UInt8(ascii: "/")).map { Substring($0) } }
}

/// Returns `path` if it is absolute; otherwise, `directory` and `path` joined by a slash. Doesn't resolve `..`, which refers
/// to the parent of the target after a symbolic link.
package func path(_ path: String, relativeTo directory: String) -> String {
    path.isAbsolutePath ? path : "\(directory)/\(path)"
}

/// Returns the absolute path of `path`, which is relative to `directory` unless it is absolute. Removes `.`, `..` and
/// double slashes without access to the file system.
package func absolutePath(_ path: String, from directory: String) -> String {
    let joined = OperatingSystem.path(path, relativeTo: directory)
    var components: [Substring] = []
    for component in joined.pathComponents where component != "." {
        if component == ".." { _ = components.popLast() } else { components.append(component) }
    }
    return "/" + components.joined(separator: "/")
}

/// Returns the relative path of a `path` below `directory`, `.` for `directory` itself, and any other path unchanged.
package func relativePath(_ path: String, to directory: String) -> String {
    guard path.utf8.starts(with: "\(directory)/".utf8) else { return path == directory ? "." : path }
    return String(Substring(path.utf8.dropFirst(directory.utf8.count + 1)))
}

/// Returns the absolute path with every symbolic link resolved, or `nil` if `path` doesn't exist.
package func resolvedPath(_ path: String) -> String? {
    guard let resolved = withSystemPath(path, { realpath($0, nil) }) else { return nil }
    defer { free(resolved) }
    return String(pathBytes: UnsafeRawBufferPointer(start: resolved, count: strlen(resolved)))
}

/// Returns the last component of a path, without trailing slashes.
package func lastPathComponent(_ path: String) -> String {
    let slash = UInt8(ascii: "/")
    guard let end = path.utf8.lastIndex(where: { $0 != slash }) else { return path }
    let trimmed = path.utf8[...end]
    let start = trimmed.lastIndex(of: slash).map { trimmed.index(after: $0) } ?? trimmed.startIndex
    return String(Substring(trimmed[start...]))
}

/// Returns the path without its last component, or `.` if it has only one.
package func parentDirectory(_ path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
}

// A file name is a sequence of bytes that need not be valid UTF-8.

extension String {
    /// Creates the text of a path or name that the system returned. Invalid bytes are escaped.
    package init(pathBytes bytes: some Collection<UInt8>) {
        // Each invalid sequence becomes U+FFFD, so the bytes of the text differ. This is faster than `String(validating:as:)`,
        // which is not specialized.
        let text = String(decoding: bytes, as: UTF8.self)
        self = text.utf8.elementsEqual(bytes) && !text.hasEscapedBytes ? text : EscapedUTF8.decode(bytes)
    }

    /// The bytes of the path, as system calls take them.
    package var pathBytes: [UInt8] { hasEscapedBytes ? EscapedUTF8.encode(self) : Array(utf8) }

    /// The path for messages, with U+FFFD in place of each invalid byte.
    package var readablePath: String { hasEscapedBytes ? String(decoding: pathBytes, as: UTF8.self) : self }

    /// A Boolean value that indicates whether one of U+EF80 to U+EFFF is among the characters.
    var hasEscapedBytes: Bool {
        var text = self
        return text.withUTF8 { bytes in
            guard let start = bytes.baseAddress, memchr(start, 0xEE, bytes.count) != nil else { return false }
            return zip(bytes, bytes.dropFirst()).contains { $0 == 0xEE && ($1 == 0xBE || $1 == 0xBF) }
        }
    }
}

/// Calls `body` with the bytes of a path as a C string.
package func withSystemPath<Result>(_ path: String, _ body: (UnsafePointer<CChar>) -> Result) -> Result {
    guard path.hasEscapedBytes else { return path.withCString(body) }
    return (path.pathBytes.map(CChar.init(bitPattern:)) + [0]).withUnsafeBufferPointer { bytes in
        bytes.baseAddress.map(body) ?? path.withCString(body)
    }
}
