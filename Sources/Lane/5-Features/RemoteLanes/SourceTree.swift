import Archives
import Git
import OperatingSystem

/// The files of a source's directory `Lanes` at one commit.
enum SourceTree {
    /// The directory of a source that packages use. The rest of the repository is ignored.
    static let directory = "Lanes"

    /// The maximum size of all files together, in bytes.
    private static let limit = 16 << 20

    /// Returns the SHA-256 of all files, or `nil` if a file cannot be read or an entry is neither a file nor a
    /// directory.
    ///
    /// The following commands print the same digest in the repository: `find Lanes -type f | LC_ALL=C sort | xargs
    /// sha256sum | sha256sum`.
    static func digest(of root: String) -> String? {
        guard let paths = paths(below: root) else { return nil }
        var lines: [UInt8] = []
        for path in paths {
            guard let digest = try? SHA256.digest(ofFile: "\(root)/\(path)") else { return nil }
            lines += Array("\(digest)  \(directory)/\(path)\n".utf8)
        }
        return SHA256.digest(of: lines).description
    }

    /// Returns the paths of all files, relative to a directory and sorted by their bytes.
    static func paths(below root: String) -> [String]? {
        var found: [String] = []
        var open = [""]
        while let prefix = open.popLast() {
            guard let names = try? listDirectory(prefix.isEmpty ? root : "\(root)/\(prefix)") else { return nil }
            for name in names {
                let path = prefix.isEmpty ? name : "\(prefix)/\(name)"
                switch fileKind("\(root)/\(path)") {
                case .file: found.append(path)
                case .directory: open.append(path)
                default: return nil
                }
            }
        }
        return distinctPaths(found)
    }

    /// Writes the files of a commit below a new directory.
    static func write(_ commit: String, of git: Git, to root: String) throws(OperationFailure) {
        let files = try CommitFiles.list(directory, of: git, at: commit)
        guard !files.files.isEmpty else {
            throw OperationFailure("the repository has no directory '\(directory)' at \(commit.prefix(12))")
        }
        guard files.files.reduce(0, { $0 + $1.size }) <= limit else {
            throw OperationFailure("the directory '\(directory)' is larger than \(limit >> 20) MB")
        }
        for file in files.files { try check(file) }
        try files.forEachContent { (file, bytes) throws(OperationFailure) in
            let path = "\(root)/\(Substring(file.path.utf8.dropFirst(directory.utf8.count + 1)))"
            try convertingFileErrors { () throws(FileError) in
                try makeDirectories(parentDirectory(path))
                try writeFile(bytes, to: path, mode: file.kind == .executable ? 0o777 : 0o666)
            }
        }
    }

    /// Throws if a file is a link or could have an effect outside the directory.
    private static func check(_ file: CommitFile) throws(OperationFailure) {
        guard file.kind != .link else {
            throw OperationFailure("'\(file.path)' is a symbolic link; sources can only contain files")
        }
        // `sha256sum` escapes backslashes and line feeds, so the digest would differ.
        let hasControls = file.path.utf8.contains { $0 < 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "\\") }
        let escapes = file.path.pathComponents.contains { [".", "..", ".git"].contains($0.lowercased()) }
        guard !hasControls, !escapes else { throw OperationFailure("'\(file.path)' is not a valid path in a source") }
    }
}
