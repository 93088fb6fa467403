import Archives
import OperatingSystem
import Text

/// A check that a second build of a package in another directory has the same bytes.
struct ReproducibilityCheck {
    /// Returns the paths of files that differ.
    static func differences(
        between one: ArchiveContents, and other: ArchiveContents
    ) throws(ArchiveError) -> [String] {
        let (left, right) = (try digests(one), try digests(other))
        return Set(left.keys).union(right.keys).filter { left[$0] != right[$0] }.sorted()
    }

    static func failure(_ differences: [String]) -> OperationFailure {
        OperationFailure(
            "the package is not reproducible: \(count(differences.count, "file")) of a second build "
                + "\(differences.count == 1 ? "differs" : "differ"): \(differences.prefix(10).joined(separator: ", "))")
    }

    private static func digests(_ contents: ArchiveContents) throws(ArchiveError) -> [String: String] {
        var digests: [String: String] = [:]
        for entry in contents.entries {
            switch entry.content {
            case .directory: digests[entry.path] = "directory"
            case .link(let target): digests[entry.path] = "link to \(target)"
            case .bytes(let bytes, _): digests[entry.path] = SHA256.digest(of: bytes).description
            case .file(let path, _): digests[entry.path] = try SHA256.digest(ofFile: path).description
            }
        }
        return digests
    }
}
