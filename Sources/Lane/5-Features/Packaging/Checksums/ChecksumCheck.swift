import Archives
package import OperatingSystem

/// A check of checksum files before they are published.
package enum ChecksumCheck {
    /// Checks the checksum files among `files` and beside them. Throws all errors together.
    ///
    /// - Parameter root: The directory of the package, to which paths are relative.
    package static func check(_ files: [String], below root: String) throws(OperationFailure) {
        let beside = files.map { $0 + ChecksumFile.suffix }.filter { fileExists("\(root)/\($0)") }
        var problems: [String] = []
        for path in Set(files.filter(ChecksumFile.isChecksumFile) + beside).sorted() {
            let text = try convertingFileErrors { () throws(FileError) in try readText("\(root)/\(path)") }
            guard let content = ChecksumFile(reading: text) else {
                problems.append("\(path): expected lines in the format of 'sha256sum'")
                continue
            }
            for entry in content.entries {
                let directory = parentDirectory(path)
                let file = directory == "." ? entry.name : "\(directory)/\(entry.name)"
                if let problem = problem(with: file, entry, below: root) { problems.append(problem) }
            }
        }
        guard problems.isEmpty else { throw .refused(problems) }
    }

    private static func problem(with file: String, _ entry: ChecksumFile.Entry, below root: String) -> String? {
        guard fileExists("\(root)/\(file)") else { return "\(file): the file does not exist, only its checksum" }
        do throws(ArchiveError) {
            let found = try SHA256.digest(ofFile: "\(root)/\(file)").description
            return found == entry.sum ? nil : "\(file): expected the checksum \(entry.sum), found \(found)"
        } catch {
            return OperationFailure(error).message
        }
    }
}
