#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Finds the file behind a command's name as a shell would, but in the environment that the child will have.
package struct ExecutableSearch: Sendable {
    /// What the system searches where no `PATH` is set.
    private static let defaultPath = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"

    private let path: String
    private let directory: String?

    /// Relative entries of `PATH` count from `directory`, or from where `lane` stands.
    package init(environment: [String: String], directory: String? = nil) {
        path = environment["PATH"] ?? Self.defaultPath
        self.directory = directory
    }

    /// The path to hand to the kernel. A name with a slash is taken as it stands, relative to the child's directory.
    package func locate(_ name: String) throws(SpawnError) -> String {
        if name.utf8.contains(UInt8(ascii: "/")) {
            guard exists(name) else { throw .executableNotFound(name, searched: directory ?? ".") }
            return name
        }
        // Every child is looked for, so bytes are put together in one place instead of texts in many.
        var candidate: [UInt8] = []
        var rest = name.isEmpty ? nil : path.utf8[...]
        while let entries = rest {
            let colon = entries.firstIndex(of: UInt8(ascii: ":"))
            rest = colon.map { entries[entries.index(after: $0)...] }
            let entry = entries[..<(colon ?? entries.endIndex)]
            candidate.removeAll(keepingCapacity: true)
            if entry.isEmpty { candidate.append(UInt8(ascii: ".")) } else { candidate += entry }
            candidate.append(UInt8(ascii: "/"))
            candidate += name.utf8
            if isExecutable(candidate) { return String(decoding: candidate, as: UTF8.self) }
        }
        throw .executableNotFound(name, searched: path)
    }

    private func exists(_ name: String) -> Bool {
        withPath(Array(name.utf8)) { access($0, F_OK) == 0 }
    }

    private func isExecutable(_ candidate: [UInt8]) -> Bool {
        withPath(candidate) { file in
            guard access(file, X_OK) == 0 else { return false }
            var status = stat()
            return stat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        }
    }

    /// The candidate as the system takes it, counted from the child's directory.
    private func withPath(_ candidate: [UInt8], _ body: (UnsafePointer<CChar>) -> Bool) -> Bool {
        var bytes: [UInt8] = []
        if let directory, candidate.first != UInt8(ascii: "/") { bytes = Array("\(directory)/".utf8) }
        bytes += candidate
        bytes.append(0)
        return bytes.withUnsafeBytes { buffer in
            buffer.baseAddress.map { body($0.assumingMemoryBound(to: CChar.self)) } ?? false
        }
    }
}
