import Git
import OperatingSystem
import Text

/// The lines that still contain the previous version after a bump.
struct OldMentions {
    /// The line numbers by file, in the order of the files.
    let files: [(path: String, lines: [Int])]

    var isEmpty: Bool { files.isEmpty }

    /// Searches the files in git. Skips changelogs, pinned dependencies and the configuration of CI, because they name old
    /// versions and those of other packages and tools, such as `lane`.
    init(of version: SemanticVersion, in git: Git) throws(OperationFailure) {
        let others = [
            "CHANGE*", "HISTORY*", "NEWS*", "RELEASE*", "Package*.resolved", "Lanes/ci/**", ".github/workflows/**",
            ".circleci/**", "azure-pipelines*.yml",
        ].map {
            ":(exclude,icase,glob)**/\($0)"
        }
        let found = try git.attempt(
            [
                "-c", "grep.fullName=false", "grep", "-z", "-n", "-I", "-F", "--no-color", "--no-column",
                "-e", version.description, "--", ".",
            ] + others)
        var files: [(path: String, lines: [Int])] = []
        // Status 1 means that there is no match.
        let output = found.report.succeeded ? found.standardOutput : []
        for line in output.split(separator: UInt8(ascii: "\n")) {
            let fields = line.split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3, let number = Int(String(decoding: fields[1], as: UTF8.self)) else { continue }
            let path = String(decoding: fields[0], as: UTF8.self)
            guard !PlainVersions.equal(to: version, in: Array(fields[2]), of: path).isEmpty else { continue }
            if files.last?.path == path {
                files[files.count - 1].lines.append(number)
            } else {
                files.append((path, [number]))
            }
        }
        self.files = files
    }

    /// A Boolean value that indicates whether the lines fit in a message.
    var isShort: Bool { files.reduce(0) { $0 + $1.lines.count } <= 8 }

    /// The number of lines and files.
    var count: String {
        let lines = files.reduce(0) { $0 + $1.lines.count }
        return "\(Text.count(lines, "line")) of \(Text.count(files.count, "file"))"
    }

    /// The locations of the lines, one in each line.
    var lines: String {
        files.map { file in file.lines.map { "\(file.path):\($0)\n" }.joined() }.joined()
    }

    /// The text `README.md:3,7, Sources/a.swift:1`.
    var text: String {
        files.map { file in "\(file.path):" + file.lines.map(String.init).joined(separator: ",") }
            .joined(separator: ", ")
    }
}

/// The checksums beside a changed version. They are of the archive of the previous version.
enum StaleChecksums {
    /// The greatest distance in lines between a version and its checksum.
    private static let distance = 8

    /// Returns a note for each file with such checksums.
    ///
    /// - Parameter occurrences: The changed versions, sorted.
    static func notes(_ occurrences: [VersionOccurrence], in directory: String) -> [String] {
        VersionOccurrences.byFile(occurrences).compactMap { file, places in
            guard let bytes = try? readFile("\(directory)/\(file)") else { return nil }
            let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            let changed = Set(places.map(\.line))
            let stale = lines.indices.map { $0 + 1 }.filter { number in
                guard changed.contains(where: { abs($0 - number) <= distance }) else { return false }
                let line = lines[number - 1]
                // The digest of another image is not a checksum of this package.
                let isDigest = String(decoding: line, as: UTF8.self).contains("@sha256:")
                return hasChecksum(line) && (!isDigest || changed.contains(number))
            }
            guard !stale.isEmpty else { return nil }
            let numbers = stale.map(String.init).joined(separator: ",")
            return "\(file):\(numbers): the checksum beside the version is that of another one; write the new one when "
                + "the archive exists"
        }
    }

    /// Returns a Boolean value that indicates whether a line contains a SHA-256 or SHA-512 in hexadecimal digits.
    private static func hasChecksum(_ line: ArraySlice<UInt8>) -> Bool {
        line.split { !$0.isAlphanumeric }.contains {
            ($0.count == 64 || $0.count == 128) && $0.allSatisfy(\.isHexDigit)
        }
    }
}
