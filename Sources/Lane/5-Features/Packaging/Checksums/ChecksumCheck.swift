import Archives
package import OperatingSystem

/// Verifies the checksums of files.
package struct ChecksumCheck {
    private let root: String

    /// - Parameter root: The directory of the package, to which paths are relative.
    package init(root: String) {
        self.root = root
    }

    /// Returns the checksum files among `files` and beside them.
    package func sums(among files: [String]) -> [String] {
        let beside = files.map { $0 + ChecksumFile.suffix }.filter { fileExists("\(root)/\($0)") }
        return Set(files.filter(ChecksumFile.isChecksumFile) + beside).sorted()
    }

    /// Checks that every file has a checksum and every checksum a file. Throws all errors together.
    package func check(_ files: [String], against sums: [String]) throws(OperationFailure) {
        var problems: [String] = []
        var known: Set<String> = []
        for path in sums {
            let text: String
            do throws(FileError) {
                text = try readText("\(root)/\(path)")
            } catch {
                problems.append(error.isMissing ? "\(path): the file does not exist" : error.description)
                continue
            }
            guard let content = ChecksumFile(reading: text) else {
                problems.append("\(path): expected lines in the format of 'sha256sum'")
                continue
            }
            for entry in content.entries {
                let directory = parentDirectory(path)
                let file = directory == "." ? entry.name : "\(directory)/\(entry.name)"
                known.insert(file)
                if let problem = problem(with: file, entry) { problems.append(problem) }
            }
        }
        problems += files.filter { !known.contains($0) }.map { "\($0): has no checksum" }
        guard problems.isEmpty else { throw .refused(problems) }
    }

    private func problem(with file: String, _ entry: ChecksumFile.Entry) -> String? {
        guard fileExists("\(root)/\(file)") else { return "\(file): the file does not exist, only its checksum" }
        do throws(ArchiveError) {
            let found = try SHA256.digest(ofFile: "\(root)/\(file)").description
            return found == entry.sum ? nil : "\(file): expected the checksum \(entry.sum), found \(found)"
        } catch {
            return OperationFailure(error).message
        }
    }
}
