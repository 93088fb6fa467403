import Diagnostics
import Files
import LaneRun
import Processes

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The files that git knows, in a folder that has the package's name: what is packed is built from exactly what is
/// shipped, and neither a stray file nor the name of the checkout gets into it.
///
/// The copy stays for the next time; only what differs is written again, so that a second build finds little to do.
struct SourceCopy: Sendable {
    /// The copy's folder.
    let path: String
    /// Relative paths of all its files, sorted.
    let files: [String]

    static func make(
        of directory: String, named name: String, in folder: String, git: Git
    ) throws(StepFailure) -> SourceCopy {
        let listed = try git.run(["ls-files", "-z", "--cached", "--recurse-submodules", "--", "."]).standardOutput
        let listedFiles = try listed.split(separator: 0).map { bytes throws(StepFailure) in try text(of: bytes) }
        let files = listedFiles.filter { fileKind("\(directory)/\($0)") != nil }.sorted()
        if files.count < listedFiles.count { try refuseSparseCheckout(git) }
        let copy = SourceCopy(path: "\(folder)/\(name)", files: files)
        try onFiles { () throws(FileError) in
            try copy.forgetOtherPlaces(notedIn: "\(folder)/.place")
            try copy.bringUpToDate(from: directory)
        }
        return copy
    }

    /// What a person has removed is told elsewhere; but what git itself has left out is not there without a word.
    private static func refuseSparseCheckout(_ git: Git) throws(StepFailure) {
        let listed = try git.run(["ls-files", "-z", "-t", "--cached", "--", "."]).standardOutput
        let left = listed.split(separator: 0).filter { $0.starts(with: "S ".utf8) }
        guard let first = left.first else { return }
        let name = String(decoding: first.dropFirst(2), as: UTF8.self)
        throw .refused([
            "\(count(left.count, "file")) of the commit \(left.count == 1 ? "is" : "are") not in this sparse checkout, "
                + "as '\(name)'\nhint: git sparse-checkout disable"
        ])
    }

    private static func text(of bytes: some Collection<UInt8>) throws(StepFailure) -> String {
        if let name = String(validating: bytes, as: UTF8.self) { return name }
        let repaired = String(decoding: bytes, as: UTF8.self)
        throw .refused(["the name of '\(repaired)' is not UTF-8, so it cannot be packed\nhint: git mv"])
    }

    /// What compilers make holds absolute paths, so where the folder was moved or copied they would stumble over it.
    private func forgetOtherPlaces(notedIn note: String) throws(FileError) {
        guard (try? readText(note)) != path else { return }
        try removeTree("\(path)/.build")
        try makeDirectories(parentDirectory(note))
        try writeFile(path, to: note)
    }

    private func bringUpToDate(from directory: String) throws(FileError) {
        try makeDirectories(path)
        if try removeStrangers() {
            // Objects of sources that are gone would still be found in the build folders.
            try removeTree("\(path)/.build")
        }
        for file in files {
            let (source, target) = ("\(directory)/\(file)", "\(path)/\(file)")
            try makeDirectories(parentDirectory(target))
            if fileKind(source) == .link {
                try copyLink(source, to: target)
                continue
            }
            let isExecutable = access(source, X_OK) == 0
            let bytes = try readFile(source)
            if fileKind(target) == .file, try readFile(target) == bytes, (access(target, X_OK) == 0) == isExecutable {
                continue
            }
            try removeTree(target)
            try writeFile(bytes, to: target, mode: isExecutable ? 0o755 : 0o644)
        }
    }

    private func copyLink(_ source: String, to target: String) throws(FileError) {
        let place = try linkTarget(source)
        try removeTree(target)
        guard symlink(place, target) == 0 else { throw FileError("write", target) }
    }

    /// Removes what is not one of the files; whether there was anything.
    private func removeStrangers() throws(FileError) -> Bool {
        let known = Set(files)
        var folders: Set<String> = []
        for file in files {
            var folder = parentDirectory(file)
            while folder != ".", folders.insert(folder).inserted { folder = parentDirectory(folder) }
        }
        var removed = false
        func clean(_ prefix: String) throws(FileError) {
            for name in try listDirectory(prefix.isEmpty ? path : "\(path)/\(prefix)") {
                let entry = prefix.isEmpty ? name : "\(prefix)/\(name)"
                if entry == ".build" || known.contains(entry) { continue }
                if folders.contains(entry), fileKind("\(path)/\(entry)") == .directory {
                    try clean(entry)
                } else {
                    try removeTree("\(path)/\(entry)")
                    removed = true
                }
            }
        }
        try clean("")
        return removed
    }
}
