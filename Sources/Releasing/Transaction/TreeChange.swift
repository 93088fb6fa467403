import Files
import LaneRun
import Processes

/// One path in which two commits differ.
struct TreeChange: Equatable {
    let path: String
    /// The blobs; `nil` where the path is not there.
    let old: String?
    let new: String?

    static func between(_ old: String, _ new: String, git: Git) throws(StepFailure) -> [TreeChange] {
        let output = try git.run(["diff-tree", "-r", "-z", "--no-renames", old, new]).standardOutput
        let fields = output.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        return stride(from: 0, to: fields.count - 1, by: 2).compactMap { index in
            let words = fields[index].split(separator: " ").map(String.init)
            guard words.count >= 5 else { return nil }
            let ids = words[2...3].map { id in id.allSatisfy { $0 == "0" } ? nil : id }
            return TreeChange(path: fields[index + 1], old: ids[0], new: ids[1])
        }
    }

    /// Whether the file in the checkout is as one of the two commits has it, is missing, or was cut short while the new
    /// one was being written: nothing of the user's is lost when it is replaced.
    func isUntouched(in git: Git) throws(StepFailure) -> Bool {
        let file = "\(git.directory)/\(path)"
        guard let kind = fileKind(file) else { return true }
        guard kind == .file else { return kind == .link }
        let present = try git.text(["hash-object", "--", path])
        if present == old || present == new { return true }
        guard let new else { return false }
        let whole = try git.run(["cat-file", "--filters", "--path=\(path)", new]).standardOutput
        let part = try onFiles { () throws(FileError) in try readFile(file) }
        return whole.starts(with: part)
    }
}
