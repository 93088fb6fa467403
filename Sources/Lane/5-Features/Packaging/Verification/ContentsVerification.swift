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
        // Whether the installers contain the same programs as the archives.
        var installers: [String: Bool] = [:]
        for (path, contents) in bills {
            let archive = contents.first { !$0.files.isEmpty }
            for listed in contents {
                let name = Self.name(listed.archive, besides: path)
                guard only == nil || only == name, !damaged.contains(name) else { continue }
                used.append(path)
                var found = Self.problems(with: name, listed, in: path, &files)
                if found.isEmpty, let archive, installers[name] == nil, ListedContents.isInstaller(name) {
                    found = Self.differences(between: files.path(of: name), archive)
                    installers[name] = found.isEmpty
                }
                // Two bills of a damaged archive have the same problem.
                row.problems += found.filter { !row.problems.contains($0) }
                if found.isEmpty, !listed.files.isEmpty { counts[name] = listed.files.count }
            }
        }
        let formulas = documents.filter { $0.hasSuffix(HomebrewFormula.suffix) && !damaged.contains($0) }
        for path in formulas where only == nil || only == path {
            row.problems += Self.problems(withFormula: path, &files)
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
        let same = list(firstOf: installers.filter(\.value).keys.sorted(), joinedBy: "and")
        row.pass(
            (counts.isEmpty ? "described in \(sources)" : "\(count(total, "file")) of \(archives) in \(sources)")
                + (same.isEmpty ? "" : ", and the same programs in \(same)"))
    }

    /// Compares the programs of a Debian package or an image with those of an archive.
    private static func differences(between path: String, _ archive: ListedContents) -> [String] {
        let name = lastPathComponent(path)
        do throws(ArchiveError) {
            let found =
                name.hasSuffix(DebianPackage.suffix)
                ? try TarGzip.digests(ofFilesInDebianPackage: path) : try TarGzip.digests(ofFilesInImage: path)
            let programs = archive.files.filter { $0.key.pathComponents.dropFirst().first == "bin" }
            let installed = Set(found.values.map(\.description))
            let missing = programs.filter { !installed.contains($0.value) }.keys.sorted()
            let known = Set(programs.values)
            let others = found.filter { $0.key.hasPrefix("usr/bin/") && !known.contains($0.value.description) }
            return missing.map { "'\($0)' of '\(archive.archive)' is not in '\(name)'" }
                + others.keys.sorted().map { "'\($0)' in '\(name)' is not in '\(archive.archive)'" }
        } catch {
            return ["'\(name)': \(error.description)"]
        }
    }

    /// Compares the digests in a Homebrew formula with its archives that are here.
    private static func problems(withFormula path: String, _ files: inout ReceivedFiles) -> [String] {
        let lines = ((try? readText(files.path(of: path))) ?? "").lines.map {
            $0.split(separator: "\"").map(String.init)
        }
        func value(_ line: [String], _ key: String) -> String? {
            line.count == 2 && line[0].split(separator: " ") == [key[...]] ? line[1] : nil
        }
        var problems: [String] = []
        for (line, next) in zip(lines, lines.dropFirst()) {
            guard let url = value(line, "url"), let sum = value(next, "sha256") else { continue }
            let name = Self.name(lastPathComponent(url), besides: path)
            guard files.contains(name), let found = try? files.digest(of: name), found != sum else { continue }
            problems.append("'\(path)' has another '\(name)': expected the SHA-256 \(sum), found \(found)")
        }
        return problems
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
