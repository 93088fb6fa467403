import Archives
import OperatingSystem
import Text

/// A check that files are those of their checksums.
package struct ChecksumVerification {
    /// The checksum files that are used.
    private(set) var sums: [LocatedChecksumFile] = []
    /// The names of files with wrong contents. Later checks don't report them again.
    private(set) var damaged: Set<String> = []
    /// The names of the files in each checksum file.
    private(set) var listed: [String: Set<String>] = [:]
    private(set) var problems: [String] = []
    /// The files by their checksums, each with its checksum file, also in checksum files that are not used. All are in the
    /// directory.
    private(set) var names: [String: (name: String, path: String)] = [:]

    /// Reads the checksum files, and compares the files that they list.
    ///
    /// - Parameters:
    ///   - paths: The checksum files.
    ///   - only: The only file to compare, or `nil` for all. Checksum files that don't list it are ignored.
    init(_ paths: [String], only: String?, of files: inout ReceivedFiles) {
        let companions = only.map { ReleaseCompanions.names(of: $0) }
        var invalid: [String] = []
        for path in paths {
            let content: ChecksumFile
            switch read(path, in: files) {
            case .success(let file): content = file
            case .failure(let failure):
                if companions?.contains(path) ?? true { invalid.append(failure.text) }
                continue
            }
            let entries = content.entries.map { (name: sibling($0.name, of: path), sum: $0.sum) }
            for entry in entries where ArchivePath.isSafe(entry.name) {
                names[entry.sum] = names[entry.sum] ?? (entry.name, path)
            }
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
        // Another checksum file that lists the only file stands for those in another format or about other files.
        if only == nil || sums.isEmpty { problems = invalid + problems }
    }

    /// Returns the problems of the checksum files among `paths` and beside them.
    ///
    /// - Parameter root: The directory that the paths are relative to.
    package static func problems(of paths: [String], below root: String) -> [String] {
        let beside = paths.map { $0 + ChecksumFile.suffix }.filter { fileExists("\(root)/\($0)") }
        let sums = Set(paths.filter(ChecksumFile.isChecksumFile) + beside).sorted()
        var files = ReceivedFiles(sums, in: root)
        return ChecksumVerification(sums, only: nil, of: &files).problems
    }

    /// All files that have checksums.
    var covered: Set<String> { listed.values.reduce(into: []) { $0.formUnion($1) } }

    private struct InvalidFile: Error {
        let text: String
    }

    private func read(_ path: String, in files: ReceivedFiles) -> Result<ChecksumFile, InvalidFile> {
        do throws(FileError) {
            let text = String(decoding: try readFile(files.path(of: path)), as: UTF8.self)
            if let content = ChecksumFile(reading: text), !content.entries.isEmpty { return .success(content) }
            let found = ChecksumFile.invalidLine(in: text).map { number, line in
                ", found '\(TerminalText.truncated(TerminalText.onOneLine(line), to: 40))' in line \(number)"
            }
            return .failure(
                InvalidFile(
                    text: "'\(path)' is no checksum file: expected lines in the format of 'sha256sum'\(found ?? "")"))
        } catch {
            return .failure(InvalidFile(text: error.description))
        }
    }

    private func problem(
        with name: String, _ sum: String, in path: String, _ entries: [(name: String, sum: String)],
        _ files: inout ReceivedFiles
    ) -> String? {
        guard ArchivePath.isSafe(name) else { return "'\(path)' names '\(name)', which is outside its directory" }
        guard fileExists(files.path(of: name)) else { return "'\(name)' is missing, but '\(path)' lists it" }
        if entries.contains(where: { $0.name == name && $0.sum != sum }) {
            return "'\(path)' has different checksums of '\(name)'"
        }
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
}

/// The names of the files that may verify a file of a release.
package enum ReleaseCompanions {
    /// Returns the names of the checksum files, the bills of materials and the provenance beside a file.
    package static func names(of file: String) -> [String] {
        var names = [file + ChecksumFile.suffix, ChecksumFile.commonName]
        let ends = [".artifactbundle.zip", ".tar.gz", ".tgz", ".zip", DebianPackage.suffix, ContainerImage.suffix]
        for end in ends where file.hasSuffix(end) {
            let base = file.dropLast(end.utf8.count)
            names += ([ChecksumFile.suffix, ProvenanceStatement.suffix] + ListedContents.suffixes).map { base + $0 }
            break
        }
        return names
    }

    /// Returns the names in a checksum file that are plain file names.
    package static func names(listedIn path: String) -> [String] {
        let text = (try? readText(path)) ?? ""
        return (ChecksumFile(reading: text)?.entries ?? []).map(\.name).filter(isFileName)
    }

    /// Returns the names of possible signatures of the checksum files in a directory.
    package static func signatures(in directory: String) -> [String] {
        ((try? listDirectory(directory)) ?? []).filter(ChecksumFile.isChecksumFile).flatMap { name in
            ChecksumSignature.allCases.map { name + $0.suffix }
        }
    }

    /// Returns a Boolean value that indicates whether a name is that of a visible file in a directory.
    package static func isFileName(_ name: String) -> Bool {
        ArchivePath.isSafe(name) && name.pathComponents.count == 1 && !name.hasPrefix(".")
    }
}
