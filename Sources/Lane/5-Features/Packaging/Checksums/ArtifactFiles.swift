package import OperatingSystem
import Text

/// The files that match patterns of a lane file in a directory.
package struct ArtifactFiles {
    /// The relative paths, sorted and unique.
    package let paths: [String]

    /// Finds the files. A directory stands for its files only if a pattern names it literally. A wildcard matches files
    /// alone: `dist/*` matches the files in `dist`, but not those in `dist/docs`. Throws if a pattern matches no file.
    package static func find(_ patterns: [String], below root: String) throws(OperationFailure) -> ArtifactFiles {
        var paths: Set<String> = []
        var unmatched: [String] = []
        for pattern in patterns {
            let depth = FilePattern(pattern).isLiteral || pattern.contains("**") ? nil : depth(pattern)
            let found = FilePattern(pattern).existingFiles(below: root).filter { path in
                depth.map { $0 == self.depth(path) } ?? true
            }
            if found.isEmpty { unmatched.append("no files match '\(pattern)'") }
            paths.formUnion(found)
        }
        guard unmatched.isEmpty else {
            throw OperationFailure(status: ExitStatus.fileNotFound.rawValue, unmatched.joined(separator: "\n"))
        }
        return ArtifactFiles(paths: paths.sorted())
    }

    private static func depth(_ path: String) -> Int { path.pathComponents.count { $0 != "." } }
}
