import Git
import OperatingSystem
import Text

/// The lines that still contain the previous version after a bump.
struct OldMentions {
    /// The line numbers by file, in the order of the files.
    let files: [(path: String, lines: [Int])]

    var isEmpty: Bool { files.isEmpty }

    /// Searches the files in git. Skips changelogs and pinned dependencies, because they name old versions and those of
    /// other packages.
    init(of version: SemanticVersion, in git: Git) throws(OperationFailure) {
        let others = ["CHANGE*", "HISTORY*", "NEWS*", "RELEASE*", "Package*.resolved"].map {
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
