import Text

/// A branch for patches of an older version: `1.2.x`, `release/1.2`, `v1`, `support-1.x`.
enum ReleaseLine {
    /// Returns a Boolean value that indicates whether the name of a branch contains the major number of a version, and
    /// no other minor number than that of the version.
    static func names(_ version: SemanticVersion, in branch: String) -> Bool {
        let words = branch.utf8.split { "/-_ ".utf8.contains($0) }.map { String(Substring($0)) }
        return words.contains { word in
            let text = word.lowercased().hasPrefix("v") ? Substring(word.dropFirst()) : Substring(word)
            let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            let required = [version.major.description, version.minor.description]
            guard parts.first.map(String.init) == required[0] else { return false }
            guard parts.count > 1, !["x", "*"].contains(parts[1].lowercased()) else {
                return parts.count > 1 || text != word
            }
            return parts[1] == required[1]
        }
    }
}
