import Archives
import OperatingSystem
import Text

/// A comparison of archives with bills of materials.
struct ContentsVerification {
    private(set) var row = VerificationReport.Row("contents")

    /// - Parameters:
    ///   - documents: The names of the files to read if they have an extension of bills of materials.
    ///   - only: The only file to verify, or `nil` for all. Bills that don't describe it are ignored.
    ///   - damaged: The names of files that are not compared.
    ///   - required: The files of each provenance file, which the bills beside it must describe.
    init(
        _ documents: [String], only: String?, of files: inout ReceivedFiles, except damaged: Set<String>,
        required: [String: Set<String>]
    ) {
        var bills: [(path: String, contents: [ListedContents])] = []
        for path in documents where ListedContents.suffixes.contains(where: path.hasSuffix) && !damaged.contains(path) {
            guard let bytes = try? readRegularFile(files.path(of: path)), let contents = ListedContents.read(bytes)
            else {
                if only == nil || only == path {
                    row.problems.append("'\(path)' is no bill of materials: expected SPDX 2 or CycloneDX in JSON")
                }
                continue
            }
            bills.append((path, contents))
        }
        var counts: [String: Int] = [:]
        var used: [String] = []
        for (path, contents) in bills {
            for listed in contents {
                let name = Self.name(listed.archive, besides: path)
                guard only == nil || only == name, !damaged.contains(name) else { continue }
                used.append(path)
                let found = Self.problems(with: name, listed, in: path, &files)
                // Two bills of a damaged archive have the same problem.
                row.problems += found.filter { !row.problems.contains($0) }
                if found.isEmpty, !listed.files.isEmpty { counts[name] = listed.files.count }
            }
        }
        for (provenance, names) in required.sorted(by: { $0.key < $1.key }) {
            let base = provenance.dropLast(ProvenanceStatement.suffix.utf8.count)
            for (path, contents) in bills where ListedContents.suffixes.contains(where: { path == base + $0 }) {
                let described = contents.map { Self.name($0.archive, besides: path) }
                for name in names.subtracting(described).sorted() where only == nil || only == name {
                    row.problems.append("'\(path)' does not describe '\(name)'")
                }
            }
        }
        guard !used.isEmpty else { return }
        let sources = list(firstOf: Set(used).sorted(), joinedBy: "and")
        let total = counts.values.reduce(0, +)
        let archives = list(firstOf: counts.keys.sorted(), joinedBy: "and")
        row.pass(counts.isEmpty ? "described in \(sources)" : "\(count(total, "file")) of \(archives) in \(sources)")
    }

    /// Compares an archive with a bill of materials.
    private static func problems(
        with name: String, _ listed: ListedContents, in path: String, _ files: inout ReceivedFiles
    ) -> [String] {
        guard files.contains(name) else { return ["'\(name)' is missing, but '\(path)' describes it"] }
        do throws(ArchiveError) {
            let found = try files.digest(of: name)
            guard found == listed.sha256 else {
                return ["'\(path)' describes another '\(name)': expected the SHA-256 \(listed.sha256), found \(found)"]
            }
            // Zip files have no list of files, because the archive contains the same programs.
            guard name.hasSuffix(".tar.gz") || name.hasSuffix(".tgz") else { return [] }
            return differences(try TarGzip.digests(ofFilesIn: files.path(of: name)), listed, in: path, name)
        } catch {
            return ["'\(name)': \(error.description)"]
        }
    }

    private static func differences(
        _ found: [String: SHA256Digest], _ listed: ListedContents, in path: String, _ name: String
    ) -> [String] {
        if listed.files.isEmpty { return ["'\(path)' lists no file of '\(name)'"] }
        var problems: [String] = []
        for file in Set(found.keys).union(listed.files.keys).sorted() {
            switch (found[file], listed.files[file]) {
            case (let digest?, let sum?):
                if digest.description != sum { problems.append("'\(file)' in '\(name)' differs from '\(path)'") }
            case (_?, nil): problems.append("'\(path)' does not list '\(file)' of '\(name)'")
            case (nil, _): problems.append("'\(path)' lists '\(file)', which is not in '\(name)'")
            }
        }
        return problems
    }

    private static func name(_ name: String, besides path: String) -> String {
        let directory = parentDirectory(path)
        return directory == "." ? name : "\(directory)/\(name)"
    }
}
