import Archives
import OperatingSystem
import Text

/// A check that files are those of their checksums.
struct ChecksumVerification {
    /// The checksum files that are used.
    private(set) var sums: [LocatedChecksumFile] = []
    /// The names of files with wrong contents. Later checks don't report them again.
    private(set) var damaged: Set<String> = []
    /// The names of the files in each checksum file.
    private(set) var listed: [String: Set<String>] = [:]
    private(set) var problems: [String] = []

    /// Reads the checksum files, and compares the files that they list.
    ///
    /// - Parameters:
    ///   - paths: The checksum files.
    ///   - only: The only file to compare, or `nil` for all. Checksum files that don't list it are ignored.
    init(_ paths: [String], only: String?, of files: inout ReceivedFiles) {
        for path in paths {
            guard let content = read(path, in: files, isRequired: only == nil) else { continue }
            let entries = content.entries.map { (name: Self.name($0.name, besides: path), sum: $0.sum) }
            if let only, !entries.contains(where: { $0.name == only }) { continue }
            sums.append(LocatedChecksumFile(path: path, content: content))
            listed[path] = Set(entries.map(\.name))
            for entry in entries where only == nil || entry.name == only {
                guard !damaged.contains(entry.name) else { continue }
                guard let problem = problem(with: entry.name, entry.sum, in: path, entries, &files) else { continue }
                damaged.insert(entry.name)
                problems.append(problem)
            }
        }
    }

    /// All files that have checksums.
    var covered: Set<String> { listed.values.reduce(into: []) { $0.formUnion($1) } }

    private mutating func read(_ path: String, in files: ReceivedFiles, isRequired: Bool) -> ChecksumFile? {
        do throws(FileError) {
            let content = ChecksumFile(
                reading: String(decoding: try readRegularFile(files.path(of: path)), as: UTF8.self))
            if let content, !content.entries.isEmpty { return content }
            if isRequired {
                problems.append("'\(path)' is no checksum file: expected lines in the format of 'sha256sum'")
            }
        } catch {
            if isRequired { problems.append(error.description) }
        }
        return nil
    }

    private func problem(
        with name: String, _ sum: String, in path: String, _ entries: [(name: String, sum: String)],
        _ files: inout ReceivedFiles
    ) -> String? {
        guard ArchivePath.isSafe(name) else { return "'\(path)' names '\(name)', which is outside its directory" }
        guard fileExists(files.path(of: name)) else { return "'\(name)' is missing, but '\(path)' lists it" }
        do throws(ArchiveError) {
            let found = try files.digest(of: name)
            if found == sum { return nil }
            if let other = entries.first(where: { $0.sum == found }) {
                return "'\(name)' has the contents of '\(other.name)'"
            }
            return "'\(name)' was changed: expected the SHA-256 \(sum), found \(found)"
        } catch {
            return error.description
        }
    }

    private static func name(_ name: String, besides path: String) -> String {
        let directory = parentDirectory(path)
        return directory == "." ? name : "\(directory)/\(name)"
    }
}
