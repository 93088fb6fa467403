import Diagnostics
import Files
import LaneRun

/// The files that patterns of a lane file meet, below one folder.
struct ArtefactFiles {
    /// Relative paths, sorted, each once.
    let paths: [String]

    /// A folder stands for its files only where it is named, not where a star meets it: `dist/*` are the files in
    /// `dist`. Throws when a pattern meets no file, for then something is missing that somebody counts on.
    static func find(_ patterns: [String], below root: String) throws(StepFailure) -> ArtefactFiles {
        var paths: Set<String> = []
        var unmet: [String] = []
        for pattern in patterns {
            let depth = FilePattern(pattern).isLiteral || pattern.contains("**") ? nil : depth(pattern)
            let found = FilePattern(pattern).files(below: root).filter { path in
                isFile("\(root)/\(path)") && depth.map { $0 == self.depth(path) } ?? true
            }
            if found.isEmpty { unmet.append("no file fits '\(pattern)'") }
            paths.formUnion(found)
        }
        guard unmet.isEmpty else {
            throw StepFailure(status: ExitStatus.fileNotFound.rawValue, unmet.joined(separator: "\n"))
        }
        return ArtefactFiles(paths: paths.sorted())
    }

    private static func depth(_ path: String) -> Int { path.pathComponents.count { $0 != "." } }

    private static func isFile(_ path: String) -> Bool { fileExists(path) && !isDirectory(path) }
}
