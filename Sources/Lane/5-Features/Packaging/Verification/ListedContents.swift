import Text

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
