#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A search for an executable by the rules of a shell, in the environment of the child.
package struct ExecutableSearch: Sendable {
    /// The default `PATH` of the system.
    private static let defaultPath = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"

    private let path: String
    private let directory: String?

    /// Creates a search. Relative entries of `PATH` are relative to `directory`, or to the current directory if it is
    /// `nil`.
    package init(environment: [String: String], directory: String? = nil) {
        path = environment["PATH"] ?? Self.defaultPath
        self.directory = directory
    }

    /// Returns the path of an executable for `execve`. Returns a name with a slash unchanged; it is relative to the
    /// child's directory.
    package func locate(_ name: String) throws(SpawnError) -> String {
        if name.utf8.contains(UInt8(ascii: "/")) {
            guard exists(name) else { throw .executableNotFound(name) }
            return name
        }
        // Paths are built from bytes, because the search runs for every child and strings are slower.
        var path = path
        let found = name.isEmpty ? nil : path.withUTF8 { firstExecutable(named: name, in: $0) }
        guard let found else { throw .executableNotFound(name) }
        return found
    }

    private func firstExecutable(named name: String, in path: UnsafeBufferPointer<UInt8>) -> String? {
        let ending = Array("/\(name)\0".utf8)
        var candidate: [UInt8] = []
        var start = 0
        while start <= path.count {
            let rest = UnsafeBufferPointer(rebasing: path[start...])
            let entry = UnsafeBufferPointer(rebasing: rest[..<(rest.firstIndex(of: UInt8(ascii: ":")) ?? rest.count)])
            candidate.removeAll(keepingCapacity: true)
            let prefix = entry.first == UInt8(ascii: "/") ? 0 : appendDirectory(to: &candidate)
            if entry.isEmpty { candidate.append(UInt8(ascii: ".")) } else { candidate += entry }
            candidate += ending
            if isExecutable(candidate) { return String(decoding: candidate[prefix...].dropLast(), as: UTF8.self) }
            start += entry.count + 1
        }
        return nil
    }

    private func exists(_ name: String) -> Bool {
        var path: [UInt8] = []
        if !name.hasPrefix("/") { appendDirectory(to: &path) }
        path += Array("\(name)\0".utf8)
        return access(path, F_OK) == 0
    }

    /// Appends the child's directory for a relative path. Returns the number of appended bytes.
    @discardableResult
    private func appendDirectory(to path: inout [UInt8]) -> Int {
        guard let directory else { return 0 }
        path += "\(directory)/".pathBytes
        return path.count
    }

    /// Returns a Boolean value that indicates whether a path, terminated with NUL, is an executable file.
    private func isExecutable(_ path: [UInt8]) -> Bool {
        guard access(path, X_OK) == 0 else { return false }
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }
}
