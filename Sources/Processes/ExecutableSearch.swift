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
        if !name.isEmpty {
            for entry in path.split(separator: ":", omittingEmptySubsequences: false) {
                let candidate = entry.isEmpty ? "./\(name)" : "\(entry)/\(name)"
                if isExecutable(candidate) { return candidate }
            }
        }
        throw .executableNotFound(name, searched: path)
    }

    private func absolute(_ candidate: String) -> String {
        guard let directory, !candidate.hasPrefix("/") else { return candidate }
        return "\(directory)/\(candidate)"
    }

    private func exists(_ candidate: String) -> Bool {
        access(absolute(candidate), F_OK) == 0
    }

    private func isExecutable(_ candidate: String) -> Bool {
        let file = absolute(candidate)
        guard access(file, X_OK) == 0 else { return false }
        var status = stat()
        return stat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }
}
