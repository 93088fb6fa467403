import Files
import LaneRun

/// The folder of a site, which is replaced as a whole.
struct DocSite {
    let path: String

    private var next: String { "\(parentDirectory(path))/.\(lastPathComponent(path)).new" }
    private var last: String { "\(parentDirectory(path))/.\(lastPathComponent(path)).old" }

    /// A folder with anything else in it is not ours to replace.
    func checkIsOurs(shown: String) throws(StepFailure) {
        guard let kind = fileKind(path) else { return }
        let names = kind == .directory ? (try? listDirectory(path)) ?? [] : ["?"]
        guard names.isEmpty || (names.contains("metadata.json") && names.contains("data")) else {
            throw .refused([
                "'\(shown)' is there, and no site that DocC has made\nhint: name another folder in 'output'"
            ])
        }
    }

    /// Where the new one is made; what a killed run has left there is removed.
    func begin() throws(StepFailure) -> String {
        try onFiles { () throws(FileError) in
            try makeDirectories(parentDirectory(path))
            try removeTree(next)
        }
        return next
    }

    /// Removes what did not become the site.
    func abandon() { try? removeTree(next) }

    func finish() throws(StepFailure) {
        try onFiles { () throws(FileError) in
            try removeTree(last)
            if fileKind(path) != nil { try moveFile(path, to: last) }
            try moveFile(next, to: path)
            try removeTree(last)
        }
    }
}
