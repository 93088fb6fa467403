import Diagnostics
import Files
import LaneRun

/// The files that patterns of a lane file meet, below one folder.
struct ArtefactFiles {
    /// Relative paths, sorted, each once.
    let paths: [String]

    /// Throws when a pattern meets no file, for then something is missing that somebody counts on.
    static func find(_ patterns: [String], below root: String) throws(StepFailure) -> ArtefactFiles {
        var paths: Set<String> = []
        var unmet: [String] = []
        for pattern in patterns {
            let found = FilePattern(pattern).files(below: root).filter { isFile("\(root)/\($0)") }
            if found.isEmpty { unmet.append("no file fits '\(pattern)'") }
            paths.formUnion(found)
        }
        guard unmet.isEmpty else {
            throw StepFailure(status: ExitStatus.fileNotFound.rawValue, unmet.joined(separator: "\n"))
        }
        return ArtefactFiles(paths: paths.sorted())
    }

    private static func isFile(_ path: String) -> Bool { fileExists(path) && !isDirectory(path) }
}
