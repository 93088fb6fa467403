import Git
import OperatingSystem

/// A path that differs between two commits.
struct TreeChange: Equatable {
    let path: String
    /// The hashes of the blobs, or `nil` if the path does not exist.
    let old: String?
    let new: String?

    static func between(_ old: String, _ new: String, git: Git) throws(OperationFailure) -> [TreeChange] {
        let output = try git.run(["diff-tree", "-r", "-z", "--no-renames", old, new]).standardOutput
        let fields = output.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        return stride(from: 0, to: fields.count - 1, by: 2).compactMap { index in
            let words = fields[index].split(separator: " ").map(String.init)
            guard words.count >= 5 else { return nil }
            let ids = words[2...3].map { id in id.allSatisfy { $0 == "0" } ? nil : id }
            return TreeChange(path: fields[index + 1], old: ids[0], new: ids[1])
        }
    }

    /// Returns a Boolean value that indicates whether the file in the checkout can be replaced without loss. It can if
    /// it is missing, equal to one of the two versions, or a truncated copy of the new version.
    func isUntouched(in git: Git) throws(OperationFailure) -> Bool {
        let file = "\(git.directory)/\(path)"
        guard let kind = fileKind(file) else { return true }
        if kind == .link {
            guard let target = try? linkTarget(file) else { return false }
            for blob in [old, new].compactMap(\.self)
            where try git.run(["cat-file", "blob", blob]).standardOutput == target.pathBytes { return true }
            return false
        }
        guard kind == .file else { return false }
        let present = try git.text(["hash-object", "--", path])
        if present == old || present == new { return true }
        guard let new else { return false }
        let whole = try git.run(["cat-file", "--filters", "--path=\(path)", new]).standardOutput
        let part = try convertingFileErrors { () throws(FileError) in try readFile(file) }
        return whole.starts(with: part)
    }
}
