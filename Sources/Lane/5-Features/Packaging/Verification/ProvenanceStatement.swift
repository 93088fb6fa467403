import OperatingSystem
import Text

/// The provenance of files, as `package` writes it: an in-toto statement (v1) with SLSA provenance (v1).
package struct ProvenanceStatement: Sendable {
    /// The extension of provenance files. `mise` expects a Sigstore bundle in a file whose name contains `provenance` or
    /// `.intoto.jsonl`.
    package static let suffix = ".intoto.json"

    /// The names of the files with their SHA-256.
    let subjects: [(name: String, sha256: String)]
    let name: String?
    let version: String
    let products: [String]
    /// The settings `formats` and `description` of `package`.
    let formats: [String]
    let description: String?
    let commit: String
    /// The URL of the repository after `git+`, or `nil` if it is unknown.
    let origin: String?
    /// The time of the files in seconds since 1970, as text.
    let time: String?
    /// The version of the compiler and the triple of the target.
    let toolchain: String

    /// Parses a statement. Returns `nil` for any other file, and for the provenance of other tools.
    init?(reading bytes: [UInt8]) {
        guard let node = try? JSONParser.parse(bytes), node["_type"]?.string == "https://in-toto.io/Statement/v1",
            node["predicateType"]?.string == "https://slsa.dev/provenance/v1",
            let definition = node["predicate"]?["buildDefinition"],
            definition["buildType"]?.string == Provenance.buildType,
            let version = definition["externalParameters"]?["version"]?.string,
            let source = definition["resolvedDependencies"]?.array?.first,
            let commit = source["digest"]?["gitCommit"]?.string, let subjects = node["subject"]?.array
        else { return nil }
        self.version = version
        self.commit = commit
        self.subjects = subjects.compactMap { subject in
            guard let name = subject["name"]?.string, let sum = subject["digest"]?["sha256"]?.string else { return nil }
            return (name, sum)
        }
        guard self.subjects.count == subjects.count, !subjects.isEmpty else { return nil }
        name = definition["externalParameters"]?["name"]?.string
        products = definition["externalParameters"]?["products"]?.array?.compactMap(\.string) ?? []
        formats = definition["externalParameters"]?["formats"]?.array?.compactMap(\.string) ?? []
        description = definition["externalParameters"]?["description"]?.string
        origin = source["uri"]?.string.flatMap { $0.hasPrefix("git+") ? String($0.dropFirst(4)) : nil }
        time = definition["internalParameters"]?["SOURCE_DATE_EPOCH"]?.string
        let compiler = definition["resolvedDependencies"]?.array?.first { $0["name"]?.string == "swift" }?[
            "annotations"]?["version"]
        toolchain = [compiler?.string, definition["internalParameters"]?["triple"]?.string].compactMap(\.self)
            .joined(separator: ", ")
    }
}
