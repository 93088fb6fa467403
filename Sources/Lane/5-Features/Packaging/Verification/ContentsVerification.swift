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
            guard let bytes = try? readFile(files.path(of: path)), let contents = ListedContents.read(bytes)
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
                let name = sibling(listed.archive, of: path)
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
                let described = contents.map { sibling($0.archive, of: path) }
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
}

/// The files of an archive as a bill of materials lists them.
struct ListedContents {
    /// The name of the archive.
    let archive: String
    /// The SHA-256 of the archive.
    let sha256: String
    /// The files in the archive by their paths, with their SHA-256; empty if the bill lists none.
    let files: [String: String]

    /// The extensions of bills of materials.
    static let suffixes = [BillOfMaterials.suffix, CycloneDXBill.suffix]

    /// Parses a bill of materials: SPDX 2.3 or CycloneDX 1.6 in JSON. Returns `nil` for any other file.
    static func read(_ bytes: [UInt8]) -> [ListedContents]? {
        guard let node = try? JSONParser.parse(bytes) else { return nil }
        if node["spdxVersion"]?.string?.hasPrefix("SPDX-2") == true { return spdx(node) }
        if node["bomFormat"]?.string == "CycloneDX" { return cycloneDX(node) }
        return nil
    }

    private static func spdx(_ node: JSONNode) -> [ListedContents] {
        var files: [String: (path: String, sum: String)] = [:]
        for file in node["files"]?.array ?? [] {
            guard let id = file["SPDXID"]?.string, let name = file["fileName"]?.string else { continue }
            let sum = digest(file["checksums"], "algorithm", "SHA256", "checksumValue")
            files[id] = (name.hasPrefix("./") ? String(name.dropFirst(2)) : name, sum ?? "")
        }
        var contents: [String: [String]] = [:]
        for relation in node["relationships"]?.array ?? [] where relation["relationshipType"]?.string == "CONTAINS" {
            guard let one = relation["spdxElementId"]?.string, let other = relation["relatedSpdxElement"]?.string
            else { continue }
            contents[one, default: []].append(other)
        }
        return (node["packages"]?.array ?? []).compactMap { package in
            guard let name = package["packageFileName"]?.string, let id = package["SPDXID"]?.string,
                let sum = digest(package["checksums"], "algorithm", "SHA256", "checksumValue")
            else { return nil }
            let own = (contents[id] ?? []).compactMap { files[$0] }
            return ListedContents(archive: name, sha256: sum, files: Dictionary(own.map { ($0.path, $0.sum) }) { $1 })
        }
    }

    private static func cycloneDX(_ node: JSONNode) -> [ListedContents] {
        (node["components"]?.array ?? []).compactMap { component in
            guard component["type"]?.string == "file", let name = component["name"]?.string,
                let sum = digest(component["hashes"], "alg", "SHA-256", "content")
            else { return nil }
            let files = (component["components"]?.array ?? []).compactMap { file -> (String, String)? in
                guard let path = file["name"]?.string else { return nil }
                return (path, digest(file["hashes"], "alg", "SHA-256", "content") ?? "")
            }
            return ListedContents(archive: name, sha256: sum, files: Dictionary(files) { $1 })
        }
    }

    private static func digest(_ node: JSONNode?, _ key: String, _ algorithm: String, _ value: String) -> String? {
        node?.array?.first { $0[key]?.string == algorithm }?[value]?.string
    }
}
