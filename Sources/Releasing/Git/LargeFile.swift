import Text
import Archives
import Files
import LaneRun

/// A file whose content is in Git LFS, identified by its SHA-256 hash.
enum LargeFile {
    /// Returns the hash in a pointer, or `nil` for other content.
    static func digest(inPointer bytes: [UInt8]) -> String? {
        guard bytes.count < 1024, bytes.starts(with: "version https://git-lfs.github.com/spec/v1".utf8) else {
            return nil
        }
        let mark = "oid sha256:"
        let line = String(decoding: bytes, as: UTF8.self).lines.first { $0.hasPrefix(mark) }
        return line.map { String($0.dropFirst(mark.utf8.count)) }.flatMap { $0.utf8.count == 64 ? $0 : nil }
    }

    /// Returns the content with a hash, or `nil` if it was not fetched or is damaged.
    static func content(_ digest: String, of git: Git) throws(StepFailure) -> [UInt8]? {
        let folder = try git.text(["rev-parse", "--path-format=absolute", "--git-common-dir"])
        let path = "\(folder)/lfs/objects/\(digest.prefix(2))/\(digest.dropFirst(2).prefix(2))/\(digest)"
        guard let bytes = try? readFile(path), SHA256.digest(of: bytes).description == digest else { return nil }
        return bytes
    }

    static func refusal(of paths: [String]) -> StepFailure {
        .refused(
            paths.map { "'\($0)' is a Git LFS pointer whose content was not fetched\nhint: git lfs pull" })
    }
}
