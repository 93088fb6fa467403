import OperatingSystem

/// The directory of a website. It is replaced as a whole.
struct DocSite {
    let path: String

    private var next: String { "\(parentDirectory(path))/.\(lastPathComponent(path)).new" }
    private var last: String { "\(parentDirectory(path))/.\(lastPathComponent(path)).old" }

    /// Throws an error if the directory contains anything other than a website of DocC.
    func checkIsOurs(shown: String) throws(OperationFailure) {
        guard let kind = fileKind(path) else { return }
        let names = kind == .directory ? (try? listDirectory(path)) ?? [] : ["?"]
        guard names.isEmpty || (names.contains("metadata.json") && names.contains("data")) else {
            throw .refused([
                "'\(shown)' exists and is not a website of DocC\nhint: set 'output' to another directory"
            ])
        }
    }

    /// Removes the files of a killed run, and returns the directory for the new website.
    func begin() throws(OperationFailure) -> String {
        try convertingFileErrors { () throws(FileError) in
            try makeDirectories(parentDirectory(path))
            try removeTree(next)
        }
        return next
    }

    /// Removes the unfinished website.
    func abandon() { try? removeTree(next) }

    func finish() throws(OperationFailure) {
        try convertingFileErrors { () throws(FileError) in
            try removeTree(last)
            if fileKind(path) != nil { try moveFile(path, to: last) }
            try moveFile(next, to: path)
            try removeTree(last)
        }
    }
}
